#!/usr/bin/env bash
# How time and memory of attention grow with the length of a sequence, from 64 to 8,192: softmax beside the linear attentions.
# The exponents over 1,024 … 8,192 have to be at most 1.2 for the linear ones, and at least 1.7 in time for softmax, else it
# exits with 1. usage: scripts/bench/attention_length.sh
source "$(dirname "$0")/../common.sh"
[ $# = 0 ] || fail "usage: scripts/bench/attention_length.sh"
build release bench_attention_length >&2
OMP_NUM_THREADS=1 build/release/bin/bench_attention_length
