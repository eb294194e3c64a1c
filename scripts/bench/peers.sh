#!/usr/bin/env bash
# Makes a virtual environment with the peers of the benchmarks: OpenNMT-py 3.5.1, JoeyNMT 2.3.0 and CTranslate2 4.8.5.
# usage: scripts/bench/peers.sh FOLDER
# OpenNMT-py and JoeyNMT ask for older packages than are made for this Python and for the PyTorch that heed builds on; they run
# with the newer ones, which is what a fair comparison wants. Three text transforms of OpenNMT-py import packages that are not
# needed here (spaCy, fastText): they are removed.
set -euo pipefail
folder=${1:?usage: scripts/bench/peers.sh FOLDER}
python3 -m venv "$folder"
pip() { "$folder/bin/pip" install --quiet "$@"; }
pip torch==2.13.0
pip --no-deps OpenNMT-py==3.5.1 joeynmt==2.3.0
pip numpy sentencepiece==0.2.0 pyyaml configargparse pyonmttok sacremoses subword-nmt waitress flask rapidfuzz \
  pyahocorasick sacrebleu==2.6.0 rouge-score tensorboard ctranslate2==4.8.5 \
  importlib_metadata packaging matplotlib seaborn pandas
rm -f "$folder"/lib/python3*/site-packages/onmt/transforms/{terminology,fuzzymatch,clean}.py
"$folder/bin/onmt_train" --help > /dev/null
"$folder/bin/python" -m joeynmt --help > /dev/null
echo "OpenNMT-py, JoeyNMT and CTranslate2 are ready in $folder"
