import type * as z from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { refuse, scalar } from './scalar.ts';

interface Text {
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** Never echoed in an answer, and `writeOnly` in the OpenAPI document. */
  secret?: boolean;
  example?: string;
}

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;

/** Lengths are counted in code points, as Pydantic counts them; an emoji is one character. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Text; a number is not coerced. */
export function str({ min, max, pattern, secret, example }: Text = {}): z.ZodType<string, string> {
  const json: JsonSchema = {
    type: 'string',
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern && { pattern: pattern.source }),
    ...(secret && { writeOnly: true, format: 'password' }),
    ...(example !== undefined && { examples: [example] }),
  };
  return scalar(json, (input) => {
    if (typeof input !== 'string') return refuse('string_type', 'Input should be a valid string');
    if (min !== undefined && input.length < min * 2 && codePoints(input) < min)
      return refuse('string_too_short', `String should have at least ${characters(min)}`, { min_length: min });
    if (max !== undefined && input.length > max && codePoints(input) > max)
      return refuse('string_too_long', `String should have at most ${characters(max)}`, { max_length: max });
    if (pattern && !pattern.test(input))
      return refuse('string_pattern_mismatch', `String should match pattern '${pattern.source}'`, {
        pattern: pattern.source,
      });
    return input;
  });
}

/** 'a', 'b' or 3 */
export function listed(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  const last = quoted.pop() as string;
  return quoted.length ? `${quoted.join(', ')} or ${last}` : last;
}

/** One of a closed set of words. */
export function oneOf<const T extends string>(values: readonly T[]): z.ZodType<T, T> {
  const allowed = new Set<unknown>(values);
  const expected = listed(values);
  return scalar({ type: 'string', enum: [...values] }, (input) =>
    allowed.has(input) ? (input as T) : refuse('literal_error', `Input should be ${expected}`, { expected }),
  );
}

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Why a text is no UUID, in the words of the parser behind Pydantic; undefined when it is one. */
function uuidTrouble(text: string): string | undefined {
  const bare = text.replace(/^urn:uuid:/, '').replace(/^\{(.*)\}$/, '$1');
  let at = 1 + text.indexOf(bare);
  for (const character of bare) {
    if (!/[0-9a-fA-F-]/.test(character))
      return (
        'invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], ' +
        `found \`${character}\` at ${at}`
      );
    at += character.length;
  }
  const groups = bare.split('-');
  if (groups.length === 1) {
    return bare.length === 32
      ? undefined
      : `invalid length: expected length 32 for simple format, found ${bare.length}`;
  }
  if (groups.length !== 5) return `invalid group count: expected 5, found ${groups.length}`;
  const lengths = [8, 4, 4, 4, 12];
  const wrong = groups.findIndex((group, index) => group.length !== lengths[index]);
  if (wrong === -1) return undefined;
  return `invalid group length in group ${wrong}: expected ${lengths[wrong]}, found ${groups[wrong]?.length}`;
}

/**
 * A UUID in any of its spellings, handed on in the canonical one. `of` names what it refers to ("agent"), which the
 * walk over all routes uses to try another workspace's.
 */
export const uuid = (of?: string): z.ZodType<string, string> => uuidSchema({ format: 'uuid' }, of);

/** The same, or an empty text, where null means something else: PATCH takes an id away by it. */
export const uuidOrEmpty = (of?: string): z.ZodType<string, string> =>
  uuidSchema({ anyOf: [{ format: 'uuid' }, { maxLength: 0 }] }, of, true);

function uuidSchema(json: Record<string, unknown>, of: string | undefined, empty = false): z.ZodType<string, string> {
  return scalar({ type: 'string', ...json, ...(of && { 'x-refers-to': of }) }, (input) => {
    if (typeof input !== 'string') return refuse('uuid_type', 'UUID input should be a string, bytes or UUID object');
    if (input === '' && empty) return input;
    if (canonical.test(input)) return input;
    const error = uuidTrouble(input);
    if (error) return refuse('uuid_parsing', `Input should be a valid UUID, ${error}`, { error });
    const digits = input
      .replace(/^urn:uuid:/, '')
      .replace(/[{}-]/g, '')
      .toLowerCase();
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
}
