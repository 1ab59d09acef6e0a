"""Writes vectors.json, what both tokenizers and both sets of keys must give: python3 vectors.py OUT.json"""

import json
import sys
from pathlib import Path

from text import TOKEN, fold, gram_rows, lower, shape, units, word_row

TEXTS = [
    "Hi, I'm José O’Brien-Smith from the U.S. and JOHN'S cat; e.g.word it's Anna's.",
    "Name:\tMaria\r\n\r\n  City: São Paulo\n",
    "x_y 12a É. नमस्ते दुनिया 😀! 张伟 住在 北京。 محمد Ünal\u00a0Ağaoğlu",
    "Jose\u0301 e\u0301. A.B.C. a.b.cd U.S.A's don't DON'T rock'n'roll 'tis ’s 's S's",
    "½ cup x² Ⅷ ٣٤٥ 3rd #tag @user_name a@b.co http://t.co/x?y=1 $5.00 100%",
    "\n\n\n a\n \u2028b\u3000c\ufeffd \U0001d400\U0001d401 \U0001f468\u200d\U0001f469 \u0301x",
    "a.b.c.d.e.f.g.h. a.b.c.d.e.f.g.h.i.j. a.b.c.d.e.f.g.h.i.jk U.S.A.",
    "O'Neill's o''x ''' -- … “quoted” (Mr.) Łódź Ørsted ıİ ß Straße ſ ﬁ",
]
WORDS = ["Anna", "MÜLLER", "o’brien", "McDonald", "iPhone", "12a", "2004", "U.S.", "'s", "x", "\n", ".", "😀", "Łukasz", "José", "张伟", "İstanbul", "ab", "internationalization", "Straße", "É.", "don't", "ΑΣ", "½"]


def main(out):
    texts = [{"text": text, "tokens": [[len(units(text[: m.start()])), len(units(text[: m.end()]))] for m in TOKEN.finditer(text)]} for text in TEXTS]
    words = []
    for word in WORDS:
        low = lower(word)
        words.append({"word": word, "low": low, "fold": fold(low), "row": word_row(low), "grams": gram_rows(low), "shape": shape(word)})
    Path(out).write_text(json.dumps({"texts": texts, "words": words}, ensure_ascii=True, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
