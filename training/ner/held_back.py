"""Fails when a held-back sentence is among what is trained or calibrated on: python3 held_back.py DATA SAFETY_EVAL

A template counts as a held-back sentence when it fits it and its own words are half of the sentence or more."""

import json
import re
import sys
from pathlib import Path

import things
from data import read
from extra import ABROAD, ORDINARY, PEOPLE_ABROAD
from templates import TEMPLATES
from text import TOKEN

GROUPS = ("things", "people", "sentences", "things-second", "people-second", "things-third", "people-third", "things-fourth", "people-fourth", "things-fifth", "people-fifth")
SLOT = re.compile(r"\{\w+\}")
MARK = re.compile(r"\{([PLN])\|([^}]*)\}")


def words(text):
    return [token.lower() for token in TOKEN.findall(text) if token[0].isalnum()]


def plain(line):
    return " ".join(words(MARK.sub(lambda mark: mark[2], line.replace("\\n", "\n"))))


def pattern(template):
    parts = [" ".join(map(re.escape, words(part))) for part in SLOT.split(template)]
    return re.compile(" ?" + "(?: ?.+ ?)".join(parts) + " ?"), len(words(SLOT.sub(" ", template)))


def held_sentences(folder):
    return {plain(line) for group in GROUPS for path in Path(folder, group).glob("*.txt") for line in path.read_text().splitlines()}


def main(data, folder):
    held = held_sentences(folder)
    own = Path(__file__).parent / "calibration"
    seen = {plain(" ".join(tokens)) for tokens, _, _ in read(Path(data) / "train.conll")}
    prose = Path(data) / "prose.jsonl"
    seen |= {plain(json.loads(line)[1]) for line in prose.read_text().splitlines()} if prose.exists() else set()
    calibration = {plain(line) for path in own.glob("*.txt") for line in path.read_text().splitlines()}
    wrong = sorted(line for line in held & (seen | calibration) | calibration & seen if len(line.split()) > 2)
    for template in [*TEMPLATES, *ABROAD, *ORDINARY, *PEOPLE_ABROAD, *(line for group in things.PHRASES.values() for line in group)]:
        fits, count = pattern(template)
        wrong += [f"{template!r} = {line!r}" for line in held | calibration if len(line.split()) > 2 and count > 1 and count * 2 >= len(line.split()) and fits.fullmatch(line)]
    if wrong:
        raise SystemExit("Held-back sentences are in the training:\n" + "\n".join(wrong))
    print(f"{len(held)} held-back sentences, none of them in the training")


if __name__ == "__main__":
    main(*sys.argv[1:])
