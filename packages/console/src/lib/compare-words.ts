import { type Change, diffLines, diffWordsWithSpace } from 'diff';

/** Texts that differ in more places than can be shown at once are compared by lines, and then as wholes. */
const timeout = 200;

/** What was taken out of a text and what was put in, word by word. */
export const compareWords = (before: string, after: string): Change[] =>
  diffWordsWithSpace(before, after, { timeout }) ??
  diffLines(before, after, { timeout }) ?? [
    { value: before, added: false, removed: true, count: 1 },
    { value: after, added: true, removed: false, count: 1 },
  ];
