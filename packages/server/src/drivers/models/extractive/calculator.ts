const operators: Record<string, [rank: number, apply: (a: number, b: number) => number]> = {
  '+': [1, (a, b) => a + b],
  '-': [1, (a, b) => a - b],
  '*': [2, (a, b) => a * b],
  '/': [2, (a, b) => a / b],
  '^': [4, (a, b) => a ** b],
};

/** Reads by rank: a sum of products of powers. Returns undefined for what is no sum. */
function evaluate(tokens: string[]): number | undefined {
  let at = 0;
  const atom = (): number => {
    const token = tokens[at++];
    if (token === '-') return -level(3);
    if (token === '+') return level(3);
    if (token !== '(') return token === undefined ? Number.NaN : Number(token);
    const inner = level(1);
    return tokens[at++] === ')' ? inner : Number.NaN;
  };
  const level = (lowest: number): number => {
    let left = atom();
    for (
      let operator = operators[tokens[at] ?? ''];
      operator && operator[0] >= lowest;
      operator = operators[tokens[at] ?? '']
    ) {
      at++;
      // Powers go from right to left, the others from left to right.
      left = operator[1](left, level(operator[0] === 4 ? 4 : operator[0] + 1));
    }
    return left;
  };
  const value = level(1);
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}

const asked =
  /^(?:what(?:'s|’s| is)|how much is|calculate|compute|was ist|wie ?viel ist|combien font|cu[aá]nto es|quanto fa)?\s*([-+*/^().,\d\s×÷·−xX:]+?)\s*[=?？]*\s*$/iu;

/** `2 + 3 * 4 = 14` for a text that is a sum and nothing else. */
export function calculate(text: string): string | undefined {
  const sum = asked.exec(text.trim().slice(0, 200))?.[1];
  if (!sum) return undefined;
  const plain = sum
    .replace(/[×·xX]/g, '*')
    .replace(/[÷:]/g, '/')
    .replaceAll('−', '-')
    .replaceAll('**', '^')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const tokens = plain.match(/\d+(?:\.\d+)?|\.\d+|[-+*/^()]|\S/g) ?? [];
  // A date, a telephone number or a bare number is not asking for anything.
  if (!/\d\s*[-+*/^]\s*[-+(\d.]/.test(plain) || /^\s*\d+([-/.])\d+\1\d+\s*$/.test(plain)) return undefined;
  if (tokens.some((token) => !/^(?:[\d.]+|[-+*/^()])$/.test(token))) return undefined;
  const value = evaluate(tokens);
  return value === undefined
    ? undefined
    : `${tokens.join(' ').replace(/\( /g, '(').replace(/ \)/g, ')')} = ${Number(value.toPrecision(12))}`;
}
