#!/usr/bin/env bash
# Clusters of four blocks: one bit of a block bitmap stands for all four, and the smallest file
# takes them.
# shellcheck source=tests/images/common.sh
. "$(dirname "$0")/../common.sh"

make 120M "" -b 1024 -C 4096 -N 2048 -I 256 -L bigalloc -J size=4 \
  -O sparse_super,large_file,filetype,dir_index,ext_attr,has_journal,extent,huge_file,flex_bg,metadata_csum,64bit,dir_nlink,extra_isize,bigalloc

for ((i = 0; i < 220; i++)); do
  random 5
  content $((4 << (2 * chance)))
  ask write "$content" "/f$i"
done
for ((i = 0; i < 220; i++)); do
  random 3
  if ((chance == 0)); then
    ask rm "/f$i"
  fi
done
finish
