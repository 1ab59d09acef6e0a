/** A word of the text, with the properties needed to judge it. */
export interface Token {
  text: string;
  lower: string;
  start: number;
  end: number;
  /** Capitalized, all capitals, or lower case. */
  shape: 'title' | 'upper' | 'lower';
  /** The text between the previous word and this one. */
  gap: string;
  /** Whether a sentence or a line begins here, so that a capital proves nothing. */
  opens: boolean;
}

const word = /[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*/gu;
const sentenceEnd = /[.!?…:;•|\r\n]|^\s*["“(]/u;

function shapeOf(text: string): Token['shape'] {
  const first = text.charAt(0);
  if (first === first.toLowerCase()) return 'lower';
  return text.length > 1 && text === text.toUpperCase() ? 'upper' : 'title';
}

/** Whether a full stop after a word belongs to it, as after an initial or a title. */
const abbreviated =
  /^(?:\p{Lu}|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Ss]r|[Jj]r|[Rr]ev|[Hh]on|[Cc]apt|[Ll]t|[Ss]gt|[Gg]en|[Ss]ra)$/u;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(word)) {
    const value = found.replace(/'[sS]$/, '');
    const gap = text.slice(last, index);
    const before = tokens.at(-1)?.text ?? '';
    const shortened = gap === '. ' && abbreviated.test(before);
    tokens.push({
      text: value,
      lower: value.toLowerCase(),
      start: index,
      end: index + value.length,
      shape: shapeOf(value),
      gap,
      opens: tokens.length === 0 || (!shortened && sentenceEnd.test(gap.slice(0, 200))),
    });
    last = index + value.length;
  }
  return tokens;
}
