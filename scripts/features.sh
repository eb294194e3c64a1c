#!/usr/bin/env bash
# Prints every feature with the key or option that chooses it and the tests that hold it, by the reports of the last test run.
# usage: scripts/features.sh [REPORTS]      exits with 1 where a feature has no passed test; the list: scripts/features.txt
source "$(dirname "$0")/common.sh"

if (($# > 1)); then fail "unknown argument '$2'; usage: scripts/features.sh [REPORTS]"; fi
exec python3 scripts/features.py "${1:-build/release/reports}"
