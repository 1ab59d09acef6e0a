"""How a text becomes words, and a word becomes keys. `packages/server/src/drivers/taggers/neural/{tokenizer,keys}.ts` do the
same in TypeScript; `vectors.json`, made by `vectors.py`, holds both to it."""

import re
import sys
import unicodedata


def _ranges(wanted):
    """A regular-expression class of every code point whose general category is wanted."""
    out, start, before = [], None, None
    for code in range(sys.maxunicode + 1):
        inside = unicodedata.category(chr(code)) in wanted
        if inside and start is None:
            start = code
        if not inside and start is not None:
            out.append(f"\\U{start:08x}-\\U{before:08x}")
            start = None
        before = code
    return "".join(out)


_LETTER = _ranges({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nl", "No"})
_DIGIT = _ranges({"Nd"})
_WORD = _LETTER + _DIGIT
_SPACE = "\\t\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_POSSESSIVE = f"[’'][sS](?![{_WORD}_])"

# The data's own tokenizer, with four changes: abbreviations have eight letters at most (so that the time is linear), combining marks belong to words, 'S is a possessive too, and line
# breaks (with the space around them) are one token, because forms and signatures live by them.
TOKEN = re.compile(
    f"\\n[\\n{_SPACE}]*"
    f"|(?:[{_LETTER}]\\.){{1,8}}(?![{_LETTER}])"
    f"|{_POSSESSIVE}"
    f"|[{_WORD}]+(?:(?!{_POSSESSIVE})[’'][{_LETTER}]+)*"
    f"|[^{_SPACE}]"
)


def tokenize(text):
    """(start, end) of each token, in code points."""
    return [match.span() for match in TOKEN.finditer(text)]


MASK = 0xFFFFFFFF


def units(text):
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def fnv(codes, seed):
    """FNV-1a over UTF-16 units, then murmur's finisher, so that the low bits are good too."""
    h = 2166136261 ^ seed
    for code in codes:
        h = ((h ^ code) * 16777619) & MASK
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & MASK
    return h ^ (h >> 16)


SEED_WORD, SEED_GRAM, SEED_VECTOR, SEED_BLOOM, SEED_BLOOM_STEP = 1, 2, 3, 4, 5
WORD_ROWS, GRAM_ROWS, LONGEST = 16384, 32768, 16

_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_MARKS = re.compile("[\u0300-\u036f]")


def lower(word):
    return unicodedata.normalize("NFC", word).replace("’", "'").lower()


def fold(low):
    """Without accents: how word vectors and lists are looked up, so that Jose finds José."""
    return low if low.isascii() else _MARKS.sub("", unicodedata.normalize("NFD", low)).translate(_PLAIN)


def spelling(low):
    return re.sub("[0-9]", "0", low)


def word_row(low):
    return fnv(units(spelling(low)), SEED_WORD) % WORD_ROWS


def gram_rows(low):
    """Hashed runs of 3 and of 4 units of ^word$; of long words the first 16 units."""
    codes = [94, *units(spelling(low))[:LONGEST], 36]
    rows = [fnv(codes[i : i + 3], SEED_GRAM) % GRAM_ROWS for i in range(len(codes) - 2)]
    return rows + [fnv(codes[i : i + 4], SEED_GRAM) % GRAM_ROWS for i in range(len(codes) - 3)]


SHAPES = 16


def shape(word):
    """What the eye sees before it reads: sixteen bits."""
    upper = sum(1 for c in word if c.upper() == c != c.lower())
    lowers = sum(1 for c in word if c.lower() == c != c.upper())
    digits = sum(1 for c in word if "0" <= c <= "9")
    n = len(word)
    first = word[0]
    capital = first.upper() == first != first.lower()
    alnum = upper or lowers or digits
    bits = (
        capital and upper == 1 and lowers > 0,
        upper > 1 and lowers == 0,
        lowers > 0 and upper == 0,
        capital and upper > 1 and lowers > 0,
        not capital and upper > 0 and lowers > 0,
        upper == 1 and n == 1,
        digits == n,
        digits > 0 and digits < n,
        n == 2,
        3 <= n <= 4,
        n >= 9,
        "." in word and n > 1,
        "'" in word or "’" in word,
        not alnum and n == 1,
        first == "\n",
        any(ord(c) > 127 for c in word),
    )
    return sum(1 << i for i, bit in enumerate(bits) if bit)


class Bloom:
    """Fourteen bits an entry and ten probes: one in a thousand of other words seems to be in."""

    PROBES = 10

    def __init__(self, entries):
        self.count = max(64, (len(entries) * 14 + 31) // 32 * 32)
        self.bits = bytearray(self.count // 8)
        for entry in entries:
            for bit in self.places(entry):
                self.bits[bit >> 3] |= 1 << (bit & 7)

    def places(self, word):
        codes = units(word)
        at, step = fnv(codes, SEED_BLOOM), fnv(codes, SEED_BLOOM_STEP) | 1
        for i in range(self.PROBES):
            yield ((at + i * step) & MASK) % self.count

    def has(self, word):
        return all(self.bits[bit >> 3] >> (bit & 7) & 1 for bit in self.places(word))
