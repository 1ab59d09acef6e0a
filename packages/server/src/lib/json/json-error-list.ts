import { type JsonValidationError, MAX_VALIDATION_ERRORS } from './json-validation-error.ts';
import { displayText, scanText } from './scan-text.ts';

/** A stretch of the text. */
export interface Place {
  start: number;
  end: number;
}

interface Found extends Place {
  kind: keyof typeof KINDS;
  loc: string[];
}

const KINDS = {
  repeated: { type: 'duplicate_key', msg: 'Key is given twice' },
  forbidden: { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
  nul: { type: 'string_nul', msg: 'String should not contain a NUL character' },
  surrogate: {
    type: 'string_unicode',
    msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
  },
  infinite: { type: 'finite_number', msg: 'Input should be a finite number' },
};

/** Characters of `loc` and `input` in one answer: errors nested in one another would each repeat the whole body. */
const MAX_ECHO = 1_000_000;

/**
 * Collects the errors of well-formed JSON in the order of the text; `input` is read only for those that are reported.
 */
export class JsonErrorList {
  readonly #text: string;
  readonly #found: Found[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  checkString(path: string[], place: Place): void {
    const bad = scanText(this.#readString(place));
    if (bad) this.#add(bad, path, place);
  }

  checkNumber(path: string[], place: Place): void {
    // The shortest numbers that overflow, such as 2e308, have five characters.
    if (place.end - place.start < 5) return;
    const value = this.#read(place);
    if (typeof value === 'number' && !Number.isFinite(value)) this.#add('infinite', path, place);
  }

  /**
   * Puts the key on the path and returns the places to set to the value that follows it. `seen` has the keys of this
   * object: a repeated key is one validation error, whose input is the last value, the one JSON keeps.
   */
  addKey(path: string[], place: Place, seen: Map<string, Place | undefined>): Place[] {
    const key = this.#readString(place);
    path.push(displayText(key));
    if (seen.has(key)) {
      const repeated = seen.get(key) ?? this.#add('repeated', path, place);
      seen.set(key, repeated);
      return [repeated];
    }
    seen.set(key, undefined);
    const bad = scanText(key);
    if (bad) this.#add(bad, path, place);
    return key === '__proto__' ? [this.#add('forbidden', path, place)] : [];
  }

  validationErrors(): JsonValidationError[] {
    const validationErrors: JsonValidationError[] = [];
    let echo = 0;
    for (const found of this.#found) {
      echo += found.end - found.start + found.loc.join('').length;
      if (validationErrors.length > 0 && echo > MAX_ECHO) break;
      const input = found.kind === 'infinite' ? this.#text.slice(found.start, found.end) : this.#read(found);
      validationErrors.push({ ...KINDS[found.kind], loc: found.loc, input, ctx: {} });
    }
    return validationErrors;
  }

  #add(kind: Found['kind'], path: string[], place: Place): Place {
    const found = { kind, loc: [...path], start: place.start, end: place.end };
    if (this.#found.length < MAX_VALIDATION_ERRORS) this.#found.push(found);
    return found;
  }

  #read(place: Place): unknown {
    return JSON.parse(this.#text.slice(place.start, place.end));
  }

  #readString(place: Place): string {
    const raw = this.#text.slice(place.start + 1, place.end - 1);
    return raw.includes('\\') ? (this.#read(place) as string) : raw;
  }
}
