#!/usr/bin/env bash
# A small server's disk after some years: folders of small and large files, many deleted, the
# gaps filled again with files that lie in pieces. Short groups, so that there are many.
# shellcheck source=tests/images/common.sh
. "$(dirname "$0")/../common.sh"

make 112M resize=262144 -b 4096 -g 512 -N 3584 -I 256 -L small-server -M /srv -J size=4 \
  -O sparse_super,large_file,filetype,resize_inode,dir_index,ext_attr,has_journal,extent,huge_file,flex_bg,metadata_csum,64bit,dir_nlink,extra_isize

sizes=(4 4 8 12 16 28 40 64 100 180 400 900)
for folder in etc home log mail srv var; do
  ask mkdir "$folder"
done

# write FROM TO: files of mixed sizes, in turn in each folder.
fill() {
  local i folders=(etc home log mail srv var)
  for ((i = $1; i < $2; i++)); do
    random ${#sizes[@]}
    content "${sizes[chance]}"
    ask write "$content" "/${folders[i % 6]}/f$i"
    files[i]=/${folders[i % 6]}/f$i
  done
}

fill 0 640
for ((i = 0; i < 640; i++)); do
  random 100
  if ((chance < 30 + i / 16)); then
    ask rm "${files[i]}"
  fi
done
sizes=(8 20 36 72 140 300)
fill 640 700
finish
