/** Servers whose events differ in more than their text are not tried to be learned more often than this. */
const mostAttempts = 8;

const [quote, backslash, space] = [34, 92, 32];

/** The text of a JSON string that has no characters behind it; undefined when it is anything else. */
function readString(json: string): string | undefined {
  const last = json.length - 1;
  if (last < 1 || json.charCodeAt(0) !== quote || json.charCodeAt(last) !== quote) return undefined;
  for (let at = 1; at < last; at++) {
    const code = json.charCodeAt(at);
    if (code === quote || code < space) return undefined;
    if (code === backslash) return parseString(json);
  }
  return json.slice(1, last);
}

function parseString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Not one string, so the whole event has to be parsed.
    return undefined;
  }
}

/**
 * Servers send an event for each piece of text in which nothing else changes. What comes before and after the text is
 * learned from one event; an event with the same around one JSON string then means the same, and need not be parsed.
 */
export class RepeatedText {
  readonly #textIn: (event: unknown) => unknown;
  #head: string | undefined;
  #tail = '';
  #attempts = 0;

  /** `textIn`: the text of a parsed event. */
  constructor(textIn: (event: unknown) => unknown) {
    this.#textIn = textIn;
  }

  /** The text of an event like the learned one; undefined when it has to be parsed. */
  read(data: string): string | undefined {
    const head = this.#head;
    if (head === undefined || !data.startsWith(head) || !data.endsWith(this.#tail)) return undefined;
    return readString(data.slice(head.length, data.length - this.#tail.length));
  }

  /** Whether the text of the event would be this one, if it stood between head and tail. */
  #isText(head: string, tail: string, text: string): boolean {
    try {
      return this.#textIn(JSON.parse(`${head}${JSON.stringify(text)}${tail}`)) === text;
    } catch {
      // What was found is no value: a comma in quotation marks also stands between two texts.
      return false;
    }
  }

  /** Learns an event that has no other meaning than its text, if its text can be told from the rest. */
  learn(data: string, text: string): boolean {
    if (this.#attempts >= mostAttempts) return false;
    this.#attempts++;
    const literal = JSON.stringify(text);
    const at = data.indexOf(literal);
    if (at < 0) return false;
    const [head, tail] = [data.slice(0, at), data.slice(at + literal.length)];
    // The same may stand elsewhere in the event.
    if (!this.#isText(head, tail, `${text}.`)) return false;
    this.#head = head;
    this.#tail = tail;
    return true;
  }
}
