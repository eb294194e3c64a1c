#!/usr/bin/env bash
# Measures how time and memory of attention grow with the length of a sequence, from 100 to 16,000: softmax beside the linear attentions
# and those that read a band of keys. The exponents over 1,000 … 16,000 have to be at most 1.2 for the linear ones and for `local`, at most
# 1.7 for `atrous` and `sparse`, and at least 1.7 in time for softmax, else it exits with 1. With FILE, it writes the figures as a table
# like those of docs/measurements. Needs 8 GB of memory.
# usage: scripts/bench/attention_length.sh [FILE.csv]
source "$(dirname "$0")/../common.sh"
[ $# -le 1 ] || fail "usage: scripts/bench/attention_length.sh [FILE.csv]"
build release bench_attention_length >&2
export OMP_NUM_THREADS=1
[ $# = 1 ] || exec build/release/bin/bench_attention_length
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
build/release/bin/bench_attention_length "$figures"
processor=$(PYTHONPATH=scripts/bench python3 -c 'from processor import processor; print(processor())')
{
  say 'date,processor,command,commit,model,setting,quantity,value,unit,peer,peer_value,ratio,note'
  while read -r line; do
    say "$(date +%F),\"$processor\",scripts/bench/attention_length.sh,$(git rev-parse --short HEAD),$line,,,,one thread"
  done < "$figures"
} > "$1"
