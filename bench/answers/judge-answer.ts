import type { AnswerSet, EvalQuestion } from './answer-set.ts';

/** `missed`: there is an answer and the model says that it found none. */
export type Verdict = 'right' | 'missed' | 'wrong';

export interface Judged {
  verdict: Verdict;
  /** Quoted lines that do not stand in any document or table. */
  invented: string[];
}

/** The words of a text in order, without marks; the marks of lists, tables and Markdown differ between files. */
const wordsOf = (text: string) =>
  ` ${(
    text
      .replaceAll(/<[^>]{0,200}>/g, ' ')
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')} `;

/** The quotes of an answer stand between “ and ”. */
const quotesIn = (answer: string) => [...answer.matchAll(/“([^”]*)”/g)].map(([, quote = '']) => quote);

/** A quoted line stands in a document, or is a row whose column names and values all do. */
function stands(line: string, texts: readonly string[]): boolean {
  const whole = wordsOf(line.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s/, ''));
  if (texts.some((text) => text.includes(whole))) return true;
  const sentences = line.split(/(?<=[.!?])\s/).map(wordsOf);
  if (texts.some((text) => sentences.every((sentence) => text.includes(sentence)))) return true;
  const cells = line.split(/[,;|] |: /).map(wordsOf);
  return cells.length > 1 && texts.some((text) => cells.every((cell) => text.includes(cell)));
}

export function judgeAnswer(set: AnswerSet, { expect, exclude = [] }: EvalQuestion, answer: string): Judged {
  const texts = [
    ...set.documents.map(({ text }) => wordsOf(text)),
    ...set.tables.map(({ columns, rows }) => wordsOf(JSON.stringify([columns, rows]))),
  ];
  const quotes = quotesIn(answer);
  const invented = quotes.flatMap((quote) =>
    quote.split('\n').filter((line) => /\S/.test(line) && !stands(line, texts)),
  );
  const said = wordsOf(answer);
  // Figures of tables are not quoted: they name their table in brackets.
  const answers = quotes.length > 0 || /: [*\d-][^\n]* \[[^\]\n]+\]/.test(answer);
  if (!expect) return { verdict: answers ? 'wrong' : 'right', invented };
  const has = (text: string) => said.includes(wordsOf(text));
  if (expect.every(has) && !exclude.some(has)) return { verdict: 'right', invented };
  return { verdict: answers ? 'wrong' : 'missed', invented };
}
