import { required } from '../required.ts';
/** One entry of a 422 answer; the caller puts "body" (or "query", "path") in front of `loc`. */
export interface JsonValidationError {
  loc: string[];
  msg: string;
  type: string;
  input: unknown;
  ctx: Record<string, unknown>;
}

/** Levels of arrays and objects a document may have: validators and walkers after us recurse without care. */
export const MAX_DEPTH = 64;

/** Repeated, unreadable and forbidden places named in one answer. */
export const MAX_VALIDATION_ERRORS = 100;

/** `offset` counts code points, as Python does. */
export function invalidJson(error: string, offset: number): JsonValidationError {
  return { type: 'json_invalid', loc: [String(offset)], msg: 'JSON decode error', input: {}, ctx: { error } };
}

/** An index of a JavaScript string as a number of code points. */
export function codePointOffset(text: string, index: number): number {
  let offset = 0;
  for (let at = 0; at < index; offset++) at += required(text.codePointAt(at)) > 0xffff ? 2 : 1;
  return offset;
}
