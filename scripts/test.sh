#!/usr/bin/env bash
# Sets up, builds and runs the tests: all except the slow ones, and a sample of these.
# usage: scripts/test.sh [--slow]      --slow: all of them, the program with sanitizers, and a minute of each fuzzer if clang is installed
# Reports of each test program, as GoogleTest's XML, are written to build/release/reports.
source "$(dirname "$0")/common.sh"

slow=
case "${1:-}" in
  "") ;;
  --slow) slow=yes ;;
  *) fail "unknown argument '$1'; usage: scripts/test.sh [--slow]" ;;
esac

start=$SECONDS
reports=build/release/reports
setup ${slow:+--browser}
build release
rm -rf "$reports"
mkdir -p "$reports"

# run LABEL. Runs one test more than there are cores, because tests that wait for processes leave a core idle.
run() {
  heading "tests: $1"
  ctest --test-dir build/release -L "^$1\$" --parallel "$(($(nproc) + 1))" --output-on-failure --no-tests=error \
    --output-junit "$PWD/$reports/ctest-$1.junit" || status=1
}
status=0
if [ -n "$slow" ]; then scripts/wasm.sh || status=1; fi  # tests/page/offline_page_test.py runs it
run fast
if [ -n "$slow" ]; then
  run slow
  configure_options=(-DHEED_UNITY=OFF)  # a file that lacks an include does not compile
  build asan
  configure_options=()
  heading "tests: fast, with sanitizers"
  ctest --test-dir build/asan -L '^fast$' --parallel "$(nproc)" --output-on-failure --no-tests=error || status=1
  if command -v clang++-14 >/dev/null; then
    scripts/fuzz.sh || status=1
  else
    say "the fuzzers are left out: there is no clang++-14; apt-get install clang-14 libclang-rt-14-dev"
  fi
fi
heading "result"
python3 scripts/test_summary.py "$reports" "$(duration $((SECONDS - start)))" || status=1
python3 scripts/tested.py keys "$reports" >/dev/null || status=1
python3 scripts/papers.py --check "$reports" || status=1
if [ -n "$slow" ]; then python3 scripts/tested.py mechanisms "$reports" || status=1; fi
exit $status
