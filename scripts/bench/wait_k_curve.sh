#!/usr/bin/env bash
# Quality against latency of simultaneous translation: trains configs/multi30k-wait-k.yaml for several k and for whole sentences,
# and prints a table of BLEU, average lagging (AL) and differentiable average lagging (DAL) on test_2016_flickr.
# usage: scripts/bench/wait_k_curve.sh CORPUS FOLDER [KEY=VALUE…]      CORPUS: Multi30k, raw (train, val, test_2016_flickr; .en .de)
#   AL, DAL   in source tokens (subwords)                              KEY=VALUE: as after --set, for all rows
#   full      attention over the whole source, and an encoder that sees all of it
# FOLDER holds the runs: a finished row is not trained again unless the recipe or the settings changed; an interrupted row is
# continued.
# HEED_JOBS rows are trained at the same time, each on one core (default: one a core). HEED_WAIT_K: the rows ("1 3 5 7 9 full").
source "$(dirname "$0")/../common.sh"
source scripts/bench/rows.sh
[ $# -ge 2 ] || fail "usage: scripts/bench/wait_k_curve.sh CORPUS FOLDER [KEY=VALUE…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

export heed corpus folder recipe config=configs/multi30k-wait-k.yaml
recipe=$(cksum < "$config")
corpus=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2

# figures RUN: BLEU, AL and DAL of greedy search
figures() {
  local test=$corpus/test_2016_flickr
  "$heed" translate "$1" --workers 1 --beam 1 -i "$test.en" -o "$1.de" --delays "$1.delays" 2>> "$1.log" || return
  "$heed" evaluate -r "$test.de" -i "$1.de" --delays "$1.delays" --format json > "$1.json" 2>> "$1.log" || return
  python3 -c 'import json, sys
print(*("%.1f" % score["score"] for score in json.load(open(sys.argv[1]))))' "$1.json"
}

# learn K|full [--set KEY=VALUE…]: prints the row of FOLDER/K
learn() {
  local k=$1 run=$folder/$1 with="$recipe ${*:2}" found="" set=()
  if figures_of "$run" "$with" > /dev/null; then return; fi
  if [ "$k" = full ]; then
    set=(--set "model.encoder.self_attention.terms=[]" --set "model.decoder.attention.terms=[]")
  else
    set=(--set "model.decoder.attention.terms[0].k=$k")
  fi
  train_row "$run" "$with" "$config" --set "data.dir=$corpus" "${set[@]}" "${@:2}" && found=$(figures "$run")
  finish_row "$k" "$run" "$with" "$found"
}
export -f learn figures

settings=()
for setting in "$@"; do settings+=(--set "$setting"); done
read -r -a rows <<< "${HEED_WAIT_K:-1 3 5 7 9 full}"
printf '%s\n' "${rows[@]}" | OMP_NUM_THREADS=1 xargs -P "${HEED_JOBS:-$(nproc)}" -I {} bash -c 'learn "$@"' _ {} "${settings[@]}"

printf '%-6s %6s %6s %6s\n' k BLEU AL DAL
for k in "${rows[@]}"; do
  found=$(figures_of "$folder/$k" "$recipe ${settings[*]}") || found="- - -"
  printf '%-6s %6s %6s %6s\n' "$k" $found
done | tee "$folder/table"
if grep -q -e ' -$' "$folder/table"; then exit 1; fi
