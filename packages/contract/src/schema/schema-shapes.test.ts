import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { cpuTime } from '../../../server/test/support/cpu-time.ts';
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

test('an absent field shows the object it is absent from, an absent parameter shows null', () => {
  const two = s.object({ inner: s.object({ name: s.str(), size: s.int() }) });
  const absent = (loc: string, input: unknown): Row => [loc, 'missing', 'Field required', input, {}];
  assert.deepEqual(rows(two, {}), [absent('body.inner', {})]);
  assert.deepEqual(rows(two, { inner: { size: 1 } }), [absent('body.inner.name', { size: 1 })]);
  assert.deepEqual(rows(s.query({ page: s.int() }), {}, 'query'), [absent('query.page', null)]);
  assert.deepEqual(rows(s.query({ key: s.str() }), {}, 'header'), [absent('header.key', null)]);
  assert.deepEqual(rows(s.query({ u: s.list(s.int()) }), {}, 'query'), [absent('query.u', null)]);
});

test('reports errors in the order of the schema, unknown keys last, each with its value', () => {
  const schema = s.object({ a: s.int(), b: s.object({ c: s.str() }), d: s.bool() });
  const raw = { zz: { deep: 1 }, d: 'maybe', b: { e: null, c: 5 }, a: 'x' };
  const found = rows(schema, raw).map(([loc, type, , input]) => [loc, type, input]);
  assert.deepEqual(found, [
    ['body.a', 'int_parsing', 'x'],
    ['body.b.c', 'string_type', 5],
    ['body.b.e', 'extra_forbidden', null],
    ['body.d', 'bool_parsing', 'maybe'],
    ['body.zz', 'extra_forbidden', { deep: 1 }],
  ]);
});

const files = s.object({ type: z.literal('files'), enabled: s.bool() });
const search = s.object({ type: z.literal('search'), limit: s.withDefault(s.int(), 5) });
const tools = s.object({ tools: s.optional(s.list(z.discriminatedUnion('type', [files, search]))) });

test('a tag may be anything that JSON can say', () => {
  const told = [null, true, ['files'], { toString: 'x' }, { toJSON: 'x', valueOf: null }].map((type) => {
    const [[, code, , , { tag }]] = rows(tools, { tools: [{ type }] }) as [
      [string, string, string, unknown, { tag: string }],
    ];
    return [code, tag];
  });
  const shown = ['null', 'true', '["files"]', '{"toString":"x"}', '{"toJSON":"x","valueOf":null}'];
  assert.deepEqual(
    told,
    shown.map((tag) => ['union_tag_invalid', tag]),
  );
});

test('a tagged union names its tag in loc, and a wrong or absent tag at the object', () => {
  const raw = { tools: [{ type: 'bogus' }, { enabled: true }, { type: 'files', enabled: 'maybe', x: 1 }, 7] };
  const msg = "Input tag 'bogus' found using 'type' does not match any of the expected tags: 'files', 'search'";
  assert.deepEqual(rows(tools, raw), [
    [
      'body.tools.0',
      'union_tag_invalid',
      msg,
      { type: 'bogus' },
      { discriminator: "'type'", tag: 'bogus', expected_tags: "'files', 'search'" },
    ],
    [
      'body.tools.1',
      'union_tag_not_found',
      "Unable to extract tag using discriminator 'type'",
      { enabled: true },
      { discriminator: "'type'" },
    ],
    [
      'body.tools.2.files.enabled',
      'bool_parsing',
      'Input should be a valid boolean, unable to interpret input',
      'maybe',
      {},
    ],
    ['body.tools.2.files.x', 'extra_forbidden', 'Extra inputs are not permitted', 1, {}],
    [
      'body.tools.3',
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
      7,
      {},
    ],
  ]);
});

test('reports an error for each branch of a plain union, named after it; an absent value is missing once', () => {
  const named = s.object({ a: s.int() }).meta({ id: 'Named' });
  const schema = s.object({ u: z.union([s.int(), s.list(s.str()), named, s.dict()]) });
  const told = (raw: unknown) => rows(schema, raw).map(([loc, type]) => `${loc} ${type}`);
  assert.deepEqual(told({ u: 'x' }), [
    'body.u.int int_parsing',
    'body.u.list[str] list_type',
    'body.u.Named model_attributes_type',
    'body.u.dict[str,any] dict_type',
  ]);
  assert.deepEqual(told({}), ['body.u missing']);
  const inner = s.object({ u: z.union([s.uuid(), s.list(s.int())]) });
  const found = rows(inner, { u: [1, 'b'] }).map(([loc, type]) => `${loc} ${type}`);
  assert.deepEqual(found, ['body.u.uuid uuid_type', 'body.u.list[int].1 int_parsing']);
});

test('lax scalars read what clients send', () => {
  const table: [schema: z.ZodType, reads: unknown, inputs: unknown[]][] = [
    [s.int(), 5, [5, 5.0, '5', ' 5 ', '+5', '5.0', '05', '0_5']],
    [s.int(), 1, [true, '1']],
    [s.number(), 0.5, [0.5, '0.5', '.5', ' 5e-1', '5E-1']],
    [s.number(), 1000, ['1_000', '1000.', '1e3', 1000]],
    [s.bool(), true, [true, 1, '1', 'on', 't', 'True', 'y', 'YES', 1.0]],
    [s.bool(), false, [false, 0, '0', 'off', 'f', 'FALSE', 'n', 'no']],
    [s.str({ max: 2 }), '😀😀', ['😀😀']],
    [
      s.uuid(),
      '01234567-89ab-cdef-0123-456789abcdef',
      [
        '0123456789ABCDEF0123456789abcdef',
        'urn:uuid:01234567-89ab-cdef-0123-456789abcdef',
        '{01234567-89AB-cdef-0123-456789abcdef}',
      ],
    ],
    [s.datetime(), '2024-02-29T00:00:00.000Z', ['2024-02-29', '2024-02-29T01:00+01:00', 1709164800, 1709164800000]],
  ];
  for (const [schema, reads, inputs] of table)
    for (const input of inputs) assert.deepEqual(schema.parse(input), reads, JSON.stringify(input));
});

test('no text makes a scalar slow', () => {
  const long = ['1', '1_', ' ', 'a', '-', '0', '1.', '{', 'urn:uuid:', '2024-01-01T00:00 '].map((part) =>
    part.repeat(1_000_000 / part.length),
  );
  const schemasToTry = [s.int(), s.number(), s.bool(), s.uuid(), s.datetime(), s.oneOf(['a']), s.str({ max: 9 })];
  for (const schema of schemasToTry)
    for (const text of long) {
      const begun = cpuTime();
      schema.safeParse(`${text}x`);
      assert.ok(cpuTime() - begun < 1000, `${text.slice(0, 20)}… took ${cpuTime() - begun} ms`);
    }
});
