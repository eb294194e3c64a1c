#!/usr/bin/env bash
# Runs the tests of sacreBLEU, jiwer, rouge-score, SentencePiece and CTranslate2, and repeats each of their calls with heed.
# usage: scripts/bench/peer_suites.sh FOLDER [CTRANSLATE2]
# FOLDER: for the peers and the recorded calls; created if it does not exist, used again otherwise.
# CTRANSLATE2: a clone of github.com/OpenNMT/CTranslate2, because its package has no tests.
# HEED: another program than build/release/bin/heed.
#
# The package of rouge-score lacks the data of its tests. Unless FOLDER/rouge_score/rouge_score/testdata has it (from
# github.com/google-research/google-research, rouge/testdata), the demo corpus is used instead: those tests fail, but their calls count.
source "$(dirname "$0")/../common.sh"

folder=${1:?usage: scripts/bench/peer_suites.sh FOLDER [CTRANSLATE2]}
ctranslate2=${2:-}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
python=$folder/venv/bin/python
here=$PWD/scripts/bench

if [ ! -x "$folder/venv/bin/pytest" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet pytest absl-py sacrebleu==2.6.0 jiwer==4.0.0 rouge-score==0.1.2 sentencepiece==0.2.3 ctranslate2==4.8.5
fi

# source_of PACKAGE VERSION: unpacks the source package in FOLDER/PACKAGE
source_of() {
  local name=$1 version=$2
  if [ -d "$folder/$name" ]; then return; fi
  mkdir -p "$folder/download" "$folder/$name.part"
  "$folder/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$folder/download" "$name==$version"
  tar -xzf "$folder/download"/"$name-$version.tar.gz" -C "$folder/$name.part" --strip-components 1
  mv "$folder/$name.part" "$folder/$name"
}

# record LIBRARY FOLDER TESTS…: runs the tests and writes the calls
record() {
  local library=$1 where=$2
  shift 2
  heading "tests of $library"
  rm -f "$folder/$library.calls"
  (cd "$where" && PEER_LIBRARY=$library PEER_CALLS=$folder/$library.calls PEER_MODELS=$folder/models PYTHONPATH=$here \
    "$python" -m pytest -q -p peer_recorder "$@" | tail -n 15) || true
}

mkdir -p "$folder/models"
source_of sacrebleu 2.6.0
source_of jiwer 4.0.0
source_of rouge_score 0.1.2
source_of sentencepiece 0.2.3

data=$folder/rouge_score/rouge_score/testdata
if [ ! -d "$data" ]; then
  mkdir -p "$data"
  head -n 400 data/demo/train.de > "$data/target.txt"
  head -n 401 data/demo/train.de | tail -n 400 > "$data/prediction.txt"
  cp "$data/target.txt" "$data/target_large.txt"
  cp "$data/prediction.txt" "$data/prediction_large.txt"
fi

# Tests of data sets are left out: they need the network.
record sacrebleu "$folder/sacrebleu" test --ignore test/test_dataset.py --ignore test/test_api.py
record jiwer "$folder/jiwer" tests
record rouge_score "$folder/rouge_score" rouge_score/rouge_scorer_test.py rouge_score/scoring_test.py
record sentencepiece "$folder/sentencepiece" test/sentencepiece_test.py
"$python" "$here/peer_texts.py" "$folder/models" "$folder/characters.calls"
files=(sacrebleu jiwer rouge_score sentencepiece characters)
if [ -n "$ctranslate2" ]; then
  # The tests require this archive to be unpacked, but few of them read it.
  mkdir -p "$ctranslate2/tests/data/models/transliteration-aren-all"
  record ctranslate2 "$ctranslate2/python/tests" test_translator.py
  files+=(ctranslate2)
fi

heading "the same calls with heed"
program=$(realpath "${HEED:-$heed}")
cd "$folder"
"$python" "$here/peer_suites.py" "$program" "${files[@]/%/.calls}"
