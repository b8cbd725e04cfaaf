# What the recipes share; sourced, not run.
#
# The same bytes come out each time: settings, time, UUIDs and what passes for chance are fixed.
# e2fsprogs 1.47.0 made the images that are kept; another release may lay them out otherwise.

set -euo pipefail
export LC_ALL=C TZ=GMT0 PATH="$PATH:/usr/sbin:/sbin" DEBUGFS_PAGER=cat
export E2FSPROGS_FAKE_TIME=1704067200
umask 022

image=${1:?"usage: recipe.sh IMAGE"}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
requests=$scratch/requests
: >"$requests"

# Nothing but what a recipe says.
export MKE2FS_CONFIG=$scratch/mke2fs.conf
cat >"$MKE2FS_CONFIG" <<'CONF'
[defaults]
	base_features = none
	default_mntopts = acl,user_xattr
	enable_periodic_fsck = 0
[fs_types]
	ext4 = {
		inode_size = 256
	}
	small = {
		inode_size = 256
	}
CONF

# make SIZE OPTIONS ARGUMENT...: an empty filesystem; OPTIONS are what -E takes, or nothing.
make() {
  local size=$1 options=$2
  shift 2
  rm -f "$image"
  truncate -s "$size" "$image"
  mke2fs -q -F -t ext4 -U 7e57ab1e-0000-4000-8000-000000000001 \
    -E "hash_seed=7e57ab1e-0000-4000-8000-000000000002,root_owner=0:0${options:+,$options}" \
    "$@" "$image"
}

# A number from 0 up to below $1, by chance that repeats: left in $chance.
seed=1
random() {
  seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
  chance=$(((seed >> 8) % $1))
}

# content KIB: a file of this length to write from; left in $content. It is nothing but x: zeros
# would become holes, and words take more room when packed.
content() {
  content=$scratch/$1
  [ -e "$content" ] || head -c "$(($1 * 1024))" /dev/zero | tr '\0' x >"$content"
}

# ask REQUEST: queues a request for debugfs.
ask() {
  echo "$*" >>"$requests"
}

# Carries out what was asked, and stops where debugfs complains.
finish() {
  debugfs -w -f "$requests" "$image" >"$scratch/said" 2>"$scratch/complaints"
  # The first line is the banner.
  if sed 1d "$scratch/complaints" | grep .; then
    exit 1
  fi
}
