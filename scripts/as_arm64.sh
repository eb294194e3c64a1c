#!/usr/bin/env bash
# Runs a command; Linux then starts programs for arm64 in QEMU (user mode), with the libraries of build/arm64-sysroot (QEMU_LD_PREFIX).
# usage: scripts/as_arm64.sh COMMAND [ARGUMENT …]
# QEMU_CPU: the processor, a name of `qemu-aarch64-static -cpu help`; without it, "max", which has all instructions that QEMU knows.
# If no emulator for arm64 is registered with Linux, one is registered for this command alone, which needs Linux 6.7 or later.
set -euo pipefail
(($# > 0)) || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
: "${QEMU_LD_PREFIX:=$(cd "$(dirname "$0")/.." && pwd)/build/arm64-sysroot}"
export QEMU_LD_PREFIX QEMU_CPU=${QEMU_CPU:-max}
formats=/proc/sys/fs/binfmt_misc
rule=/usr/lib/binfmt.d/qemu-aarch64.conf
if [ -e "$formats/qemu-aarch64" ]; then exec "$@"; fi
[ -f "$rule" ] || { printf 'error: %s was not found; apt-get install qemu-user-static\n' "$rule" >&2; exit 1; }
# The command runs as a user without rights of root, which could not give files to users that the namespace lacks.
user=$(id -u)
((user != 0)) || user=1000
# shellcheck disable=SC2016
exec unshare --user --map-root-user --mount bash -c '
  if ! mount -t binfmt_misc binfmt_misc "$1" || ! cat "$2" > "$1/register"; then
    printf "error: QEMU cannot be registered for one command (Linux 6.7 or later); apt-get install binfmt-support, as root\n" >&2
    exit 1
  fi
  exec unshare --user --map-user="$3" --map-group="$3" "${@:4}"' register "$formats" "$rule" "$user" "$@"
