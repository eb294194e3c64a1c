#!/usr/bin/env bash
# Tests the Python package of build/packages (scripts/package.sh), then installs each package in a bare Debian 12 and translates a
# sentence there, as the program does that made it.
# usage: scripts/try_packages.sh [FOLDER]      FOLDER: of the bare system, made when missing (/var/tmp/heed-bare)
# As root; needs debootstrap, and reaches Debian's mirror and PyPI as this machine does.
source "$(dirname "$0")/common.sh"

bare=${1:-/var/tmp/heed-bare}
packages=build/packages
program=build/package/bin/heed
run=$PWD/build/package/model
tools=build/package-python  # the environment that scripts/package.sh makes
[ "$(id -u)" = 0 ] || fail "chroot needs root"
command -v debootstrap > /dev/null || fail "there is no debootstrap; apt-get install debootstrap"
compgen -G "$packages/*.deb" > /dev/null || fail "$packages has no packages; scripts/package.sh makes them"

# The demo of a minute, ended after some seconds; what it translates is not looked at.
train() {
  heading "a model"
  "$program" train configs/demo.yaml --overwrite --set run="$run" --set train.max_updates=100
}

test_python() {
  heading "Python package"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$packages"/heed-*.whl
  "$tools/bin/python" -m pip install -q --disable-pip-version-check numpy nbclient nbformat ipykernel
  "$tools/bin/python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
    -d build/package-numpy numpy  # for the bare system
  HEED_PROGRAM=$program MODEL=$run TEXTS=data/demo/test.en "$tools/bin/python" tests/python/package_test.py
}

# The bare system, with the settings of apt and pip of this machine.
make_bare() {
  local file
  if [ ! -x "$bare/bin/bash" ]; then debootstrap --variant=minbase bookworm "$bare" > /dev/null; fi
  rm -f "$bare/etc/apt/sources.list"
  mkdir -p "$bare/etc/ssl/certs"
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d/99* /etc/pip.conf /etc/resolv.conf /etc/hosts \
    /etc/ssl/certs/ca-certificates.crt; do
    if [ -f "$file" ]; then cp -L "$file" "$bare$file"; fi
  done
}

# copy NAME: the bare system, for one package; and what `copied` names: a folder, and where it goes there
copied=()
copy() {
  rm -rf "${bare:?}-$1"
  cp -a "$bare" "$bare-$1"
  mkdir -p "$bare-$1/packages"
  cp "$packages"/* build/package-numpy/* "$bare-$1/packages/"
  cp -rL "$run/latest/model" "$bare-$1/model"
  cp -r docs/library-example "$bare-$1/example"
  if ((${#copied[@]} > 0)); then mkdir -p "$bare-$1${copied[1]}" && cp -r "${copied[0]}" "$bare-$1${copied[1]}/"; fi
}

# inside NAME COMMAND: what is mounted for it is seen by it alone
inside() {
  unshare --mount --propagation private bash -c 'mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" /bin/bash -c "$2"' \
    inside "$bare-$1" "set -e; cd /; export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive; $2"
}

# try NAME COMMAND: prints the translation of the command, which has to be the program's own here
try() {
  local found
  copy "$1"
  found=$(inside "$1" "$2" 2> "$bare-$1.log" | tail -n 1) || true
  if [ "$found" != "$expected" ]; then
    tail -n 20 "$bare-$1.log" >&2
    fail "$1: found '$found', expected '$expected'"
  fi
  say "$1: ok"
  rm -rf "${bare:?}-$1"
}

# glibc 2.N of the tag manylinux_2_N
check_docs() {
  local glibc page
  glibc=$(compgen -G "$packages/heed-*.whl" | sed -n 's/.*manylinux_\([0-9]*\)_\([0-9]*\)_.*/\1.\2/p')
  for page in README.md docs/library.md; do
    tr '\n' ' ' < "$page" | grep -q "glibc $glibc or later" || fail "the wheel needs glibc $glibc, but $page names another one"
  done
}

check_docs
train
test_python
sentence="The old farmer closes the green door."
expected=$("$program" translate "$run" <<< "$sentence")
heading "packages in a bare Debian 12"
make_bare
try deb "apt-get -qq update && apt-get -qq install -y --no-install-recommends /packages/heed_*.deb >&2
  test -s /usr/share/bash-completion/completions/heed
  apt-get -qq install -y --no-install-recommends systemd >&2
  systemd-analyze verify --man=no heed-serve@model.service >&2
  heed export page /model -o page.html
  test -s page.html
  echo '$sentence' | heed translate /model"
try tarball "mkdir /opt/heed && tar -C /opt/heed --strip-components 1 -xzf /packages/heed-*.tar.gz
  test ! -e /opt/heed/lib/*/libstdc++.so.6
  /opt/heed/bin/heed export page /model -o page.html
  test -s page.html
  echo '$sentence' | /opt/heed/bin/heed translate /model"
try library "apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ cmake make /packages/libheed*.deb >&2
  cmake -S /example -B /build >&2 && cmake --build /build >&2
  echo '$sentence' | /build/translate /model | cut -f 1"
# Needs libtorch, as an ensemble does; it is copied to where pip would put it.
torch=$(sed -n 's/^TORCH_ROOT:PATH=//p' build/package/CMakeCache.txt)
torch_in=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/heed/torch
copied=("$torch/lib" "$torch_in")
try tensors "apt-get -qq update && apt-get -qq install -y --no-install-recommends /packages/heed_*.deb /packages/libheed0_*.deb /packages/heed-tensors_*.deb >&2
  echo '$sentence' | heed translate /model /model"
copied=()
try wheel "apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv >&2
  python3 -m venv /venv && /venv/bin/pip install -q --no-index --find-links /packages /packages/heed-*.whl >&2
  /venv/bin/python -c 'import heed; print(heed.load(\"/model\").translate([\"$sentence\"])[0].text)'"
