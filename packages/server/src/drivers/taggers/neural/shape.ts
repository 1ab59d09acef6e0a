const isUpper = (c: string) => c.toUpperCase() === c && c !== c.toLowerCase();
const isLower = (c: string) => c.toLowerCase() === c && c !== c.toUpperCase();

/** The visual shape of a word as sixteen bits, in the order of training/ner/text.py. */
export function shapeOf(word: string): number {
  let [upper, lower, digits, n, dots, quotes, beyond] = [0, 0, 0, 0, 0, 0, 0];
  const first = String.fromCodePoint(word.codePointAt(0) as number);
  for (const c of word) {
    n++;
    if (c >= 'a' && c <= 'z') lower++;
    else if (c >= 'A' && c <= 'Z') upper++;
    else if (c >= '0' && c <= '9') digits++;
    else if (c === '.') dots++;
    else if (c === "'") quotes++;
    else if (c > '\x7f') {
      beyond++;
      if (c === '’') quotes++;
      if (isUpper(c)) upper++;
      else if (isLower(c)) lower++;
    }
  }
  const capital = isUpper(first);
  const bits = [
    capital && upper === 1 && lower > 0,
    upper > 1 && lower === 0,
    lower > 0 && upper === 0,
    capital && upper > 1 && lower > 0,
    !capital && upper > 0 && lower > 0,
    upper === 1 && n === 1,
    digits === n,
    digits > 0 && digits < n,
    n === 2,
    n >= 3 && n <= 4,
    n >= 9,
    dots > 0 && n > 1,
    quotes > 0,
    !(upper || lower || digits) && n === 1,
    first === '\n',
    beyond > 0,
  ];
  return bits.reduce((all, bit, at) => (bit ? all | (1 << at) : all), 0);
}
