#!/usr/bin/env bash
# From letters to sounds in every language of a corpus, with configs/g2p.yaml: a table of the errors on dev, on standard output.
# usage: scripts/bench/g2p.sh CORPUS FOLDER [KEY=VALUE…]      CORPUS: SIGMORPHON 2020 task 1 (LANGUAGE/train, dev; .src .tgt)
#   words    % of words with any error                        KEY=VALUE: as after --set, for all languages
#   phones   edits for a hundred phones
# FOLDER holds the runs: a language that is finished is not trained again unless the recipe or the settings changed, an
# interrupted one goes on.
# HEED_JOBS languages are trained side by side, each on one core (default: one a core).
source "$(dirname "$0")/../common.sh"
[ $# -ge 2 ] || fail "usage: scripts/bench/g2p.sh CORPUS FOLDER [KEY=VALUE…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

export heed corpus folder recipe
recipe=$(cksum < configs/g2p.yaml)
corpus=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2

# learn LANGUAGE [--set KEY=VALUE…]: leaves its two figures in FOLDER/LANGUAGE.score
learn() {
  local language=$1 run=$folder/$1 mode=--overwrite settings figures
  shift
  settings="$recipe $*"
  if [ -s "$run.score" ] && [ "$(head -1 "$run.score")" = "$settings" ]; then return; fi
  rm -f "$run.score"
  if [ -e "$run/latest" ] && [ "$(cat "$run.settings" 2> /dev/null)" = "$settings" ]; then mode=--resume; fi
  printf '%s\n' "$settings" > "$run.settings"
  if "$heed" train configs/g2p.yaml --run "$run" $mode --set train.workers=1 --set "data.dir=$corpus/$language" "$@" \
    > "$run.log" 2>&1 \
    && "$heed" evaluate --model "$run" --workers 1 -s "$corpus/$language/dev.src" -r "$corpus/$language/dev.tgt" -m exact wer \
      --format json > "$run.json" 2>> "$run.log"; then
    figures=$(python3 -c 'import json, sys
exact, edits = (score["score"] for score in json.load(open(sys.argv[1])))
print("%.1f %.1f" % (100 - exact, edits))' "$run.json")
    printf '%s\n%s\n' "$settings" "$figures" > "$run.score"
    say "$language: $figures" >&2
  else
    say "$language: failed, the end of $run.log says: $(tail -1 "$run.log")" >&2
  fi
}
export -f learn say

settings=()
for setting in "$@"; do settings+=(--set "$setting"); done
languages=()
for path in "$corpus"/*/train.src; do languages+=("$(basename "$(dirname "$path")")"); done
printf '%s\n' "${languages[@]}" | OMP_NUM_THREADS=1 xargs -P "${HEED_JOBS:-$(nproc)}" -I {} bash -c 'learn "$@"' _ {} "${settings[@]}"

printf '%-10s %7s %7s\n' language words phones
for language in "${languages[@]}"; do
  if [ -s "$folder/$language.score" ]; then
    printf '%-10s %7s %7s\n' "$language" $(tail -1 "$folder/$language.score")
  else
    printf '%-10s %7s %7s\n' "$language" - -
  fi
done | tee "$folder/table"
if grep -q -e ' -$' "$folder/table"; then exit 1; fi
awk '{ words += $2; phones += $3 } END { printf "%-10s %7.1f %7.1f\n", "mean", words / NR, phones / NR }' "$folder/table"
