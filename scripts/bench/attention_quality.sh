#!/usr/bin/env bash
# Compares attention mechanisms on real text: prints a table with a row for each line of attention_quality.TASK.txt.
# usage: scripts/bench/attention_quality.sh TASK CORPUS FOLDER [NAME…]     NAME: of the rows to train; default: all
#   multi30k   English to German, 1,000 updates of 4,096 tokens; BLEU on val.        CORPUS: Multi30k, raw (train, val; .en .de)
#   sources    English and German to French, 5,000 updates of 1,024 tokens; BLEU     CORPUS: Multi30k, raw (and .fr)
#              on test_2016_flickr, of each source alone and of both in each way
#   multilingual  English to German, French and Czech in one model, 6,000          CORPUS: Multi30k, raw (and .fr, .cs)
#              updates of 1,024 tokens; BLEU of each on test_2016_flickr
#   g2p        letters to sounds in two languages, 30 epochs; words with an error,   CORPUS: SIGMORPHON 2020 task 1
#              % of dev                                                                 (LANGUAGE/train, dev; .src .tgt)
# FOLDER holds the runs: a finished row is not trained again unless its settings or those of the task changed; an interrupted
# row is continued.
# HEED_JOBS rows are trained at the same time, each on one core (default: one a core).
source "$(dirname "$0")/../common.sh"
source scripts/bench/rows.sh
[ $# -ge 3 ] || fail "usage: scripts/bench/attention_quality.sh multi30k|sources|multilingual|g2p CORPUS FOLDER [NAME…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"

export heed task=$1 corpus folder bench=scripts/bench/attention_quality
export config=$bench.$task.yaml
corpus=$(cd "$2" && pwd)
mkdir -p "$3"
folder=$(cd "$3" && pwd)
chosen=" ${*:4} "
case $task in
  multi30k) parts=(test) measure="BLEU" ;;
  sources) parts=(test) measure="BLEU" config=configs/multi30k-two-sources.yaml ;;
  multilingual) parts=(test) measure="BLEU: de fr cs" config=configs/multi30k-multilingual.yaml ;;
  g2p) parts=(fre hun) measure="word error rate, %" ;;
  *) fail "there is no task '$task': multi30k, sources, multilingual or g2p" ;;
esac

recipe=$(cksum < "$config")
export recipe

# The rows: NAME | KEY=VALUE | KEY=VALUE …; lines that begin with # are remarks.
rows() {
  local name settings
  grep -v -e '^ *#' -e '^ *$' "$bench.$task.txt" | while IFS='|' read -r name settings; do
    name=${name// /}
    if [ "$chosen" = "  " ] || [[ $chosen == *" $name "* ]]; then printf '%s|%s\n' "$name" "$settings"; fi
  done
}

# figure RUN OPTION…: score that `heed evaluate` gives the run
figure() {
  "$heed" evaluate --model "$1" --workers 1 "${@:2}" --format json > "$1.json" 2>> "$1.log" || return
  python3 -c 'import json, sys
score = json.load(open(sys.argv[1]))[0]["score"]
print("%.1f" % (100 - score if sys.argv[2] == "g2p" else score))' "$1.json" "$task"
}

# figures RUN OPTION…: scores of the run, one for each language if there are several
figures() {
  local tag one all=""
  if [ "$task" != multilingual ]; then figure "$@"; return; fi
  for tag in de fr cs; do
    one=$(figure "$@" --tag "$tag" -r "$corpus/test_2016_flickr.$tag") || return
    all="$all${all:+ }$one"
  done
  say "$all"
}

# train_and_score PART NAME|SETTINGS: prints the row of FOLDER/NAME-PART
train_and_score() {
  local part=$1 name=${2%%|*} settings=${2#*|} with run set=() keys key score found=""
  with="$recipe $settings"
  run=$folder/$name-$part
  if figures_of "$run" "$with" > /dev/null; then return; fi
  IFS='|' read -r -a keys <<< "$settings"
  for key in "${keys[@]}"; do
    key=${key#"${key%%[! ]*}"}
    set+=(--set "${key%"${key##*[! ]}"}")
  done
  case $task in
    multi30k)
      set+=(--set "data.dir=$corpus")
      score=(-s "$corpus/val.en" -r "$corpus/val.de" -m bleu)
      ;;
    sources)
      set+=(--set "data.dir=$corpus" --set train.max_time=~)
      score=(-r "$corpus/test_2016_flickr.fr" -m bleu)
      case $name in
        en | de) score+=(-s "$name=$corpus/test_2016_flickr.$name") ;;
        lacking)
          set+=(--set "data.train=[{source: {en: train.en, de: '$folder/train.de'}, target: train.fr}]"
            --set "data.valid={source: {en: val.en, de: '$folder/val.de'}, target: val.fr}")
          score+=(-s "en=$corpus/test_2016_flickr.en" -s "de=$folder/test_2016_flickr.de")
          ;;
        *) score+=(-s "en=$corpus/test_2016_flickr.en" -s "de=$corpus/test_2016_flickr.de") ;;
      esac
      ;;
    multilingual)
      set+=(--set "data.dir=$corpus" --set train.max_time=~)
      score=(-s "$corpus/test_2016_flickr.en" -m bleu)
      ;;
    g2p)
      set+=(--set "data.dir=$corpus/$part")
      score=(-s "source=$corpus/$part/dev.src" -r "$corpus/$part/dev.tgt" -m exact)
      if [[ $settings == *"[edges]"* ]]; then
        set+=(--set "data.train=[{source: train.src, target: train.tgt, edges: '$folder/$part.train.edges'}]"
          --set "data.valid={source: dev.src, target: dev.tgt, edges: '$folder/$part.dev.edges'}")
        score+=(-s "edges=$folder/$part.dev.edges")
      fi
      ;;
  esac
  train_row "$run" "$with" "$config" "${set[@]}" && found=$(figures "$run" "${score[@]}")
  finish_row "$name, $part" "$run" "$with" "$found"
}
export -f train_and_score figure figures

# Adds edges from every letter to itself and to its neighbours.
neighbours() {
  awk '{ line = ""
         for (i = 0; i < NF; i++) for (j = i - 1; j <= i + 1; j++) if (j >= 0 && j < NF) line = line " " i "-" j
         print substr(line, 2) }' "$1"
}
# Leaves out the German of every tenth line.
if [ "$task" = sources ]; then
  for set in train val test_2016_flickr; do awk '{ print NR % 10 == 0 ? "" : $0 }' "$corpus/$set.de" > "$folder/$set.de"; done
fi
if [ "$task" = g2p ]; then
  for part in "${parts[@]}"; do
    for set in train dev; do neighbours "$corpus/$part/$set.src" > "$folder/$part.$set.edges"; done
  done
fi

for part in "${parts[@]}"; do rows | sed "s/^/$part\n/"; done \
  | tr '\n' '\0' | OMP_NUM_THREADS=1 xargs -0 -n 2 -P "${HEED_JOBS:-$(nproc)}" bash -c 'train_and_score "$@"' _

printf '%-28s' "$measure"
if [ "$task" = g2p ]; then printf ' %6s' "${parts[@]}"; fi
printf '\n'
missing=0
while IFS='|' read -r name settings; do
  printf '%-28s' "$name"
  for part in "${parts[@]}"; do
    found=$(figures_of "$folder/$name-$part" "$recipe $settings") || { found=- missing=1; }
    printf ' %6s' "$found"
  done
  printf '\n'
done < <(rows)
exit $missing
