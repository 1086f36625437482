# A root directory with what Debian's packages have and the package of xcute on top of that, and nothing else: no checkout, no home, nothing below /usr/local.
# usage: unshare --mount sh root.sh ROOT PACKAGE COMMANDS
set -e
root=$1 package=$2
mkdir -p "$root/usr" "$root/proc" "$root/dev" "$root/etc" "$root/root" "$root/tmp" "$root/work"
mount -t overlay overlay -o "lowerdir=$package/usr:/usr" "$root/usr"
mount -t tmpfs tmpfs "$root/usr/local"
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
for name in proc dev etc; do mount --rbind "/$name" "$root/$name"; done
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root sh -ec "cd /work; $3"
