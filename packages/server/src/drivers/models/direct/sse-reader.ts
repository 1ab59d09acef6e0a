import { TooLargeAnswer } from '../model-errors.ts';

/** The most bytes of one event. A whole answer in one event has less. */
const max_event = 16 * 1024 * 1024;

const [lineFeed, carriageReturn, colon, space, letterD] = [10, 13, 58, 32, 100];

/** The end of the last complete line. A carriage return at the very end may be half of a line break. */
function endOfLines(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed);
  const last = bytes.length - 2;
  const carriage = last < 0 ? -1 : bytes.lastIndexOf(carriageReturn, last);
  return Math.max(feed, carriage) + 1;
}

/**
 * Reads server-sent events out of bytes that are cut anywhere, and passes the data of each on. Whole lines are decoded at
 * once, so characters are never cut. An event without the empty line at its end is dropped, as the standard says.
 */
export class SseReader {
  readonly #onData: (data: string) => void;
  /** The beginning of a line whose end has not come. */
  #rest: Buffer[] = [];
  #data: string | undefined;
  /** The bytes since the last event began. */
  #size = 0;
  #begun = false;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  /** Throws a TooLargeAnswer when an event does not end. */
  feed(given: Buffer): void {
    this.#size += given.length;
    if (this.#size > max_event) throw new TooLargeAnswer();
    const bytes = this.#afterReturn(given);
    const end = endOfLines(bytes);
    if (end === 0) {
      this.#rest.push(Buffer.from(bytes));
      return;
    }
    const lines = bytes.subarray(0, end);
    const text = this.#rest.length ? Buffer.concat([...this.#rest, lines]).toString() : lines.toString();
    this.#rest = end < bytes.length ? [Buffer.from(bytes.subarray(end))] : [];
    this.#readLines(this.#begun ? text : text.replace(/^\uFEFF/, ''));
    this.#begun = true;
  }

  /** The bytes, behind a carriage return that was kept because it could have been half of a line break. */
  #afterReturn(bytes: Buffer): Buffer {
    if (this.#rest.at(-1)?.at(-1) !== carriageReturn) return bytes;
    const joined = Buffer.concat([...this.#rest, bytes]);
    this.#rest = [];
    return joined;
  }

  #readLines(given: string): void {
    const text = given.includes('\r') ? given.replaceAll(/\r\n?/g, '\n') : given;
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      if (end === start) this.#endEvent();
      else if (text.charCodeAt(start) === letterD) this.#readField(text, start, end);
      start = end + 1;
    }
  }

  /** Only the field `data` has a meaning here. */
  #readField(text: string, start: number, end: number): void {
    if (!text.startsWith('data', start)) return;
    const from = start + 4;
    if (from !== end && text.charCodeAt(from) !== colon) return;
    const value = from === end ? '' : text.slice(text.charCodeAt(from + 1) === space ? from + 2 : from + 1, end);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #endEvent(): void {
    const data = this.#data;
    this.#data = undefined;
    this.#size = 0;
    if (data !== undefined) this.#onData(data);
  }
}
