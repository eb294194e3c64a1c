#!/usr/bin/env bash
# Trains grapheme-to-phoneme conversion in every language of a corpus, with configs/g2p.yaml; prints a table of the errors on dev.
# usage: scripts/bench/g2p.sh CORPUS FOLDER [KEY=VALUE…]      CORPUS: SIGMORPHON 2020 task 1 (LANGUAGE/train, dev; .src .tgt)
#   words    % of words with any error                        KEY=VALUE: as after --set, for all languages
#   phones   edits for a hundred phones
# FOLDER holds the runs: a finished language is not trained again unless the recipe or the settings changed; an interrupted
# language is continued.
# HEED_JOBS languages are trained at the same time, each on one core (default: one a core).
source "$(dirname "$0")/../common.sh"
source scripts/bench/rows.sh
[ $# -ge 2 ] || fail "usage: scripts/bench/g2p.sh CORPUS FOLDER [KEY=VALUE…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

export heed corpus folder recipe
recipe=$(cksum < configs/g2p.yaml)
corpus=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2

# figures RUN LANGUAGE: both error rates of the run
figures() {
  "$heed" evaluate --model "$1" --workers 1 -s "$corpus/$2/dev.src" -r "$corpus/$2/dev.tgt" -m exact wer --format json \
    > "$1.json" 2>> "$1.log" || return
  python3 -c 'import json, sys
exact, edits = (score["score"] for score in json.load(open(sys.argv[1])))
print("%.1f %.1f" % (100 - exact, edits))' "$1.json"
}

# learn LANGUAGE [--set KEY=VALUE…]: prints the row of FOLDER/LANGUAGE
learn() {
  local language=$1 run=$folder/$1 with="$recipe ${*:2}" found=""
  if figures_of "$run" "$with" > /dev/null; then return; fi
  train_row "$run" "$with" configs/g2p.yaml --set "data.dir=$corpus/$language" "${@:2}" && found=$(figures "$run" "$language")
  finish_row "$language" "$run" "$with" "$found"
}
export -f learn figures

settings=()
for setting in "$@"; do settings+=(--set "$setting"); done
languages=()
for path in "$corpus"/*/train.src; do languages+=("$(basename "$(dirname "$path")")"); done
printf '%s\n' "${languages[@]}" | OMP_NUM_THREADS=1 xargs -P "${HEED_JOBS:-$(nproc)}" -I {} bash -c 'learn "$@"' _ {} "${settings[@]}"

printf '%-10s %7s %7s\n' language words phones
for language in "${languages[@]}"; do
  found=$(figures_of "$folder/$language" "$recipe ${settings[*]}") || found="- -"
  printf '%-10s %7s %7s\n' "$language" $found
done | tee "$folder/table"
if grep -q -e ' -$' "$folder/table"; then exit 1; fi
awk '{ words += $2; phones += $3 } END { printf "%-10s %7.1f %7.1f\n", "mean", words / NR, phones / NR }' "$folder/table"
