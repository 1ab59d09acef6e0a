"""An asset of the weights of several models and of another asset: python3 blend.py ASSET OUT.bin SHARE BIAS MODEL.npz...

SHARE is how much of the mean of the models is taken, the rest is the asset's; BIAS is that of PERSON. Lists and vectors stay the asset's."""

import sys

import numpy as np

from export import whole, write_asset
from model import allowed
from read_asset import read_sections, read_weights
from text import GRAM_ROWS


def blended(sections, share, paths):
    """The weights by the names of PyTorch."""
    weights = read_weights(sections)
    models = [np.load(path) for path in paths]
    for name, value in weights.items():
        mean = np.mean([model[name].astype(np.float32) for model in models], 0)
        weights[name] = (1 - share) * value + share * mean
    return weights


def main(asset, out, share, bias, *paths):
    header, sections = read_sections(asset)
    state = blended(sections, float(share), paths)
    written = {}

    def matrix(name, value):
        written[f"{name}.rows"], written[f"{name}.scales"] = whole(value)

    matrix("word", state["word.weight"])
    matrix("gram", state["gram.weight"][:GRAM_ROWS])
    matrix("token", state["token.weight"])
    matrix("out", state["out.weight"])
    for side, tail in (("forward", ""), ("backward", "_reverse")):
        matrix(f"{side}.in", state[f"lstm.weight_ih_l0{tail}"])
        matrix(f"{side}.own", state[f"lstm.weight_hh_l0{tail}"])
        written[f"{side}.bias"] = state[f"lstm.bias_ih_l0{tail}"] + state[f"lstm.bias_hh_l0{tail}"]
    written |= {"token.bias": state["token.bias"], "token.gain": state["token_norm.weight"], "token.shift": state["token_norm.bias"]}
    written |= {"out.gain": state["out_norm.weight"], "out.shift": state["out_norm.bias"], "out.bias": state["out.bias"]}
    written["steps"] = state["steps"] + allowed().numpy()
    for name, value in written.items():
        sections[name] = value if value.dtype == np.int8 else value.astype(np.float32)
    sections = {name: np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value for name, value in sections.items()}
    header = {key: value for key, value in header.items() if key not in ("version", "sections")}
    header["biases"] = {**header["biases"], "PERSON": float(bias)}
    write_asset(out, header, sections)


if __name__ == "__main__":
    main(*sys.argv[1:])
