import type * as z from 'zod';
import type { Refusal } from './scalar.ts';
import { listed } from './strings.ts';

const typeWords: Record<string, Refusal> = {
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
};

const items = (count: number | bigint) => `${count} item${count === 1 ? '' : 's'}`;

function sizeWords(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, sent: unknown): Refusal | undefined {
  if (issue.origin !== 'array') return undefined;
  const length = Array.isArray(sent) ? sent.length : 0;
  if (issue.code === 'too_big')
    return {
      type: 'too_long',
      msg: `List should have at most ${items(issue.maximum)} after validation, not ${length}`,
      ctx: { field_type: 'List', max_length: issue.maximum, actual_length: length },
    };
  return {
    type: 'too_short',
    msg: `List should have at least ${items(issue.minimum)} after validation, not ${length}`,
    ctx: { field_type: 'List', min_length: issue.minimum, actual_length: length },
  };
}

function tagWords(issue: z.core.$ZodIssueInvalidUnion, sent: unknown): Refusal {
  const { discriminator = 'type', options = [] } = issue as { discriminator?: string; options?: unknown[] };
  const quoted = `'${discriminator}'`;
  const tag = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[discriminator] : undefined;
  if (tag === undefined)
    return {
      type: 'union_tag_not_found',
      msg: `Unable to extract tag using discriminator ${quoted}`,
      ctx: { discriminator: quoted },
    };
  // Anything that JSON can say may stand there, an object with a `toString` of its own too.
  const shown = typeof tag === 'object' ? JSON.stringify(tag) : String(tag);
  const expected = options.map((option) => `'${String(option)}'`).join(', ');
  return {
    type: 'union_tag_invalid',
    msg: `Input tag '${shown}' found using ${quoted} does not match any of the expected tags: ${expected}`,
    ctx: { discriminator: quoted, tag: shown, expected_tags: expected },
  };
}

/** One zod issue in Pydantic's words. Our scalars bring their own; the rest is zod's objects, lists and checks. */
export function wordsFor(issue: z.core.$ZodIssue, sent: unknown): Refusal {
  const refusal = (issue as { params?: { refusal?: Refusal } }).params?.refusal;
  if (refusal) return refusal;
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') {
    if (sent === undefined) return { type: 'missing', msg: 'Field required' };
    const words = issue.code === 'invalid_type' ? typeWords[issue.expected] : undefined;
    if (words) return words;
    if (issue.code === 'invalid_value') {
      const expected = listed(issue.values);
      return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } };
    }
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    const words = sizeWords(issue, sent);
    if (words) return words;
  }
  if (issue.code === 'invalid_union') return tagWords(issue, sent);
  return { type: 'value_error', msg: `Value error, ${issue.message}`, ctx: { error: issue.message } };
}
