#!/bin/sh
# Verifies two drivers of Debian's linux-source-6.1, preprocessed by gcc with the headers of linux-headers-amd64.
# Usage: run.sh DIRECTORY, which receives the preprocessed files and the reports. Installs the packages where they are missing.
set -e
out=${1:?directory for the results}
whoop=$(dirname "$0")/../../bin/whoop
sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
mkdir -p "$out"
if [ ! -e /usr/src/linux-source-6.1.tar.xz ] || ! ls -d /usr/src/linux-headers-6.1*-amd64 >/dev/null 2>&1; then
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq linux-source-6.1 linux-headers-amd64 gcc xz-utils
fi
headers=$(ls -d /usr/src/linux-headers-6.1*-amd64 | tail -1)
common=$(echo "$headers" | sed 's/-amd64$/-common/')
for f in drivers/char/nvram.c drivers/watchdog/machzwd.c; do
  name=$(basename "$f" .c)
  src="$out/linux-source-6.1/$f"
  [ -e "$src" ] || tar -C "$out" -xf /usr/src/linux-source-6.1.tar.xz "linux-source-6.1/$f"
  gcc -E -nostdinc -D__KERNEL__ -DMODULE "-DKBUILD_MODNAME=\"$name\"" "-DKBUILD_BASENAME=\"$name\"" \
    -include "$common/include/linux/compiler-version.h" -include "$common/include/linux/kconfig.h" -include "$common/include/linux/compiler_types.h" \
    -I"$common/arch/x86/include" -I"$headers/arch/x86/include/generated" -I"$common/include" -I"$headers/include" \
    -I"$common/arch/x86/include/uapi" -I"$headers/arch/x86/include/generated/uapi" -I"$common/include/uapi" -I"$headers/include/generated/uapi" \
    "$src" -o "$out/$name.i"
  start=$(date +%s)
  "$whoop" verify "$out/$name.i" -o "$out/$name.txt" || [ $? -lt 4 ]
  echo "$name: $(grep -c '' "$out/$name.i") lines, $(($(date +%s) - start)) s: $(grep ': racy\|: race-free\|: unknown' "$out/$name.txt" | tail -1)"
done
