#!/usr/bin/env bash
# Prints every row of the attention catalogue with the tests that hold it, by the reports of the last test run with --slow.
# usage: scripts/attention_table.sh [REPORTS]      exits with 1 at a hole: a test that is missing, skipped or failed
source "$(dirname "$0")/common.sh"

if (($# > 1)); then fail "unknown argument '$2'; usage: scripts/attention_table.sh [REPORTS]"; fi
exec python3 scripts/attention_table.py "${1:-build/release/reports}"
