#!/bin/sh
# From the data folder to the asset: training/ner/build.sh DATA VECTORS.json
set -eu
cd "$(dirname "$0")/../.."
data=$1
neural=packages/server/src/drivers/taggers/neural
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
train() {
  name=$1
  shift
  python3 training/ner/train.py "$data" "$work/vectors.npz" "$work/$name" "$@"
}
python3 training/ner/held_back.py "$data" packages/server/safety-eval
python3 training/ner/reduce_vectors.py "$2" "$data" "$work/vectors.npz"
# Four teachers, three of them twice as wide as the run time allows; the model that is shipped learns from their mean.
train first --seed 14
train second --seed 15 --hidden 256
train third --seed 16 --hidden 256 --dropout 0.45
train fourth --seed 17 --hidden 256
train out --seed 18 --epochs 6 --dropout 0.2 --word-dropout 0.12 \
  --teachers "$work/first/tagger.pt" "$work/second/tagger.pt" "$work/third/tagger.pt" "$work/fourth/tagger.pt"
python3 training/ner/own.py "$data" "$work/vectors.npz" packages/server/safety-eval/sentences "$work/out/tagger.pt"
python3 training/ner/export.py "$data" "$work/vectors.npz" "$work/out/tagger.pt" packages/server/assets/tagger.bin "$neural/scores.json"
python3 training/ner/vectors.py "$neural/vectors.json"
cp "$work/out/figures.json" training/ner/figures.json
