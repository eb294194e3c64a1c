#!/usr/bin/env bash
# Builds the part without libtorch for arm64 (aarch64) on a Debian for x86-64, and runs its fast tests in QEMU: as a processor with all
# instructions that QEMU knows, and as a Cortex-A72, which has neither dot products nor matrix products of 8 bits; those of the kernels
# also as a Neoverse N1, which has dot products alone. Then each instruction set of kernels translates 200 lines, beside build/release.
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

# test_as PROCESSOR SETS [ARGUMENT …]      SETS: of kernels, those that the processor has; ARGUMENT: of ctest
test_as() {
  local processor=$1 sets=$2 found
  shift 2
  heading "tests as $processor"
  found=$(QEMU_CPU=$processor HEED_INSTRUCTIONS=none scripts/as_arm64.sh build/arm64/bin/heed --version 2>&1) || true
  if [ "${found##*: }" != "$sets" ]; then
    say "kernels: expected the sets $sets, found: $found" >&2
    status=1
  fi
  QEMU_CPU=$processor scripts/as_arm64.sh ctest --test-dir build/arm64 -L '^fast$' --parallel "$(nproc)" --output-on-failure --no-tests=error "$@" ||
    status=1
}

# compare NAME [SETTING …]: a small model of the demo, translated by each set with scores      SETTING: of its config
compare() {
  local set model=build/arm64/compared/$1 options=(--precision int8 --beam 3 --nbest 3 --workers 1)
  shift
  "$heed" train configs/demo.yaml --overwrite --set run="$model" --set train.max_updates=200 "${@/#/--set=}" 2> "$model.log" ||
    { tail -n 20 "$model.log" >&2; fail "training of $model failed"; }
  head -n 200 data/demo/test.en > "$model.lines"
  "$heed" translate "$model" "${options[@]}" < "$model.lines" > "$model.expected" 2>> "$model.log"
  for set in ${all_sets//,/}; do
    if QEMU_CPU=max HEED_INSTRUCTIONS=$set scripts/as_arm64.sh build/arm64/bin/heed translate "$model" "${options[@]}" \
      < "$model.lines" > "$model.found" 2>> "$model.log" &&
      cmp "$model.expected" "$model.found" >&2; then
      say "$model, $set: ok"
    else
      say "$model, $set: translates otherwise than $heed" >&2
      status=1
    fi
  done
}

check_tools
make_sysroot
if [ -n "$only_libraries" ]; then exit; fi
build arm64
status=0
all_sets="plain, neon_dot, neon_i8mm, neon_bf16"
test_as max "$all_sets"
test_as cortex-a72 plain
test_as neoverse-n1 "plain, neon_dot" -R '^kernels$'
if [ -x "$heed" ]; then
  heading "translations of 200 lines by each instruction set"
  mkdir -p build/arm64/compared
  compare recurrent
  transformer='{type: transformer, layers: 2, width: 64, feed_forward: 128, self_attention: {heads: 4}'
  compare transformer "model={embedding: {width: 64}, encoder: $transformer}, decoder: $transformer, attention: {heads: 4}}}"
fi
exit $status
