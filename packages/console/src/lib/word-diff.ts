export interface DiffPart {
  text: string;
  kind: 'same' | 'added' | 'removed';
}

/** Words with the space behind them, and marks alone. */
const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_'’]+\s*|[^\p{L}\p{N}\p{M}_'’]\s*/gu) ?? [];

/** Above this a table of all pairs would take too long; then lines are compared, and above it again the whole texts. */
const mostPairs = 4_000_000;

function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else if (text) parts.push({ kind, text });
}

/** The longest common sequence of two lists, as parts. */
function compare(before: readonly string[], after: readonly string[]): DiffPart[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] as number;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, next] = [before[row], after[column]];
    if (old !== undefined && old === next) {
      push(parts, 'same', old);
      row++;
      column++;
    } else if (next === undefined || (old !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      push(parts, 'removed', old ?? '');
      row++;
    } else {
      push(parts, 'added', next);
      column++;
    }
  }
  return parts;
}

/** What was taken out of a text and what was put in, word by word. */
export function diffWords(before: string, after: string): DiffPart[] {
  if (before === after) return before ? [{ kind: 'same', text: before }] : [];
  for (const split of [tokensOf, (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []]) {
    const [old, next] = [split(before), split(after)];
    if (old.length * next.length <= mostPairs) return compare(old, next);
  }
  const parts: DiffPart[] = [];
  push(parts, 'removed', before);
  push(parts, 'added', after);
  return parts;
}
