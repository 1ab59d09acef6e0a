"""Makes ready what `go_on.py` needs, without a GPU: python3 prepare.py DATA ASSET OUT.pkl.gz. DATA has `prose.jsonl` (`prose.py`).

Tags of the extra sentences that are not known are those that the asset gives."""

import gzip
import itertools
import pickle
import random
import sys
from pathlib import Path

import numpy as np
import torch

from data import TAGS, contract, read
from evaluate import emissions
from extra import FIRM_ENDS, INVENTED, name_words, pool
from features import Features
from model import Tagger
from names import common_words, load_names
from own import load
from read_asset import read_lists, read_sections, read_vectors, read_weights
from synth import Synth
from text import TOKEN
from train import all_words

PERSON = [TAGS.index("B-PERSON"), TAGS.index("I-PERSON")]


def labelled(model, features, extra):
    """Viterbi over the asset's scores, with what is known held fixed."""
    scores = emissions(model, features, [(tokens, [], "") for tokens, _ in extra], 0, "cpu")
    order = sorted(range(len(extra)), key=lambda i: len(extra[i][0]))
    out = [None] * len(extra)
    for at in range(0, len(order), 512):
        part = order[at : at + 512]
        for i in part:
            for row, tag in enumerate(extra[i][1]):
                if tag == "no":
                    scores[i][row, PERSON] = -1e4
                elif tag:
                    scores[i][row, TAGS.index(tag)] += 1e4
        padded = torch.nn.utils.rnn.pad_sequence([scores[i] for i in part], batch_first=True)
        for i, tags in zip(part, model.decode(padded, [len(scores[i]) for i in part], torch.zeros(len(TAGS)))):
            out[i] = extra[i][0], [TAGS[tag] for tag in tags]
    return out


def read_training(data):
    """(sentences, names, synth, common words), the same each time."""
    rng = random.Random(14)
    sentences = [contract(s, rng) for s in read(Path(data) / "train.conll")]
    names = load_names(data)
    common = sorted(word for word in common_words(sentences, 10) if word.isalpha())
    return sentences, names, Synth(names, [word for word in common if len(word) > 3], None, 0.3), common


def main(data, asset, out):
    sentences, names, synth, common = read_training(data)
    extra = pool(Path(data) / "prose.jsonl", synth, common, 7)
    header, sections = read_sections(asset)
    vectors = read_vectors(sections)
    spoken = [(tokens, [], "") for tokens, _ in extra] + load(Path(__file__).parent / "calibration")
    words = all_words(sentences + spoken, names, synth, random.Random(14))
    words |= {word.capitalize() for word in name_words()} | set(INVENTED) | set(itertools.chain(*(TOKEN.findall(end) for end in FIRM_ENDS)))
    features = Features(words, read_lists(header, sections), vectors["keys"], 2)
    model = Tagger(features, vectors, 1, header["sizes"]["hidden"])
    model.load_state_dict({name: torch.from_numpy(value) for name, value in read_weights(sections).items()})
    features.grams = features.grams.astype(np.uint16)
    with gzip.open(out, "wb", compresslevel=3) as file:
        pickle.dump({"features": features, "extra": labelled(model, features, extra)}, file, protocol=5)
    print(f"{len(features.words)} words, {len(extra)} extra sentences")


if __name__ == "__main__":
    main(*sys.argv[1:])
