#!/bin/sh
# From the data folder to the asset: training/ner/build.sh DATA VECTORS.json
set -eu
cd "$(dirname "$0")/../.."
data=$1
neural=packages/server/src/drivers/taggers/neural
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 training/ner/reduce_vectors.py "$2" "$data" "$work/vectors.npz"
python3 training/ner/train.py "$data" "$work/vectors.npz" "$work/out"
python3 training/ner/own.py "$data" "$work/vectors.npz" packages/server/safety-eval/sentences "$work/out/tagger.pt"
python3 training/ner/export.py "$data" "$work/vectors.npz" "$work/out/tagger.pt" packages/server/assets/tagger.bin "$neural/scores.json"
python3 training/ner/vectors.py "$neural/vectors.json"
cp "$work/out/figures.json" training/ner/figures.json
