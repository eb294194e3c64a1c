#!/usr/bin/env bash
# Speed of matrix products by each instruction set of this processor and by MKL, one thread; takes a minute.
# usage: scripts/bench/products.sh
source "$(dirname "$0")/../common.sh"
[ $# = 0 ] || fail "usage: scripts/bench/products.sh"
build release bench_products >&2
grep -m 1 'model name' /proc/cpuinfo
OMP_NUM_THREADS=1 build/release/bin/bench_products
