#!/usr/bin/env bash
# Sets up, builds, trains a small model with attention (one minute on two cores), and shows what it does.
# usage: scripts/demo.sh [--again]      --again: trains anew although there is a model in runs/demo
source "$(dirname "$0")/common.sh"

again=
case "${1:-}" in
  "") ;;
  --again) again=yes ;;
  *) fail "unknown argument '$1'; usage: scripts/demo.sh [--again]" ;;
esac

config=configs/demo.yaml
run=runs/demo
data=data/demo
shown=$run/shown        # files that this script writes
sentences=(243 197 328 624 912)    # lines of the test set: three like the training data, two new compositions

# Continues an interrupted run; for a finished run, training reports this and ends.
train() {
  if [ -n "$again" ]; then
    "$heed" train "$config" --overwrite
  elif [ -e "$run/latest" ]; then
    "$heed" train "$config" --resume || { code=$?; say "scripts/demo.sh --again trains anew" >&2; exit $code; }
  else
    "$heed" train "$config" --overwrite
  fi
}

show_sentences() {
  local number
  for number in "${sentences[@]}"; do
    printf '  source       %s\n' "$(sed -n "${number}p" "$data/test.en")"
    printf '  translation  %s\n' "$(sed -n "${number}p" "$shown/test.de")"
    printf '  reference    %s\n\n' "$(sed -n "${number}p" "$data/test.de")"
  done
}

# bleu HYPOTHESES FIRST LAST: of these lines of the test set
bleu() {
  sed -n "$2,$3p" "$1" > "$shown/part.hypotheses"
  sed -n "$2,$3p" "$data/test.de" > "$shown/part.references"
  "$heed" evaluate -r "$shown/part.references" -i "$shown/part.hypotheses" -m bleu --format json \
    | python3 -c 'import json, sys; print("%.1f" % json.load(sys.stdin)[0]["score"])'
}

show_bleu() {
  printf '  %-44s %8s %8s\n' "BLEU on 1,000 test sentences" model copying
  local name first last model copying
  while read -r first last name; do
    model=$(bleu "$shown/test.de" "$first" "$last")
    copying=$(bleu "$data/test.en" "$first" "$last")
    printf '  %-44s %8s %8s\n' "$name" "$model" "$copying"
  done << 'END'
1 500 compositions as in training
501 1000 compositions never seen in training
1 1000 all
END
}

start=$SECONDS
setup --browser
build release heed_installed
heading "train ($config)"
train

heading "translate"
mkdir -p "$shown"
"$heed" translate "$run" -i "$data/test.en" -o "$shown/test.de"
show_sentences

heading "evaluate"
show_bleu

heading "attention"
sed -n "${sentences[0]}p" "$data/test.en" > "$shown/sentence.en"
"$heed" plot attention "$run" -i "$shown/sentence.en"
"$heed" plot attention "$run" -i "$shown/sentence.en" --svg "$run/attention.svg"
say "The same map as a picture: $run/attention.svg"

heading "page for browsers"
if scripts/wasm.sh > "$shown/wasm.log" 2>&1; then
  "$heed" export page "$run" -o "$run/translate.html"
  say "It translates while you type, without a server: $run/translate.html"
else
  tail -n 3 "$shown/wasm.log" >&2
  say "There is no page: scripts/wasm.sh failed ($shown/wasm.log)."
fi

heading "done in $(duration $((SECONDS - start)))"
say "Try next: echo 'The small dog sleeps in the kitchen.' | $heed translate $run"
say "Your own text in five steps: docs/first-model.md"
