import { JsonErrorList, type Place } from './json-error-list.ts';
import { codePointOffset, invalidJson, type JsonValidationError, MAX_DEPTH } from './json-validation-error.ts';
import { JsonParseStop, scanScalar, scanString, skipSpaces } from './scan-token.ts';

/**
 * Finds every error of a JSON text: the one position where it stops being JSON (worded as Python's json module words
 * it), or else all repeated, forbidden and unreadable keys and values. Slow, so only for texts known to be wrong.
 */
export function findJsonErrors(text: string): JsonValidationError[] {
  const list = new JsonErrorList(text);
  try {
    const end = skipSpaces(text, readValue(text, skipSpaces(text, 0), [], list));
    if (end < text.length) throw new JsonParseStop('Extra data', end);
  } catch (error) {
    if (!(error instanceof JsonParseStop)) throw error;
    return [invalidJson(error.message, codePointOffset(text, error.index))];
  }
  return list.validationErrors();
}

/** Reads the value at `at` and returns its end. `path` is a stack with an element a level, so it bounds recursion. */
function readValue(text: string, at: number, path: string[], list: JsonErrorList): number {
  const char = text[at];
  if (char === '"') {
    const end = scanString(text, at);
    list.checkString(path, { start: at, end });
    return end;
  }
  if (char === '{' || char === '[') {
    if (path.length >= MAX_DEPTH) throw new JsonParseStop(`Nesting is deeper than ${MAX_DEPTH} levels`, at);
    return char === '{' ? readObject(text, at, path, list) : readArray(text, at, path, list);
  }
  const end = scanScalar(text, at);
  list.checkNumber(path, { start: at, end });
  return end;
}

function readArray(text: string, open: number, path: string[], list: JsonErrorList): number {
  let at = skipSpaces(text, open + 1);
  if (text[at] === ']') return at + 1;
  for (let index = 0; ; index++) {
    path.push(String(index));
    at = skipSpaces(text, readValue(text, at, path, list));
    path.pop();
    if (text[at] === ']') return at + 1;
    at = readComma(text, at, ']', 'array');
  }
}

function readObject(text: string, open: number, path: string[], list: JsonErrorList): number {
  const seen = new Map<string, Place | undefined>();
  let at = skipSpaces(text, open + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new JsonParseStop('Expecting property name enclosed in double quotes', at);
    const keyEnd = scanString(text, at);
    const places = list.addKey(path, { start: at, end: keyEnd }, seen);
    at = skipSpaces(text, keyEnd);
    if (text[at] !== ':') throw new JsonParseStop("Expecting ':' delimiter", at);
    at = skipSpaces(text, at + 1);
    for (const place of places) place.start = at;
    at = readValue(text, at, path, list);
    for (const place of places) place.end = at;
    path.pop();
    at = skipSpaces(text, at);
    if (text[at] === '}') return at + 1;
    at = readComma(text, at, '}', 'object');
  }
}

/** Past the comma at `at`, to the next item. Python 3.13 names the comma when the container ends after it. */
function readComma(text: string, at: number, close: string, container: string): number {
  if (text[at] !== ',') throw new JsonParseStop("Expecting ',' delimiter", at);
  const next = skipSpaces(text, at + 1);
  if (text[next] === close) throw new JsonParseStop(`Illegal trailing comma before end of ${container}`, at);
  return next;
}
