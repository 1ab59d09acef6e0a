import { isOrdinaryKey } from './anonymize-schema.ts';
import { jsonLeaves, type Leaf } from './json-leaves.ts';
import { unescapeJson } from './unescape-json.ts';

/** A stretch of a text as it is read: without its escapes, and with its field name as context. */
export interface Reading {
  kind: 'text' | Leaf['kind'];
  text: string;
  /** Whether this is the name of a field, in which known values are not looked for. */
  naming: boolean;
  /** Context before the stretch; it is read but never replaced. */
  context: string;
  /** Maps a position in the reading, counted without the context, to the whole text. */
  startOf(index: number): number;
  endOf(index: number): number;
}

const same = (index: number) => index;
/** The levels of JSON inside strings of JSON. */
const mostLevels = 3;

/** A text as it is, then unescaped, then unescaped again, as far as there are escapes. */
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

/** A number that is personal data is replaced as a whole. */
const numberReading = (json: string, context: string, { start, end }: Leaf): Reading => ({
  kind: 'number',
  naming: false,
  text: json.slice(start, end),
  context,
  startOf: () => start,
  endOf: () => end,
});

/** No personal data has fewer digits. */
const shortNumber = 3;

function* leafReadings(json: string): Generator<Reading> {
  for (const leaf of jsonLeaves(json)) {
    const { kind, start, end, field, naming } = leaf;
    const context = field === undefined ? '' : `${field}: `;
    if (kind === 'number') {
      if (end - start > shortNumber) yield numberReading(json, context, leaf);
      continue;
    }
    const raw = json.slice(start, end);
    const plain = unescapeJson(raw);
    if (naming && isOrdinaryKey(plain?.text ?? raw)) continue;
    const startOf = plain ? (index: number) => start + plain.origin(index) : (index: number) => start + index;
    yield* levelsOf({ kind, naming, text: plain?.text ?? raw, context, startOf, endOf: startOf });
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

/** The readings of a text. JSON is read field by field, and the name of a field is context for its value. */
export const textReadings = (text: string, mayBeJson: boolean): Iterable<Reading> =>
  mayBeJson && isJson(text)
    ? leafReadings(text)
    : levelsOf({ kind: 'text', naming: false, text, context: '', startOf: same, endOf: same });
