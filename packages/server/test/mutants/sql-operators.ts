import type { Change } from './operators.ts';
import type { SyntaxNode } from './syntax.ts';

/** Words and signs of SQL that stand alone between blanks, and what they are changed to. */
const swaps: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  and: 'or',
  or: 'and',
  exists: 'not exists',
  asc: 'desc',
  desc: 'asc',
};

/** A `=` after one of these sets a value; elsewhere it compares. */
const setters = new Set(['set', 'update']);
const comparers = new Set(['where', 'and', 'or', 'on', 'when', 'having', 'from', 'select', 'join']);

const isBalanced = (text: string) => text.split('(').length === text.split(')').length;

interface Word {
  text: string;
  start: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[^\s();,]+/g)].map((match) => ({ text: match[0], start: match.index }));
}

/** Swapped words in the pieces of a statement's text, between the inserted values. */
function swapWords(pieces: readonly SyntaxNode[], source: string): Change[] {
  let sets = false;
  return pieces.flatMap((piece) =>
    wordsOf(source.slice(piece.start, piece.end)).flatMap(({ text: word, start }) => {
      if (setters.has(word)) sets = true;
      if (comparers.has(word)) sets = false;
      const swapped = swaps[word];
      if (!swapped || (word === '=' && sets)) return [];
      const at = piece.start + start;
      return [{ operator: `sql ${word} to ${swapped}`, start: at, end: at + word.length, replacement: swapped }];
    }),
  );
}

/** Conditions that have a line of their own: `and …` to the end of the line, with the values inserted in it. */
function dropLines(node: SyntaxNode, source: string): Change[] {
  let start = node.start;
  return source
    .slice(node.start, node.end)
    .split('\n')
    .flatMap((line, index, lines) => {
      const began = start + line.length - line.trimStart().length;
      start += line.length + 1;
      const text = line.trim();
      if (!text.startsWith('and ') || !isBalanced(text) || index === lines.length - 1) return [];
      return [{ operator: 'sql drop condition', start: began, end: began + text.length, replacement: '' }];
    });
}

/** The changes to a statement written as a template: sql`…`. */
export function changeStatement(node: SyntaxNode, source: string): Change[] {
  const tag = node['tag'] as SyntaxNode;
  const name = source.slice(tag.start, tag.end).split('.').at(-1);
  if (name !== 'sql') return [];
  const quasi = node['quasi'] as SyntaxNode;
  const pieces = quasi['quasis'] as SyntaxNode[];
  return [...swapWords(pieces, source), ...dropLines(quasi, source)];
}
