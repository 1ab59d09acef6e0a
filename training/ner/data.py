"""Reads the CoNLL files, and makes each epoch's sentences: mixed, joined, with names swapped and cases changed."""

import random
import re
from pathlib import Path

from names import MORE_FIRST, MORE_LAST
from text import TOKEN
from things import FAMILY, GIVEN, LISTED_BRANDS, LISTS

TAGS = ["O"] + [f"{edge}-{kind}" for kind in ("PERSON", "LOCATION", "NRP", "ORG") for edge in "BI"]
LONGEST_SENTENCE = 160
SHARE = {"gmb": 1, "synthetic": 1}  # the gold sets are taken twice
CLITIC = re.compile(r"(m|ve|re|ll|d)$", re.I)


def read(path):
    """[(tokens, tags, source)]; tokens cut again by our own tokenizer, which splits 'S off."""
    out, tokens, tags, source = [], [], [], ""

    def flush():
        if tokens:
            out.append((list(tokens), list(tags), source))
        tokens.clear()
        tags.clear()

    for line in Path(path).read_text().splitlines():
        if line.startswith("# source = ") and "\t" not in line:
            flush()
            source = line[11:]
        elif not line:
            flush()
        else:
            token, tag = line.split("\t")
            for i, piece in enumerate(TOKEN.findall(token)):
                tokens.append(piece)
                tags.append(tag if i == 0 or tag == "O" else "O" if piece in ("'S", "’S") else "I" + tag[1:])
    flush()
    return out


def contract(sentence, rng):
    """The sources cut I'm and don't apart; the run-time tokenizer does not. Three sentences of four are put right."""
    tokens, tags, source = sentence
    if rng.random() < 0.25:
        return sentence
    out_tokens, out_tags, i = [], [], 0
    while i < len(tokens):
        token = tokens[i]
        whole = out_tokens and out_tags[-1] == "O" and out_tokens[-1][-1:].isalpha()
        if whole and token.lower() == "n't" and tags[i] == "O":
            out_tokens[-1] += token
        elif whole and token in "'’" and i + 1 < len(tokens) and CLITIC.match(tokens[i + 1]) and tags[i + 1] == "O":
            out_tokens[-1] += token + tokens[i + 1]
            i += 1
        else:
            out_tokens.append(token)
            out_tags.append(tags[i])
        i += 1
    return out_tokens, out_tags, source


def spans(tags):
    """[(kind, start, end)] of BIO tags."""
    out, start, kind = [], 0, None
    for i, tag in enumerate([*tags, "O"]):
        if kind and tag != f"I-{kind}":
            out.append((kind, start, i))
            kind = None
        if tag[0] == "B" or (tag[0] == "I" and kind is None):
            start, kind = i, tag[2:]
    return out


class Swapper:
    """Other names in the place of those in a sentence: half of them seen elsewhere, half from the lists."""

    def __init__(self, names, sentences):
        self.first = names["first"], MORE_FIRST + GIVEN
        self.last = names["last"], MORE_LAST + FAMILY
        self.namesakes = LISTS["namesakes"] + LISTS["word-names"]
        self.firms = [firm for firm in LISTS["firms"] + LISTS["brands"] + LISTED_BRANDS if len(TOKEN.findall(firm)) == 1]
        self.cities, self.countries = names["cities"], names["countries"]
        self.seen = {"PERSON": {}, "LOCATION": {}}
        for tokens, tags, source in sentences:
            if source == "synthetic":
                continue
            for kind, start, end in spans(tags):
                if kind in self.seen and end - start <= 4:
                    self.seen[kind].setdefault(end - start, []).append(tokens[start:end])

    def name(self, rng, pair):
        return rng.choice(pair[1] if rng.random() < 0.4 else pair[0])

    def other(self, rng, kind, old):
        n = len(old)
        if rng.random() < 0.4 and n in self.seen[kind]:
            return rng.choice(self.seen[kind][n])
        if kind == "PERSON":
            if n == 2 and rng.random() < 0.2:
                return TOKEN.findall(self.name(rng, self.first))
            if n == 1 and rng.random() < 0.2:
                return TOKEN.findall(rng.choice(self.namesakes))
            if n == 1:
                return TOKEN.findall(self.name(rng, self.first if rng.random() < 0.5 else self.last))
            return TOKEN.findall(self.name(rng, self.first)) + old[1:-1] + TOKEN.findall(self.name(rng, self.last))
        if n > 2 or any(not token[0].isalpha() for token in old):
            return old
        near = self.cities[:3000] if rng.random() < 0.5 else self.cities
        return TOKEN.findall(rng.choice(self.countries if rng.random() < 0.2 else near))

    def swap(self, rng, sentence):
        tokens, tags, source = sentence
        out_tokens, out_tags, at = [], [], 0
        for kind, start, end in spans(tags):
            if kind == "ORG" and end == start + 1 and tokens[start][1:].islower() and rng.random() < 0.4:
                out_tokens += [*tokens[at:start], rng.choice(self.firms)]
                out_tags += [*tags[at:start], "B-ORG"]
                at = end
            elif kind in self.seen and all(t[0].isupper() or not t[0].isalpha() for t in tokens[start:end]) and rng.random() < 0.6:
                put = self.other(rng, kind, tokens[start:end])
                out_tokens += tokens[at:start] + put
                out_tags += tags[at:start] + [f"B-{kind}"] + [f"I-{kind}"] * (len(put) - 1)
                at = end
        return out_tokens + tokens[at:], out_tags + tags[at:], source


def epoch(sentences, swapper, synth, seed, fresh, things):
    """One epoch: [(tokens, tags, casing)]; casing 0 as it is, 1 lower, 2 UPPER, 3 Title."""
    rng = random.Random(seed)
    pool = []
    for at, sentence in enumerate(sentences):
        pool += [at] * SHARE.get(sentence[2], 2)
    picked = [sentences[at] for at in pool] + [synth.sentence(rng) for _ in range(fresh)] + [synth.thing(rng) for _ in range(things)]
    following = pool + [-1] * (fresh + things)
    order = list(range(len(picked)))
    rng.shuffle(order)
    out = []
    for at in order:
        tokens, tags, source = picked[at]
        if rng.random() < 0.35:
            tokens, tags, _ = swapper.swap(rng, (tokens, tags, source))
        if rng.random() < 0.25:
            tokens, tags = list(tokens), list(tags)
            for step in range(1, rng.randint(2, 4)):
                real = following[at]
                near = real >= 0 and real + step < len(sentences) and sentences[real + step][2] == source
                more = sentences[real + step] if near else picked[rng.randrange(len(picked))]
                if rng.random() < 0.4:
                    tokens.append("\n")
                    tags.append("O")
                tokens += more[0]
                tags += more[1]
        roll = rng.random()
        casing = 0 if roll < 0.8 else 1 if roll < 0.89 else 2 if roll < 0.96 else 3
        out.append((tokens[:LONGEST_SENTENCE], tags[:LONGEST_SENTENCE], casing))
    return out
