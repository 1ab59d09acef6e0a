/** The result of comparing a value with a text: where they differ, and which of them comes first there. */
interface Comparison {
  shared: number;
  order: number;
}

function compareAt(value: string, text: string, start: number): Comparison {
  const most = Math.min(value.length, text.length - start);
  let shared = 0;
  while (shared < most && value.charCodeAt(shared) === text.charCodeAt(start + shared)) shared++;
  if (shared === value.length) return { shared, order: 0 };
  // A value that goes on where the text ends comes after it.
  const isAfter = shared === most || value.charCodeAt(shared) > text.charCodeAt(start + shared);
  return { shared, order: isAfter ? 1 : -1 };
}

/**
 * Values with the same beginning. Finds those that stand at a position of a text by a binary search: comparing each of them
 * would take hours for a text that names hundreds of values of different lengths.
 */
export function makeLongestPrefixes() {
  const values = new Set<string>();
  let sorted: string[] | undefined;
  /** For each value the index of the longest other value that it begins with; -1 when there is none. */
  let shorter: number[] = [];

  function sort(): string[] {
    // By code units, as they are compared.
    const list = [...values].sort((a, b) => (a < b ? -1 : 1));
    shorter = [];
    const open: number[] = [];
    for (const [index, value] of list.entries()) {
      while (open.length && !value.startsWith(list[open.at(-1) as number] as string)) open.pop();
      shorter.push(open.at(-1) ?? -1);
      open.push(index);
    }
    sorted = list;
    return list;
  }

  return {
    add(value: string): void {
      values.add(value);
      sorted = undefined;
    },
    /** The values that the text has at a position, longest first. */
    *at(text: string, start: number): Generator<string> {
      const list = sorted ?? sort();
      // The last value that does not come after the text, and how much of it the text has.
      let [low, high, last, shared] = [0, list.length, -1, 0];
      while (low < high) {
        const middle = (low + high) >> 1;
        const compared = compareAt(list[middle] as string, text, start);
        if (compared.order > 0) high = middle;
        else [low, last, shared] = [middle + 1, middle, compared.shared];
      }
      for (let index = last; index >= 0; index = shorter[index] as number) {
        const value = list[index] as string;
        if (value.length <= shared) yield value;
      }
    },
  };
}
