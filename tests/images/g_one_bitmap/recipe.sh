#!/usr/bin/env bash
# One group, one bitmap: free runs of 1, 2, 4, 8 … blocks between files of as many, to look at
# bits and words.
# shellcheck source=tests/images/common.sh
. "$(dirname "$0")/../common.sh"

make 8M "" -b 1024 -N 512 -I 256 -L one-bitmap -J size=1 \
  -O sparse_super,large_file,filetype,dir_index,ext_attr,has_journal,extent,huge_file,flex_bg,metadata_csum,64bit,dir_nlink,extra_isize

for ((round = 0; round < 2; round++)); do
  for ((n = 1; n <= 512; n *= 2)); do
    content "$n"
    ask write "$content" "/keep-$round-$n"
    ask write "$content" "/gap-$round-$n"
  done
done
for ((n = 1; n <= 64; n++)); do
  content 3
  ask write "$content" "/small-$n"
done
for ((round = 0; round < 2; round++)); do
  for ((n = 1; n <= 512; n *= 2)); do
    ask rm "/gap-$round-$n"
  done
done
for ((n = 1; n <= 64; n += 2)); do
  ask rm "/small-$n"
done
finish
