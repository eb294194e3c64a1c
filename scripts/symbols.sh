#!/usr/bin/env bash
# Copying and reversing of unseen strings by every pair of recurrent and self-attentive encoder and decoder: exact matches in %.
# usage: scripts/symbols.sh FOLDER      FOLDER: for the corpus and the runs; what is trained already is not trained again
source "$(dirname "$0")/common.sh"
[ $# = 1 ] || fail "usage: scripts/symbols.sh FOLDER"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -e "$folder/test.source" ] || scripts/make_symbol_corpus.py "$folder"

# train_and_score ENCODER DECODER TASK
train_and_score() {
  local name=symbols-$1-$2 run=$folder/$1-$2-$3 resume=()
  if [ -e "$run/latest" ]; then resume=(--resume); fi
  "$heed" train "configs/$name.yaml" --run "$run" "${resume[@]}" --set train.workers=1 --set data.dir="$folder" \
    --set "data.train=[{source: train.source, target: train.$3}]" \
    --set "data.valid={source: valid.source, target: valid.$3}" > "$run.log" 2>&1 || { tail -3 "$run.log" >&2; return 1; }
  "$heed" evaluate --model "$run" -s "$folder/test.source" -r "$folder/test.$3" -m exact --format json 2>> "$run.log" \
    | python3 -c 'import json, sys; print("%.1f" % json.load(sys.stdin)[0]["score"])' > "$run.exact"
}

# The two tasks side by side, each on a core.
printf '%-28s %8s %8s\n' "exact matches, %" copy reverse
for encoder in rnn transformer; do
  for decoder in rnn transformer; do
    train_and_score $encoder $decoder copy &
    copying=$!
    train_and_score $encoder $decoder reverse
    wait $copying
    printf '%-28s %8s %8s\n' "$encoder to $decoder" "$(cat "$folder/$encoder-$decoder-copy.exact")" \
      "$(cat "$folder/$encoder-$decoder-reverse.exact")"
  done
done
