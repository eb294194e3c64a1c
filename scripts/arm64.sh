#!/usr/bin/env bash
# Builds the part without libtorch for arm64 (aarch64) on a Debian for x86-64, and runs its fast tests in QEMU: as a processor with all
# instructions that QEMU knows, and as a Cortex-A72, which has neither dot products nor matrix products of 8 bits.
# usage: scripts/arm64.sh [--libraries]      --libraries: only makes build/arm64-sysroot
# Needs neither root nor settings of apt: the packages of this Debian's release for arm64 are unpacked into build/arm64-sysroot.
source "$(dirname "$0")/common.sh"

only_libraries=
case "${1:-}" in
  "") ;;
  --libraries) only_libraries=yes ;;
  *) fail "unknown argument '$1'; usage: scripts/arm64.sh [--libraries]" ;;
esac

sysroot=$PWD/build/arm64-sysroot
database=$sysroot/var/lib/dpkg
# Python and NumPy are for a try of the wheel.
packages=(libc6-dev "${library_packages[@]}" python3-numpy)

check_tools() {
  local pair missing=()
  for pair in aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64-static:qemu-user-static cmake:cmake ninja:ninja-build pkg-config:pkg-config; do
    command -v "${pair%:*}" > /dev/null || missing+=("${pair#*:}")
  done
  ((${#missing[@]} == 0)) || fail "apt-get install --no-install-recommends ${missing[*]}"
}

# apt-get for arm64, with a database of packages in the sysroot.
apt_arm64() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" \
    -o Dir::State="$sysroot/var/lib/apt" -o Dir::State::status="$database/status" -o Dir::Cache="$sysroot/var/cache/apt" "$@"
}

# unpack PACKAGE: its files; and its entry in the database, from which the dependencies of heed's own packages are made
unpack() {
  local name kind
  dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$sysroot"
  name=$(dpkg-deb -f "$1" Package)
  if [ "$(dpkg-deb -f "$1" Multi-Arch)" = same ]; then name+=:$(dpkg-deb -f "$1" Architecture); fi
  dpkg-deb --fsys-tarfile "$1" | tar -t | sed "s|^\.\(.*[^/]\)/*$|$sysroot\1|" > "$database/info/$name.list"
  for kind in shlibs symbols; do
    dpkg-deb -I "$1" "$kind" > "$database/info/$name.$kind" 2> /dev/null || rm "$database/info/$name.$kind"
  done
  dpkg-deb -f "$1" && printf 'Status: install ok installed\n\n'
}

make_sysroot() {
  local folder link package
  if [ "$(cat "$sysroot/packages" 2> /dev/null)" = "${packages[*]}" ]; then return; fi
  heading "libraries for arm64, in build/arm64-sysroot"
  rm -rf "$sysroot"
  mkdir -p "$sysroot"/usr/{bin,sbin,lib} "$sysroot"/var/{lib/apt/lists,cache/apt/archives}/partial "$database"/{info,updates}
  for folder in bin sbin lib; do ln -s "usr/$folder" "$sysroot/$folder"; done
  touch "$database/status"
  apt_arm64 update
  apt_arm64 install --download-only --yes --no-install-recommends "${packages[@]}"
  printf '1\n' > "$database/info/format"
  for package in "$sysroot"/var/cache/apt/archives/*.deb; do unpack "$package" >> "$database/status"; done
  find "$sysroot" -lname '/*' | while read -r link; do ln -sfnr "$sysroot$(readlink "$link")" "$link"; done
  rm "$sysroot"/var/cache/apt/archives/*.deb
  say "${packages[*]}" > "$sysroot/packages"
}

# test_as PROCESSOR
test_as() {
  heading "tests as $1"
  QEMU_CPU=$1 scripts/as_arm64.sh ctest --test-dir build/arm64 -L '^fast$' --parallel "$(nproc)" --output-on-failure --no-tests=error || status=1
}

check_tools
make_sysroot
if [ -n "$only_libraries" ]; then exit; fi
build arm64
status=0
test_as max
test_as cortex-a72
exit $status
