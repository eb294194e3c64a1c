#!/usr/bin/env bash
# Compares twelve attention mechanisms (configs/benchmarks/attention.yaml) on five tasks with three seeds each, in one table.
# usage: scripts/bench/attention_study.sh CORPORA FOLDER [OPTION…]      OPTION: of `heed sweep`, such as --jobs 2
#   CORPORA   has the folders sigmorphon2020-g2p, sigmorphon2023-inflection, scan and multi30k
# FOLDER holds the runs, the table, as CSV and in Markdown, and the chart. The same command goes on where it was interrupted.
source "$(dirname "$0")/../common.sh"
[ $# -ge 2 ] || fail "usage: scripts/bench/attention_study.sh CORPORA FOLDER [OPTION…]"
[ -x "$heed" ] || fail "$heed is missing; scripts/test.sh builds it"
corpora=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2

# task NAME SOURCE… : the files train, dev and test of a task, source and target of each
task() {
  local name=$1 part side
  shift
  mkdir -p "$folder/data/$name"
  for part in train dev test; do
    for side in src tgt; do
      cp "$1" "$folder/data/$name/$part.$side"
      shift
    done
  done
}
g2p=$corpora/sigmorphon2020-g2p/hun
task g2p "$g2p"/{train,dev,test}.{src,tgt}
inflection=$corpora/sigmorphon2023-inflection/arz
task inflection "$inflection"/{train,dev,test}.{src,tgt}
python3 scripts/bench/scan_tests.py "$corpora/scan" "$folder/scan"
for split in length addprim_jump; do task "scan-$split" "$folder/scan/$split"/{train,val,test}.{in,out}; done
task translation "$corpora"/multi30k/{train,val,test_2016_flickr}.{en,de}

data=""
for name in g2p inflection scan-length scan-addprim_jump translation; do data+="$name: $folder/data/$name, "; done
"$heed" sweep configs/benchmarks/attention.yaml --run "$folder/runs" --set "sweep.grid={data.dir: {${data%, }}}" "$@" > "$folder/table"
"$heed" runs "$folder/runs" --by model.decoder.attention,model.output.type --across data.dir --score test.test.exact,test.test.chrf \
  --baseline general,dir=g2p/1 --format csv > "$folder/table.csv"
python3 scripts/bench/attention_chart.py "$folder/table.csv" > "$folder/chart.svg"
python3 scripts/bench/attention_chart.py "$folder/table.csv" --markdown | tee "$folder/table.md"
