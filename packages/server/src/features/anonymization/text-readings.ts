import { jsonLeaves, type Leaf } from './json-leaves.ts';
import { unescapeJson } from './unescape-json.ts';

/** A stretch of a text as it is read, with its escapes undone and the name of its field before it. */
export interface Reading {
  kind: 'text' | Leaf['kind'];
  text: string;
  /** What stands before it for context is only looked at. */
  context: string;
  /** Where something that starts or ends here stands in the whole text. Counted without the context. */
  startOf(index: number): number;
  endOf(index: number): number;
}

const same = (index: number) => index;
/** JSON in a text in JSON in a text. */
const mostLevels = 3;

/** A text as it is, then with its escapes undone, then with those that come to light by that. */
function* levelsOf(reading: Reading): Generator<Reading> {
  yield reading;
  let { text, startOf } = reading;
  for (let level = 0; level < mostLevels; level++) {
    const plain = unescapeJson(text);
    if (!plain) return;
    const outer = startOf;
    startOf = (index) => outer(plain.origin(index));
    text = plain.text;
    yield { ...reading, text, startOf, endOf: startOf };
  }
}

/** A number that is somebody's is hidden whole. */
const numberReading = (json: string, context: string, { start, end }: Leaf): Reading => ({
  kind: 'number',
  text: json.slice(start, end),
  context,
  startOf: () => start,
  endOf: () => end,
});

/** Nothing that is private has fewer digits. */
const shortNumber = 3;

function* leafReadings(json: string): Generator<Reading> {
  for (const leaf of jsonLeaves(json)) {
    const { kind, start, end, field } = leaf;
    const context = field === undefined ? '' : `${field}: `;
    if (kind === 'number') {
      if (end - start > shortNumber) yield numberReading(json, context, leaf);
      continue;
    }
    const raw = json.slice(start, end);
    const plain = unescapeJson(raw);
    const startOf = plain ? (index: number) => start + plain.origin(index) : (index: number) => start + index;
    yield* levelsOf({ kind, text: plain?.text ?? raw, context, startOf, endOf: startOf });
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How a text is read. One that is JSON is read field by field; the name of a field tells what its value may be. */
export const textReadings = (text: string, mayBeJson: boolean): Iterable<Reading> =>
  mayBeJson && isJson(text)
    ? leafReadings(text)
    : levelsOf({ kind: 'text', text, context: '', startOf: same, endOf: same });
