#!/usr/bin/env bash
# Makes a virtual environment with OpenNMT-py 3.5.1, the peer of training_speed.py. usage: scripts/bench/opennmt.sh FOLDER
# OpenNMT-py asks for an older PyTorch than the one that heed builds on; it runs with the newer one, which is what a fair
# comparison wants. Three of its text transforms import packages that are not needed here (spaCy, fastText): they are removed.
set -euo pipefail
folder=${1:?usage: scripts/bench/opennmt.sh FOLDER}
python3 -m venv "$folder"
pip() { "$folder/bin/pip" install --quiet "$@"; }
pip torch==2.13.0
pip --no-deps OpenNMT-py==3.5.1
pip numpy sentencepiece==0.2.0 pyyaml configargparse pyonmttok sacremoses subword-nmt waitress flask rapidfuzz \
  pyahocorasick sacrebleu==2.6.0 rouge-score tensorboard ctranslate2==4.8.5
rm -f "$folder"/lib/python3*/site-packages/onmt/transforms/{terminology,fuzzymatch,clean}.py
"$folder/bin/onmt_train" --help > /dev/null
echo "OpenNMT-py is ready: $folder/bin/onmt_train"
