"""Measures a checkpoint on the sentences of packages/server/safety-eval/sentences: python3 own.py DATA VECTORS.npz SENTENCES CHECKPOINT…"""

import re
import sys
from pathlib import Path

import numpy as np
import torch

from data import TAGS, contract, read
from evaluate import decoded, emissions, report, table, vocabulary
from features import Features
from model import Tagger
from names import make_lists
from text import TOKEN

KIND = {"P": "PERSON", "L": "LOCATION", "N": "NRP"}
MARK = re.compile(r"\{([PLN])\|([^}]*)\}")


def parse(line, source):
    """{P|Ada} in a line marks a name; \\n is a line break."""
    line = line.replace("\\n", "\n")
    text, marks, at = "", [], 0
    for mark in MARK.finditer(line):
        text += line[at : mark.start()]
        marks.append((KIND[mark[1]], len(text), len(text) + len(mark[2])))
        text += mark[2]
        at = mark.end()
    text += line[at:]
    tokens, tags = [], []
    for match in TOKEN.finditer(text):
        tokens.append("\n" if match[0][0] == "\n" else match[0])
        tags.append(next((("B-" if a == match.start() else "I-") + k for k, a, b in marks if a <= match.start() < b), "O"))
    return tokens, tags, source


def load(folder):
    return [parse(line, path.stem) for path in sorted(Path(folder).glob("*.txt")) for line in path.read_text().splitlines()]


def bias_of(biases):
    bias = torch.zeros(len(TAGS))
    for kind, amount in biases.items():
        for edge in "BI":
            bias[TAGS.index(f"{edge}-{kind}")] = amount
    return bias


def main(data, vectors, folder, *checkpoints):
    import random

    loaded = np.load(vectors)
    vectors = {key: loaded[key] for key in loaded.files}
    sentences = load(folder)
    rng = random.Random(14)
    train = [contract(s, rng) for s in read(Path(data) / "train.conll")]
    features = Features(vocabulary(sentences), make_lists(data, train), vectors["keys"], 2)
    for path in checkpoints:
        saved = torch.load(path, weights_only=False)
        model = Tagger(features, vectors, saved["layers"], saved["hidden"])
        model.load_state_dict(saved["state"])
        scores = emissions(model, features, sentences, 0, "cpu")
        found = decoded(model, scores, bias_of(saved["biases"]))
        print(f"\n{path} {saved['biases']}\n{table(report(sentences, found))}")
        if len(checkpoints) == 1:
            for (tokens, tags, source), spans in zip(sentences, found):
                from data import spans as spans_of

                gold = set(spans_of(tags))
                wrong = [s for s in spans if s not in gold and s[0] != "ORG"]
                missed = [s for s in gold if s not in spans]
                if wrong or missed:
                    show = lambda some: "; ".join(f"{k[0]} {' '.join(tokens[a:b])!r}" for k, a, b in some)
                    print(f"{source}: {' '.join(tokens)!r}\n      missed {show(missed)} | wrong {show(wrong)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
