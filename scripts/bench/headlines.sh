#!/usr/bin/env bash
# Compares headline generation with and without copying. Prints a table: ROUGE (F1 x 100, no stemming); for words outside the
# vocabulary, the share of those in the reference that were copied and the share of those in the output that are right
# (scripts/copied_words.py); and the trigrams that are repeated within a line if the search allows repetitions.
# usage: scripts/bench/headlines.sh CORPUS FOLDER [NAME…]     NAME: of configs/headlines-NAME.yaml; default: all
#   CORPUS: train, val and test, .src with a first sentence a line, .tgt with the headline; such as Reuters-21578
# FOLDER holds the runs: a finished run is not trained again, an interrupted run is continued.
source "$(dirname "$0")/../common.sh"
source scripts/bench/rows.sh
[ $# -ge 2 ] || fail "usage: scripts/bench/headlines.sh CORPUS FOLDER [NAME…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

corpus=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
names=("${@:3}")
if [ ${#names[@]} = 0 ]; then names=(rnn pointer-generator pointer-generator-coverage copynet transformer-pointer); fi

rouge() {
  "$heed" evaluate -i "$1" -r "$corpus/test.tgt" -m rouge1 rouge2 rougeL --format json \
    | python3 -c 'import json, sys; print(" | ".join("%.1f" % measure["score"] for measure in json.load(sys.stdin)))'
}
words() { scripts/copied_words.py "$corpus/test.src" "$corpus/test.tgt" "$1" "$2" | awk '{print $2}'; }

# row NAME: trains the model if necessary, translates test, prints the scores
row() {
  local run=$folder/$1 config=configs/headlines-$1.yaml counts again
  train_row "$run" "$(cksum < "$config")" "$config" --set data.dir="$corpus" || { tail -3 "$run.log" >&2; return 1; }
  "$heed" translate "$run" -i "$corpus/test.src" -o "$run.tgt" 2>> "$run.log"
  "$heed" translate "$run" -i "$corpus/test.src" -o "$run.free.tgt" --no-repeat-ngram 0 2>> "$run.log"
  mapfile -t counts < <(words "$run.tgt" "$run/best/model/source.vocabulary")
  mapfile -t again < <(words "$run.free.tgt" "$run/best/model/source.vocabulary")
  say "| $1 | $(rouge "$run.tgt") | ${counts[0]} | ${counts[1]} | ${again[2]} |"
}

say "| model | ROUGE-1 | ROUGE-2 | ROUGE-L | copied, % | right, % | repeated, % |"
say "|---|---:|---:|---:|---:|---:|---:|"
cut -d' ' -f1-12 "$corpus/test.src" > "$folder/lead.tgt"
say "| first 12 words | $(rouge "$folder/lead.tgt") | | | |"
for name in "${names[@]}"; do row "$name"; done
