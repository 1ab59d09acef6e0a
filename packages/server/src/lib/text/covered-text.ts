/** Part of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

/** A text, and the stretches of it that users, callers or data brought in. The rest is the operator's own. */
export interface CoveredText {
  text: string;
  covered: readonly Stretch[];
}

/** Unicode noncharacters, which no text for interchange holds. */
const opening = '\ufdd0';
const closing = '\ufdd1';
const marks = /[\ufdd0\ufdd1]/g;

/** Marks a value before it is filled into a text of the operator. The value can't end its mark by itself. */
export const markCovered = (value: string): string => `${opening}${value.replace(marks, '')}${closing}`;

export const hasMarks = (text: string): boolean => text.search(marks) !== -1;

export const removeMarks = (text: string): string => text.replace(marks, '');

/** Removes the marks from a text and says where the marked values stand. A mark without an end reaches to the end. */
export function readMarks(marked: string): CoveredText {
  const covered: Stretch[] = [];
  let text = '';
  for (const [index, piece] of marked.split(opening).entries()) {
    const end = index === 0 ? 0 : piece.indexOf(closing) === -1 ? piece.length : piece.indexOf(closing);
    if (end > 0) covered.push({ start: text.length, end: text.length + end });
    text += removeMarks(piece);
  }
  return { text, covered };
}

/** The stretches of a text in which one of the values stands. */
export function stretchesOf(text: string, values: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  for (const value of values)
    for (let at = value ? text.indexOf(value) : -1; at !== -1; at = text.indexOf(value, at + value.length))
      found.push({ start: at, end: at + value.length });
  return mergeStretches(found);
}

/** Sorted and without overlaps. */
export function mergeStretches(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
