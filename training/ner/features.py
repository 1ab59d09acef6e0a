"""Words as numbers. What depends on letters alone (vector, hashes, lists) is kept once for each lower-cased word; the shape
is kept for each word as it is and in its three other casings."""

from multiprocessing import Pool

import numpy as np

from names import LISTS
from text import GRAM_ROWS, LONGEST, SEED_VECTOR, fnv, fold, gram_rows, lower, shape, units, word_row

MOST_GRAMS = 2 * LONGEST - 1
BITS = len(LISTS) + 1  # the lists, and whether there is a vector
_shared = {}


def vector_row(keys, low):
    """The row of a word's vector, by its hash; accents are tried without. -1 when there is none."""
    for form in dict.fromkeys((low, fold(low))):
        key = fnv(units(form), SEED_VECTOR)
        at = int(np.searchsorted(keys, key))
        if at < len(keys) and keys[at] == key:
            return at
    return -1


def _low(low):
    blooms, keys = _shared["blooms"], _shared["keys"]
    grams = gram_rows(low)
    plain = fold(low)
    bits = [blooms[name].has(plain) for name in LISTS]
    row = vector_row(keys, low)
    hidden = [fnv(units(plain), seed) % 3 == 0 for seed in (9, 10)]
    return row, word_row(low), grams + [GRAM_ROWS] * (MOST_GRAMS - len(grams)), len(grams), [*bits, row >= 0], hidden


def _shapes(word):
    return [shape(word), shape(word.lower()), shape(word.upper()), shape(word.title() if word.isalpha() else word)]


class Features:
    def __init__(self, words, blooms, keys, processes):
        self.words = {word: i for i, word in enumerate(sorted(words))}
        lows = {}
        self.low = np.array([lows.setdefault(lower(word), len(lows)) for word in self.words], np.int32)
        _shared.update(blooms=blooms, keys=keys)
        with Pool(processes) as pool:
            rows = pool.map(_low, list(lows), 2000)
            self.shapes = np.array(pool.map(_shapes, list(self.words), 5000), np.int32)
        self.vector = np.array([row[0] for row in rows], np.int32)
        self.word = np.array([row[1] for row in rows], np.int32)
        self.grams = np.array([row[2] for row in rows], np.int32)
        self.root = np.sqrt(np.array([max(1, row[3]) for row in rows], np.float32))
        self.bits = np.array([row[4] for row in rows], np.float32)
        # A third of the names and a third of the things stay off the lists while training, so that the model learns to do without them.
        hidden = np.array([row[5] for row in rows])
        self.training_bits = self.bits.copy()
        for of, some in enumerate((("first", "last", "city", "city_part", "given"), ("thing", "thing_part", "both"))):
            self.training_bits[np.ix_(hidden[:, of], [LISTS.index(name) for name in some])] = 0
