/** Whether a text begins with a JSON object or array. */
export const startsStructure = (text: string | null | undefined): boolean =>
  text !== null && text !== undefined && /^\s*[{[]/.test(text);

/** No arguments are nested deeper; each level is kept until it is closed. */
const deepest = 10_000;

const closes: Record<string, string> = { '}': '{', ']': '[' };

/** Follows JSON that comes in pieces, and knows when its object or array is closed. It does not check the rest. */
export class JsonProgress {
  #state: 'before' | 'inside' | 'complete' | 'other' = 'before';
  #depth: string[] = [];
  #quoted = false;
  #escaped = false;

  get complete(): boolean {
    return this.#state === 'complete';
  }

  append(text: string): void {
    for (const character of text) {
      if (this.#state === 'before') this.#begin(character);
      else if (this.#state === 'inside') this.#read(character);
      else return;
    }
  }

  #begin(character: string): void {
    if (/\s/.test(character)) return;
    this.#state = character === '{' || character === '[' ? 'inside' : 'other';
    this.#depth.push(character);
  }

  #read(character: string): void {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#quoted = false;
    } else if (character === '"') this.#quoted = true;
    else if (character === '{' || character === '[') {
      if (this.#depth.push(character) > deepest) this.#state = 'other';
    } else if (character === '}' || character === ']') {
      if (this.#depth.pop() !== closes[character]) this.#state = 'other';
      else if (this.#depth.length === 0) this.#state = 'complete';
    }
  }
}
