import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import * as s from './schema.ts';
import { toValidationErrors } from './validation-errors.ts';

type Row = [loc: string, type: string, msg: string, input: unknown, ctx: Record<string, unknown>];

/** Validation errors as short rows: type, loc joined by dots, and their context. */
function rows(schema: z.ZodType, raw: unknown, at = 'body'): Row[] {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return [];
  return toValidationErrors(schema, parsed.error.issues, raw, at).map(({ loc, type, msg, input, ctx }) => [
    loc.join('.'),
    type,
    msg,
    input,
    ctx,
  ]);
}

const integer = 'Input should be a valid integer';
const uuidError = (error: string): [string, Record<string, unknown>] => [
  `Input should be a valid UUID, ${error}`,
  { error },
];
const badDate = (error: string): [string, Record<string, unknown>] => [
  `Input should be a valid datetime or date, ${error}`,
  { error },
];
const sizes = s.oneOf(['short', 'medium', 'long']);
const expected = "'short', 'medium' or 'long'";

const scalars: [schema: z.ZodType, input: unknown, type: string, msg: string, ctx?: Record<string, unknown>][] = [
  [s.str(), 5, 'string_type', 'Input should be a valid string'],
  [s.str(), null, 'string_type', 'Input should be a valid string'],
  [s.str({ min: 1 }), '', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }],
  [s.str({ min: 3 }), '😀😀', 'string_too_short', 'String should have at least 3 characters', { min_length: 3 }],
  [s.str({ max: 5 }), 'sixsix', 'string_too_long', 'String should have at most 5 characters', { max_length: 5 }],
  [
    s.str({ pattern: /^a+$/ }),
    'b',
    'string_pattern_mismatch',
    "String should match pattern '^a+$'",
    { pattern: '^a+$' },
  ],
  [s.int(), 'abc', 'int_parsing', `${integer}, unable to parse string as an integer`],
  [s.int(), '', 'int_parsing', `${integer}, unable to parse string as an integer`],
  [s.int(), '1e3', 'int_parsing', `${integer}, unable to parse string as an integer`],
  [s.int(), 1.5, 'int_from_float', `${integer}, got a number with a fractional part`],
  [s.int(), null, 'int_type', integer],
  [s.int(), [], 'int_type', integer],
  [s.int(), {}, 'int_type', integer],
  [s.int({ ge: 1 }), '0', 'greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 }],
  [s.int({ le: 100 }), 101, 'less_than_equal', 'Input should be less than or equal to 100', { le: 100 }],
  [s.number({ gt: 0 }), 0, 'greater_than', 'Input should be greater than 0', { gt: 0 }],
  [s.number({ lt: 1 }), 1, 'less_than', 'Input should be less than 1', { lt: 1 }],
  [s.number(), 'hot', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  [s.number(), [], 'float_type', 'Input should be a valid number'],
  [s.number(), 'nan', 'finite_number', 'Input should be a finite number'],
  [s.number(), '1e999', 'finite_number', 'Input should be a finite number'],
  [s.bool(), 'maybe', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
  [s.bool(), 7, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
  [s.bool(), null, 'bool_type', 'Input should be a valid boolean'],
  [s.bool(), [], 'bool_type', 'Input should be a valid boolean'],
  [sizes, 'x', 'literal_error', `Input should be ${expected}`, { expected }],
  [sizes, 5, 'literal_error', `Input should be ${expected}`, { expected }],
  [s.oneOf(['only']), 'x', 'literal_error', "Input should be 'only'", { expected: "'only'" }],
  [z.literal('a'), 'b', 'literal_error', "Input should be 'a'", { expected: "'a'" }],
  [z.enum(['a', 'b']), 'c', 'literal_error', "Input should be 'a' or 'b'", { expected: "'a' or 'b'" }],
  [s.uuid(), 5, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
  [
    s.uuid(),
    'not-a-uuid',
    'uuid_parsing',
    ...uuidError(
      'invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1',
    ),
  ],
  [s.uuid(), 'abcde', 'uuid_parsing', ...uuidError('invalid length: expected length 32 for simple format, found 5')],
  [s.uuid(), 'ab-cd', 'uuid_parsing', ...uuidError('invalid group count: expected 5, found 2')],
  [
    s.uuid(),
    '0123456-89ab-cdef-0123-456789abcdef',
    'uuid_parsing',
    ...uuidError('invalid group length in group 0: expected 8, found 7'),
  ],
  [s.datetime(), 'x', 'datetime_from_date_parsing', ...badDate('invalid character in year')],
  [s.datetime(), '2024', 'datetime_from_date_parsing', ...badDate('input is too short')],
  [
    s.datetime(),
    '2024-13-01',
    'datetime_from_date_parsing',
    ...badDate('month value is outside expected range of 1-12'),
  ],
  [s.datetime(), '2023-02-29', 'datetime_from_date_parsing', ...badDate('day value is outside expected range')],
  [s.datetime(), [], 'datetime_type', 'Input should be a valid datetime'],
  [s.list(s.int()), 'x', 'list_type', 'Input should be a valid list'],
  [s.list(s.int()), null, 'list_type', 'Input should be a valid list'],
  [
    s.list(s.int(), { max: 2 }),
    [1, 2, 3],
    'too_long',
    'List should have at most 2 items after validation, not 3',
    { field_type: 'List', max_length: 2, actual_length: 3 },
  ],
  [s.dict(), [], 'dict_type', 'Input should be a valid dictionary'],
  [s.dict(), 'x', 'dict_type', 'Input should be a valid dictionary'],
  [s.object({}), [], 'model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  [s.object({}), 'x', 'model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
];

test('reports every refused scalar, list and object in the words that clients know', () => {
  for (const [schema, input, type, msg, ctx = {}] of scalars) {
    const told = JSON.stringify([type, input]);
    assert.deepEqual(
      rows(s.object({ field: schema }), { field: input }),
      [['body.field', type, msg, input, ctx]],
      told,
    );
    // The same at the top, in a list, behind a default and in an optional field.
    assert.deepEqual(rows(schema, input), [['body', type, msg, input, ctx]], told);
    assert.deepEqual(rows(s.list(schema), [input]), [['body.0', type, msg, input, ctx]], told);
    if (input === null) continue;
    assert.deepEqual(
      rows(s.object({ f: s.optional(schema) }), { f: input }),
      [['body.f', type, msg, input, ctx]],
      told,
    );
  }
});
