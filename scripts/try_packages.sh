#!/usr/bin/env bash
# Installs each package of build/packages (scripts/package.sh) in a bare Debian 12 and translates a sentence there.
# usage: scripts/try_packages.sh [FOLDER]      FOLDER: of the bare system, made when missing (/var/tmp/heed-bare)
# As root; needs debootstrap, and reaches Debian's mirror and PyPI as this machine does.
source "$(dirname "$0")/common.sh"

bare=${1:-/var/tmp/heed-bare}
packages=build/packages
model=tests/cli/fixtures/earlier/gru/checkpoints/step-00000020/model
[ "$(id -u)" = 0 ] || fail "chroot needs root"
command -v debootstrap > /dev/null || fail "there is no debootstrap; apt-get install debootstrap"
compgen -G "$packages/*.deb" > /dev/null || fail "$packages has no packages; scripts/package.sh makes them"

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

# copy NAME: the bare system, for one package
copy() {
  rm -rf "${bare:?}-$1"
  cp -a "$bare" "$bare-$1"
  mkdir -p "$bare-$1/packages"
  cp "$packages"/* "$bare-$1/packages/"
  cp -r "$model" "$bare-$1/model"
  cp -r docs/library-example "$bare-$1/example"
}

# inside NAME COMMAND
inside() {
  local status=0
  mount --rbind /proc "$bare-$1/proc"
  mount --rbind /dev "$bare-$1/dev"
  chroot "$bare-$1" /bin/bash -c "set -e; cd /; export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive; $2" || status=$?
  umount -l "$bare-$1/proc" "$bare-$1/dev"
  return $status
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

sentence="a b c"
expected=$(build/package/bin/heed translate "$model" <<< "$sentence")
heading "packages in a bare Debian 12"
make_bare
try deb "apt-get -qq update && apt-get -qq install -y --no-install-recommends /packages/heed_*.deb >&2
  test -s /usr/share/man/man1/heed-translate.1* -a -s /usr/share/bash-completion/completions/heed
  echo '$sentence' | heed translate /model"
try tarball "mkdir /opt/heed && tar -C /opt/heed --strip-components 1 -xzf /packages/heed-*.tar.gz
  echo '$sentence' | /opt/heed/bin/heed translate /model"
try library "apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ cmake make /packages/libheed*.deb >&2
  cmake -S /example -B /build >&2 && cmake --build /build >&2
  echo '$sentence' | /build/translate /model | cut -f 1"
try wheel "apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv >&2
  python3 -m venv /venv && /venv/bin/pip install -q /packages/heed-*.whl >&2
  /venv/bin/python -c 'import heed; print(heed.load(\"/model\").translate([\"$sentence\"])[0].text)'"
