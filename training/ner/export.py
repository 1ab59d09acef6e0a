"""The asset: python3 export.py DATA VECTORS.npz CHECKPOINT OUT.bin SCORES.json

"ATAG", SHA-256 of all that follows, length of the header, the header (JSON), sections that start at multiples of 16. Matrices are
int8 with a scale for each row; the word vectors' scales are half floats, all others floats; little endian."""

import hashlib
import json
import random
import struct
import sys
from pathlib import Path

import numpy as np
import torch

from data import TAGS, contract, read
from evaluate import emissions, vocabulary
from features import BITS, Features
from model import GRAM, IN, TOKEN, VECTOR, WORD, Tagger, allowed
from names import LISTS, make_lists, pair_sections
from text import GRAM_ROWS, SHAPES, WORD_ROWS, Bloom

VERSION = 2
CREDIT = (
    "Trained on: Groningen Meaning Bank (ODbL 1.0), Universal NER EWT and PUD (CC BY-SA 4.0, 3.0), WNUT 2017 (CC BY 4.0), Broad Twitter "
    "Corpus (CC BY 4.0), Wikigold (CC BY 4.0), SEC-filings NER (CC BY 3.0), CrossNER (MIT; Wikipedia, CC BY-SA), GUM (CC BY 4.0), LitBank "
    "(CC BY 4.0); GloVe word vectors (PDDL 1.0); name lists from Faker (MIT), GeoNames (CC BY 4.0), world-countries (ODbL 1.0), US census; names of things from simple-icons (CC0 1.0), linguist (MIT), name-suggestion-index (BSD 3-Clause)."
)


def whole(matrix):
    """int8 rows and their scales."""
    matrix = np.asarray(matrix, np.float32)
    scale = np.maximum(np.abs(matrix).max(1) / 127, 1e-8).astype(np.float32)
    return np.clip(np.rint(matrix / scale[:, None]), -127, 127).astype(np.int8), scale


SAMPLES = [
    "Dear Ms . Okonkwo , your parcel is at 12 Main Street , Springfield .",
    "lol tell josé i'm in łódź",
    "The French minister met Angela Merkel in BERLIN on Monday",
    "Name : Nguyễn Thị Minh \n City : Huế",
]


def samples(saved, vectors, blooms, out):
    """What the model says of a few sentences, for the run time to be held to."""
    sentences = [(["\n" if word == "" else word for word in line.replace(" \n ", "  ").split(" ")], [], "") for line in SAMPLES]
    features = Features(vocabulary(sentences), blooms, vectors["keys"], 1)
    model = Tagger(features, vectors, saved["layers"], saved["hidden"])
    model.load_state_dict(saved["state"])
    scores = emissions(model, features, sentences, 0, "cpu")
    told = [{"words": words, "scores": [[round(x, 4) for x in row] for row in rows.tolist()]} for (words, _, _), rows in zip(sentences, scores)]
    Path(out).write_text(json.dumps(told) + "\n")


def main(data, vectors_path, checkpoint, out, scores_out):
    saved = torch.load(checkpoint, weights_only=False, map_location="cpu")
    if saved["layers"] != 1:
        raise SystemExit("The run time reads one layer.")
    state = {name: value.numpy() for name, value in saved["state"].items()}
    loaded = np.load(vectors_path)
    vectors = {key: loaded[key] for key in loaded.files}
    rng = random.Random(14)
    blooms = make_lists(data, [contract(s, rng) for s in read(Path(data) / "train.conll")])
    sections = {"vector.keys": vectors["keys"], "vector.scales": vectors["scales"], "vector.rows": vectors["rows"]}

    def matrix(name, value):
        sections[f"{name}.rows"], sections[f"{name}.scales"] = whole(value)

    matrix("word", state["word.weight"])
    matrix("gram", state["gram.weight"][:GRAM_ROWS])
    matrix("token", state["token.weight"])
    sections["token.bias"] = state["token.bias"]
    sections["token.gain"], sections["token.shift"] = state["token_norm.weight"], state["token_norm.bias"]
    for side, tail in (("forward", ""), ("backward", "_reverse")):
        matrix(f"{side}.in", state[f"lstm.weight_ih_l0{tail}"])
        matrix(f"{side}.own", state[f"lstm.weight_hh_l0{tail}"])
        sections[f"{side}.bias"] = state[f"lstm.bias_ih_l0{tail}"] + state[f"lstm.bias_hh_l0{tail}"]
    sections["out.gain"], sections["out.shift"] = state["out_norm.weight"], state["out_norm.bias"]
    matrix("out", state["out.weight"])
    sections["out.bias"] = state["out.bias"]
    sections["steps"] = (state["steps"] + allowed().numpy()).astype(np.float32)
    for name in LISTS:
        sections[f"list.{name}"] = np.frombuffer(bytes(blooms[name].bits), np.uint8)

    samples(saved, vectors, blooms, scores_out)
    sections |= {name: np.frombuffer(bits, np.uint8) for name, bits in pair_sections(data).items()}
    header = {
        "tags": TAGS,
        "lists": LISTS,
        "probes": Bloom.PROBES,
        "sizes": {"vector": VECTOR, "word": WORD, "gram": GRAM, "shapes": SHAPES, "bits": BITS, "in": IN, "token": TOKEN, "hidden": saved["hidden"], "word_rows": WORD_ROWS, "gram_rows": GRAM_ROWS},
        "biases": saved["biases"],
        "credit": CREDIT,
    }
    write_asset(out, header, sections)


def write_asset(out, header, sections):
    places, body = {}, b""
    for name, value in sections.items():
        body += b"\0" * (-len(body) % 16)
        raw = np.ascontiguousarray(value).tobytes()
        places[name] = [len(body), len(raw)]
        body += raw
    header = {"version": VERSION, **header, "sections": places}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(40 + len(text)) % 16)  # so that the sections start at a multiple of 16
    rest = struct.pack("<I", len(text)) + text + body
    Path(out).write_bytes(b"ATAG" + hashlib.sha256(rest).digest() + rest)
    print(f"{out}: {Path(out).stat().st_size:,} bytes, SHA-256 of the body {hashlib.sha256(rest).hexdigest()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
