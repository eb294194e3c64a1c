#!/usr/bin/env bash
# A row of docs/benchmarks.md: trains its recipe with several seeds, in each language of a corpus, and scores the official test sets.
# usage: scripts/bench/benchmark.sh ROW CORPUS FOLDER [OPTION…]
#   ROW      a recipe in configs/benchmarks, such as g2p-low
#   CORPUS   a folder with the files that the recipe names, or with such a folder for each language. A recipe with tags is one model of
#            all languages, and names their folders itself
#   OPTION   of `heed sweep`: --jobs 2, --set KEY=VALUE
# FOLDER holds the runs. The same command goes on where it was interrupted. FOLDER/benchmark.csv has a line for each score of each seed.
# Languages without a test set have the scores of the best validation instead.
source "$(dirname "$0")/../common.sh"
[ $# -ge 3 ] || fail "usage: scripts/bench/benchmark.sh ROW CORPUS FOLDER [OPTION…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

row=$1 config=configs/benchmarks/$1.yaml
[ -f "$config" ] || fail "$config: there is no such recipe"
corpus=$(cd "$2" && pwd)
mkdir -p "$3"
folder=$(cd "$3" && pwd)
shift 3

# languages PATTERN: prints the languages with such a file as values of the grid, "de: FOLDER/de, …"
languages() {
  local path found=""
  for path in "$corpus"/*/; do
    if compgen -G "$path$1" > /dev/null; then found+="$(basename "$path"): $path, "; fi
  done
  say "${found%, }"
}

# sweep NAME OPTION…
sweep() {
  local name=$1
  shift
  "$heed" sweep "$config" --run "$folder/$name" "$@" > "$folder/$name.table"
}

failed=0
if grep -q 'tag:' "$config" || compgen -G "$corpus/train.*" > /dev/null; then
  sweep test --set "data.dir=$corpus" "$@" || failed=1
else
  tested=$(languages 'test.*')
  all=$(languages 'train.*')
  untested=""
  IFS=$'\n'
  for language in ${all//, /$'\n'}; do
    [[ ", $tested, " == *", $language, "* ]] || untested+="$language, "
  done
  unset IFS
  if [ -n "$tested" ]; then sweep test --set "sweep.grid={data.dir: {$tested}}" "$@" || failed=1; fi
  if [ -n "$untested" ]; then sweep dev --set "sweep.grid={data.dir: {${untested%, }}}" --set 'data.test={}' "$@" || failed=1; fi
fi
cat "$folder"/*.table
python3 scripts/bench/benchmark_rows.py "$row" "$folder" > "$folder/benchmark.csv"
python3 scripts/bench/benchmark_means.py "$folder/benchmark.csv"
exit "$failed"
