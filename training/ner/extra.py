"""Sentences to go on training with, in which some words cannot be a person: prose, other languages, things that are called after people,
sentences that begin with a word which was written small. Tags that are not known are asked of the asset (`go_on.py`)."""

import json
import random
import re
from pathlib import Path

from data import spans
from names import MORE_LAST
from text import TOKEN, fold, lower
from things import FAMILY, GIVEN, LISTS, lines

ABROAD, PEOPLE_ABROAD, ORDINARY = (lines(f"phrases/{name}.txt") for name in ("abroad", "people-abroad", "ordinary"))
FIRM_ENDS = """Ltd|Ltd|GmbH|Inc|LLC|AG|PLC|& Co|& Sons|& Partners|Group|Holdings|Logistics|Freight|Media|Energy|Properties|Bank|Capital|Partners|Industries|
Foods|Insurance|Electric|Controls|Motors|Systems|Consulting|Brothers|Publishing|Pharma|Engineering|Solutions|Investments|Labs|Steel|Shipping|Financial|
Associates|Legal|Technologies|Construction|Bakery|Hotels|Airlines|Foundation|Institute|University|Hospital""".replace("\n", "").split("|")
ANY = None


def name_words():
    """Words that are names too."""
    return {fold(lower(name)) for name in LISTS["word-names"] + LISTS["namesakes"] + GIVEN + FAMILY + MORE_LAST}


def filled(rng, synth, template, plain):
    """A template about things: names that people have stand for no person here."""
    pools = (LISTS["word-names"], LISTS["namesakes"], FAMILY, GIVEN)
    template = re.sub(r"\{nameword\}", lambda _: rng.choice(rng.choices(pools, [5, 2, 3, 2])[0]), template)
    template = re.sub(r"\{plain\}", lambda _: rng.choice(plain), template)
    return synth.sentence(rng, template)[0]


def pool(path, synth, plain, seed, few=0):
    """[(tokens, known tags)]; a known tag is a tag, "no" (no person) or ANY."""
    rng, out = random.Random(seed), []
    for line in Path(path).read_text().splitlines():
        kind, text = json.loads(line)
        tokens = TOKEN.findall(text)
        out.append((tokens, ["no"] + [ANY if kind == "start" else "no"] * (len(tokens) - 1)))
    if few:
        out = rng.sample(out, few)
    for templates, count in ((ABROAD, 8_000), (ORDINARY, 10_000)):
        for _ in range(min(count, few or count)):
            tokens = filled(rng, synth, rng.choice(templates), plain)
            out.append((tokens, ["no"] * len(tokens)))
    for _ in range(min(9_000, few or 9_000)):
        tokens, tags, _ = synth.sentence(rng, rng.choice(PEOPLE_ABROAD))
        out.append((tokens, [tag if tag.endswith("PERSON") else "no" for tag in tags]))
    return [sentence for sentence in out if 0 < len(sentence[0]) <= 100]


def invented_people(count):
    """Names that nobody bears, of letters as names have them; always the same."""
    rng, out = random.Random(8), set()
    onsets = "b br c d dr f fr g gr h j k kr l m n p qu r s sh st t th tr v w y z nd mb".split()
    ends = "a e i o u an en in on ar er ir or el al il is us as ek ik ov ev ski sen son ley ton wick berg stad wen ra la na dra tha ya ko ku ne".split()
    while len(out) < count:
        name = "".join(rng.choice(onsets) + rng.choice(("a", "e", "i", "o", "u", "ae", "ei", "ou")) + rng.choice(("", "", "", "l", "n", "r", "s")) for _ in range(rng.choice((1, 1, 2))))
        out.add((name + rng.choice(onsets) + rng.choice(ends)).capitalize())
    return sorted(out)


INVENTED = invented_people(6000)


class Cutter:
    """Real sentences, changed: begun at a small word that is a name too, with a firm that is called after a family, or with people whose
    names are on no list or are words."""

    def __init__(self, sentences):
        words = name_words()
        self.sentences = sentences
        self.starts, self.firms, self.people = [], [], []
        for at, (tokens, tags, source) in enumerate(sentences):
            if source in ("synthetic", "made"):
                continue
            for i, (token, tag) in enumerate(zip(tokens, tags)):
                if tag == "O" and token.isalpha() and token.islower() and i + 2 < len(tokens) and tags[i + 1][0] != "I" and fold(token) in words:
                    self.starts.append((at, i))
            if any(tag == "B-ORG" for tag in tags):
                self.firms.append(at)
            if any(tag == "B-PERSON" and token[0].isupper() for token, tag in zip(tokens, tags)):
                self.people.append(at)
        self.by_word = {}
        for at, i in self.starts:
            self.by_word.setdefault(sentences[at][0][i], []).append((at, i))
        # What is written small only now and then is mostly a name in a careless text.
        self.keys = sorted(word for word, places in self.by_word.items() if len(places) >= 10)
        self.starts = [place for word in self.keys for place in self.by_word[word]]

    def start(self, rng):
        at, i = rng.choice(self.by_word[rng.choice(self.keys)] if rng.random() < 0.6 else self.starts)
        tokens, tags, _ = self.sentences[at]
        return [tokens[i].capitalize(), *tokens[i + 1 :]], list(tags[i:])

    def firm(self, rng):
        return self.swapped(rng, self.firms, "ORG", lambda _: self.name(rng))

    def person(self, rng):
        return self.swapped(rng, self.people, "PERSON", lambda old: self.rare(rng, old))

    def swapped(self, rng, among, kind, name):
        """Another name in the place of most names of a kind in a real sentence."""
        tokens, tags, _ = self.sentences[rng.choice(among)]
        out_tokens, out_tags, at = [], [], 0
        for found, start, end in spans(tags):
            if found == kind and tokens[start][0].isupper() and rng.random() < 0.8:
                put = TOKEN.findall(name(tokens[start:end]))
                out_tokens += tokens[at:start] + put
                out_tags += list(tags[at:start]) + [f"B-{kind}"] + [f"I-{kind}"] * (len(put) - 1)
                at = end
        return out_tokens + list(tokens[at:]), out_tags + list(tags[at:])

    def rare(self, rng, old):
        roll = rng.random()
        first = rng.choice(INVENTED if roll < 0.4 else LISTS["word-names"] if roll < 0.65 else LISTS["namesakes"] if roll < 0.8 else FAMILY if len(old) == 1 else GIVEN)
        return first if len(old) == 1 else f"{first} {rng.choice(INVENTED if rng.random() < 0.6 else FAMILY)}"

    def name(self, rng):
        last = rng.choice(FAMILY if rng.random() < 0.7 else MORE_LAST)
        roll = rng.random()
        if roll < 0.75:
            return f"{last} {rng.choice(FIRM_ENDS)}"
        return f"{last} & {rng.choice(FAMILY)}" if roll < 0.9 else f"{rng.choice(GIVEN)} {last} {rng.choice(FIRM_ENDS)}"
