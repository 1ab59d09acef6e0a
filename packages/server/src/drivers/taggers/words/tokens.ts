/** A word of the text, with what is needed to judge it. */
export interface Token {
  text: string;
  lower: string;
  start: number;
  end: number;
  /** First letter large, all letters large, or neither. */
  shape: 'title' | 'upper' | 'lower';
  /** What stands between the word before and this one. */
  gap: string;
  /** Whether a sentence or a line begins here, so that a capital says nothing. */
  opens: boolean;
}

const word = /[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*/gu;
const sentenceEnd = /[.!?…:;•|\r\n]|^\s*["“(]/u;

function shapeOf(text: string): Token['shape'] {
  const first = text.charAt(0);
  if (first === first.toLowerCase()) return 'lower';
  return text.length > 1 && text === text.toUpperCase() ? 'upper' : 'title';
}

/** Whether a full stop after a word belongs to it: an initial or a title, not the end of a sentence. */
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
