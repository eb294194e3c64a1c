#!/usr/bin/env bash
# Unpacks the packages for arm64 (build/packages-arm64, by `scripts/package.sh --arm64`) and translates sentences with each in QEMU. The
# result has to be that of the program for this machine.
# usage: scripts/try_arm64_packages.sh [MODEL [FILE]]      MODEL, FILE: a run or model folder, and text for it; without them, the model
# of scripts/demo.sh is trained for some seconds
source "$(dirname "$0")/common.sh"

packages=build/packages-arm64
sysroot=$PWD/build/arm64-sysroot
compgen -G "$packages/*.deb" > /dev/null || fail "$packages has no packages; scripts/package.sh --arm64 makes them"
[ -x "$heed" ] || build release heed
model=${1:-build/package-arm64/model}
text=${2:-data/demo/test.en}
if (($# == 0)); then
  heading "a model"
  "$heed" train configs/demo.yaml --overwrite --set run="$model" --set train.max_updates=100
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -n 20 "$text" > "$work/text"
"$heed" translate "$model" < "$work/text" > "$work/expected"

# try NAME COMMAND [ARGUMENT …]: translates the text; `expected` has the translations
try() {
  local name=$1 expected=${expected:-$work/expected}
  shift
  scripts/as_arm64.sh "$@" < "$work/text" > "$work/found" 2> "$work/log" || { tail -n 20 "$work/log" >&2; fail "$name: exit code $?"; }
  cmp -s "$expected" "$work/found" || { diff "$expected" "$work/found" >&2; fail "$name: translates otherwise than $heed"; }
  say "$name: ok"
}

heading "packages for arm64 in QEMU"
# dpkg knows the Debian packages in the sysroot, so it finds a dependency that Debian for arm64 does not have.
dpkg --no-act --force-architecture --admindir "$sysroot/var/lib/dpkg" -i "$packages"/*.deb > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "dpkg"; }
for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$work/deb"; done
try deb "$work/deb/usr/bin/heed" translate "$model"

aarch64-linux-gnu-g++ --sysroot="$sysroot" -std=c++17 -I "$work/deb/usr/include" docs/library-example/translate.cpp -o "$work/translate" \
  -L "$work/deb/usr/lib/aarch64-linux-gnu" -lheed -Wl,-rpath,"$work/deb/usr/lib/aarch64-linux-gnu",--allow-shlib-undefined
"$heed" translate --beam 8 "$model" < "$work/text" > "$work/expected_by_beam_8"  # as docs/library-example/translate.cpp
expected=$work/expected_by_beam_8 try library bash -c '"$1" "$2" | cut -f 1' library "$work/translate" "$model"

# The tarball, with nothing but the C library beside it.
mkdir -p "$work/tarball" "$work/glibc/lib/aarch64-linux-gnu"
tar -xzf "$packages"/heed-*.tar.gz --strip-components 1 -C "$work/tarball"
cp -L "$sysroot"/lib/aarch64-linux-gnu/lib{c.so.6,m.so.6,dl.so.2,pthread.so.0,rt.so.1,resolv.so.2} "$work/glibc/lib/aarch64-linux-gnu/"
cp -L "$sysroot/lib/ld-linux-aarch64.so.1" "$work/glibc/lib/"
QEMU_LD_PREFIX=$work/glibc try tarball "$work/tarball/bin/heed" translate "$model"

python3 -m zipfile -e "$packages"/heed-*.whl "$work/wheel"
cat > "$work/translate.py" << 'PYTHON'
import sys, heed
for result in heed.load(sys.argv[1]).translate(sys.stdin.read().splitlines()):
    print(result.text)
PYTHON
libraries=$sysroot/usr/lib/aarch64-linux-gnu
PYTHONPATH=$work/wheel LD_LIBRARY_PATH=$libraries/blas:$libraries/lapack \
  try wheel "$sysroot/usr/bin/python3" "$work/translate.py" "$model"
