"""Reads an asset back into what it was written from: weights, word vectors, lists. Training can go on from it (`go_on.py`)."""

import json
import struct
from pathlib import Path

import numpy as np

from model import allowed
from text import GRAM_ROWS, Bloom


def read_sections(path):
    """The header, and the bytes of each section."""
    raw = Path(path).read_bytes()
    length = struct.unpack("<I", raw[36:40])[0]
    header = json.loads(raw[40 : 40 + length])
    cut = lambda at, count: raw[40 + length + at : 40 + length + at + count]
    return header, {name: cut(*place) for name, place in header["sections"].items()}


def read_vectors(sections):
    scales = np.frombuffer(sections["vector.scales"], np.float16)
    rows = np.frombuffer(sections["vector.rows"], np.int8).reshape(len(scales), -1)
    return {"keys": np.frombuffer(sections["vector.keys"], np.uint32), "scales": scales, "rows": rows}


def read_lists(header, sections):
    """The lists as the asset has them, whatever the files in `lists` say today."""
    out = {}
    for name in header["lists"]:
        out[name] = Bloom([])
        out[name].bits = bytearray(sections[f"list.{name}"])
        out[name].count = len(out[name].bits) * 8
    return out


def read_weights(sections):
    """The values of the model's parameters, by the names that PyTorch has for them."""
    floats = lambda name: np.frombuffer(sections[name], np.float32).copy()

    def matrix(name):
        scales = floats(f"{name}.scales")
        return np.frombuffer(sections[f"{name}.rows"], np.int8).reshape(len(scales), -1).astype(np.float32) * scales[:, None]

    gram = matrix("gram")
    state = {
        "word.weight": matrix("word"),
        "gram.weight": np.concatenate([gram, np.zeros((GRAM_ROWS + 1 - len(gram), gram.shape[1]), np.float32)]),
        "token.weight": matrix("token"),
        "token.bias": floats("token.bias"),
        "token_norm.weight": floats("token.gain"),
        "token_norm.bias": floats("token.shift"),
        "out_norm.weight": floats("out.gain"),
        "out_norm.bias": floats("out.shift"),
        "out.weight": matrix("out"),
        "out.bias": floats("out.bias"),
    }
    steps = floats("steps").reshape(-1, len(state["out.bias"]))
    state["steps"] = np.where(allowed().numpy() < 0, 0, steps).astype(np.float32)
    for side, tail in (("forward", ""), ("backward", "_reverse")):
        state[f"lstm.weight_ih_l0{tail}"] = matrix(f"{side}.in")
        state[f"lstm.weight_hh_l0{tail}"] = matrix(f"{side}.own")
        state[f"lstm.bias_ih_l0{tail}"] = floats(f"{side}.bias")
        state[f"lstm.bias_hh_l0{tail}"] = np.zeros_like(state[f"lstm.bias_ih_l0{tail}"])
    return state
