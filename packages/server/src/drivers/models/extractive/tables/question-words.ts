import { folded, termsOf } from '../../../../lib/text/terms.ts';

/** A word of a question, and what the lookup used it for. */
export interface QuestionWord {
  written: string;
  plain: string;
  /** Its stem; undefined for words such as "the". */
  term: string | undefined;
  isUsed: boolean;
  /** It sets a condition that can not be looked up. */
  isRefused: boolean;
}

/** Words of a question side by side, as a pattern has found them. */
export interface FoundWords {
  from: number;
  to: number;
  groups: RegExpExecArray;
}

const token =
  /<[A-Z_]+_\d+>|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d[\d.,]*\d(?![\p{L}])|[\p{L}\p{N}][\p{L}\p{N}'’]*(?:&[\p{L}\p{N}]+)*|[&%]/gu;
const isPlaceholder = (written: string) => written.startsWith('<');

/** German letters are written in two ways: "fällig" is the column `faellig_am`. */
export const comparable = (term: string): string => term.replace(/([ao])e|(?<![aeq])(u)e/g, '$1$2');

/** The stems of a name or a cell, as words of questions are compared with them. */
export const wordTerms = (text: string): string[] =>
  isPlaceholder(text) ? [text.toLowerCase()] : termsOf(text.replaceAll('_', ' ')).map(comparable);

function readWord(written: string, at: number): QuestionWord {
  const plain = folded(written).replaceAll('’', "'");
  // "IT" is a department, "it" is not.
  const isShouted = at > 0 && /^\p{Lu}{2,}$/u.test(written);
  const [term] = wordTerms(written);
  return { written, plain, term: term ?? (isShouted ? plain : undefined), isUsed: false, isRefused: false };
}

const usedSign = '\u0001';

/** The words of a question, of which each reader takes those that it understands. */
export class QuestionWords {
  readonly all: QuestionWord[];

  constructor(text: string) {
    this.all = (text.match(token) ?? []).map(readWord);
  }

  /** Finds a pattern among the words that nothing has used yet. */
  find(pattern: RegExp): FoundWords | undefined {
    const starts: number[] = [];
    let text = '';
    for (const { plain, isUsed } of this.all) {
      starts.push(text.length);
      text += `${isUsed ? usedSign : plain} `;
    }
    const groups = pattern.exec(text.trimEnd());
    if (!groups || groups[0] === '') return undefined;
    const end = groups.index + groups[0].length;
    return {
      groups,
      from: starts.findLastIndex((start) => start <= groups.index),
      to: starts.findLastIndex((start) => start < end) + 1,
    };
  }

  use(from: number, to = from + 1): void {
    for (const word of this.all.slice(from, to)) word.isUsed = true;
  }

  /** Keeps words from every reader: without them an answer would be wrong. */
  refuse(from: number, to = from + 1): void {
    for (const word of this.all.slice(from, to)) {
      word.isUsed = true;
      word.isRefused = true;
    }
  }

  /** Finds a pattern and uses its words. */
  take(pattern: RegExp): FoundWords | undefined {
    const found = this.find(pattern);
    if (found) this.use(found.from, found.to);
    return found;
  }
}
