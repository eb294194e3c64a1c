#!/usr/bin/env bash
# Builds the fuzzers (with clang-14 and libclang-rt-14-dev of Debian) and runs each from its seeds.
# usage: scripts/fuzz.sh [SECONDS] [NAME…]      SECONDS of each, 60 unless given
# What they find is left in build/fuzz/found; a mended one becomes a test, and a seed if it is small.
source "$(dirname "$0")/common.sh"

seconds=${1:-60}
shift || true
[[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "SECONDS: found '$seconds'; usage: scripts/fuzz.sh [SECONDS] [NAME…]"
command -v clang++-14 >/dev/null || fail "there is no clang++-14; apt-get install clang-14 libclang-rt-14-dev"

build fuzz fuzzers
found=build/fuzz/found
status=0
for fuzzer in build/fuzz/bin/fuzz_*; do
  name=${fuzzer##*/fuzz_}
  [[ $# == 0 || " $* " == *" $name "* ]] || continue
  heading "$name, $(duration "$seconds")"
  mkdir -p "build/fuzz/corpus/$name" "$found/$name"
  # No input may take more than 10 seconds or 2 GB.
  log=build/fuzz/corpus/$name.log
  "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$found/$name/" \
    "build/fuzz/corpus/$name" "tests/fuzz/seeds/$name" 2>"$log" || { status=1; grep -aE 'ERROR|SUMMARY|Error|Test unit' "$log" >&2 || tail "$log" >&2; }
  tail -n 1 "$log"
done
exit $status
