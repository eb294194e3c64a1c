#!/usr/bin/env bash
# Runs test programs on an emulated processor, with instruction sets that the one at hand may not have: Bochs starts a Linux kernel,
# which runs each program in memory, about 100 million instructions a second (test_kernels: 5 minutes, test_inference: 10 to 25).
# It shows that kernels are right, not how fast they are.
# usage: scripts/emulated.sh MODEL [PROGRAM …]      PROGRAM: build/release/bin/test_kernels
# MODEL is a name of `bochs --help cpu`: corei7_skylake_x (AVX-512), corei7_icelake_u (VNNI), sapphire_rapids (AVX-512 BF16),
# arrow_lake (AVX2 and VNNI without AVX-512). HEED_INSTRUCTIONS, if it is set, is set there too.
# BOCHS: the emulator (bochs), 3.0 or later, installed from https://github.com/bochs-emu/Bochs:
#   ./configure --enable-cpu-level=6 --enable-x86-64 --enable-avx --enable-evex --enable-amx --enable-all-optimizations --enable-pci \
#     --with-nogui --disable-docbook
# AMX stays off: Linux gives its registers only where the processor has XFD, which Bochs does not emulate
# (and its TDPBUSD takes signed bytes for unsigned ones).
source "$(dirname "$0")/common.sh"

(($# > 0)) || fail "expected a processor: scripts/emulated.sh MODEL [PROGRAM …]; \`bochs --help cpu\` lists the models"
model=$1
shift
programs=("${@:-build/release/bin/test_kernels}")
bochs=${BOCHS:-bochs}
for program in "${programs[@]}"; do [ -x "$program" ] || fail "$program: not found; scripts/test.sh builds it"; done
command -v "$bochs" >/dev/null || fail "$bochs: not found; BOCHS names the emulator"
packages=()
for pair in cpio:cpio xorriso:xorriso busybox:busybox-static; do
  command -v "${pair%:*}" >/dev/null || packages+=("${pair#*:}")
done
[ -f /usr/lib/ISOLINUX/isolinux.bin ] || packages+=(isolinux)
[ -f /usr/lib/syslinux/modules/bios/ldlinux.c32 ] || packages+=(syslinux-common)
((${#packages[@]} == 0)) || fail "apt-get install --no-install-recommends ${packages[*]}"

work=$(mktemp -d)
emulator=
trap 'if [ -n "$emulator" ]; then kill "$emulator" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

# The kernel of Debian, unpacked without being installed.
kernel=build/emulated/vmlinuz
if [ ! -f "$kernel" ]; then
  heading "Linux kernel, in $kernel"
  package=$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image/ {print $2; exit}')
  [ -n "$package" ] || fail "linux-image-cloud-amd64: not among the packages of apt; apt-get update"
  (cd "$work" && apt-get -o APT::Sandbox::User=root download -qq "$package" && dpkg-deb -x linux-image-*.deb kernel)
  mkdir -p "$(dirname "$kernel")"
  cp "$work"/kernel/boot/vmlinuz-* "$kernel.partial"
  mv "$kernel.partial" "$kernel"
fi

# Files that the kernel starts: busybox, the programs, and the libraries that they need.
root=$work/root
mkdir -p "$root"/{bin,proc,dev,tests,tmp}
cp "$(command -v busybox)" "$root/bin/busybox"
{
  cat <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
exec >/dev/ttyS0 2>&1
export GTEST_COLOR=no GTEST_BRIEF=1
INIT
  [ -z "${HEED_INSTRUCTIONS:-}" ] || printf 'export HEED_INSTRUCTIONS=%q\n' "$HEED_INSTRUCTIONS"
  for program in "${programs[@]}"; do
    name=$(basename "$program")
    printf 'echo; echo "== %s"; /tests/%s; echo "%s: exit code $?"\n' "$name" "$name" "$name"
  done
  # Without the sleep, the last lines do not leave the serial port.
  printf 'echo END; /bin/busybox sleep 1; /bin/busybox poweroff -f\n'
} >"$root/init"
chmod +x "$root/init"
for program in "${programs[@]}"; do
  strip -o "$root/tests/$(basename "$program")" "$program"
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done

# fsrm is removed: Bochs lacks the register that tells the kernel of fast strings, and the kernel needs both or neither.
disc=$work/disc/isolinux
mkdir -p "$disc"
cp "$kernel" "$disc/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$disc/"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null) >"$disc/initrd"
cat >"$disc/isolinux.cfg" <<'CONFIG'
DEFAULT tests
LABEL tests
 KERNEL vmlinuz
 APPEND initrd=initrd console=ttyS0 quiet mitigations=off random.trust_cpu=on clearcpuid=580 no5lvl
CONFIG
xorriso -as mkisofs -quiet -o "$work/disc.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot -boot-load-size 4 \
  -boot-info-table "$work/disc" 2>/dev/null

without=
[ "$model" != sapphire_rapids ] || without=', exclude_features="amx,amx_int8,amx_bf16"'
cat >"$work/bochsrc" <<CONFIG
cpu: model=$model, ips=100000000, ignore_bad_msrs=1$without
memory: guest=2048, host=2048
romimage: file=\$BXSHARE/BIOS-bochs-latest
vgaromimage: file=\$BXSHARE/VGABIOS-lgpl-latest.bin
ata0-master: type=cdrom, path=$work/disc.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/output
log: $work/log
display_library: nogui
panic: action=fatal
error: action=ignore
CONFIG
heading "$model, emulated"
touch "$work/output"
"$bochs" -q -f "$work/bochsrc" >"$work/messages" 2>&1 &
emulator=$!
tail -f "$work/output" --pid="$emulator" | sed -u '/^END/q' || true
wait "$emulator" || true
emulator=
grep -q '^END' "$work/output" || fail "the emulator ended early: $(grep -h -A1 PANIC "$work/messages" "$work/log" 2>/dev/null | head -n 2)"
failed=$(grep -c 'exit code [1-9]' "$work/output") || true
((failed == 0)) || fail "$failed of ${#programs[@]} programs failed on $model"
say "passed on $model"
