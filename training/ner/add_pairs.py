"""Writes the lists of known pairs of an asset again, without training: python3 add_pairs.py DATA ASSET. The weights stay as they are."""

import json
import struct
import sys
from pathlib import Path

import numpy as np

from export import write_asset
from names import pair_sections


def main(data, asset):
    raw = Path(asset).read_bytes()
    length = struct.unpack("<I", raw[36:40])[0]
    header = json.loads(raw[40 : 40 + length])
    cut = lambda at, count: np.frombuffer(raw[40 + length + at : 40 + length + at + count], np.uint8)
    sections = {name: cut(*place) for name, place in header.pop("sections").items()}
    sections |= {name: np.frombuffer(bits, np.uint8) for name, bits in pair_sections(data).items()}
    header.pop("version")
    write_asset(asset, header, sections)


if __name__ == "__main__":
    main(*sys.argv[1:])
