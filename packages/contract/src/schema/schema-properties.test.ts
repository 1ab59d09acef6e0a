import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { jsonSchemaOf } from './json-schema.ts';
import * as s from './schema.ts';
import { maskSecretErrors, secretKeys } from './secrets.ts';
import { toValidationErrors } from './validation-errors.ts';

const scalar = fc.constantFrom(
  () => s.str({ max: 5 }),
  () => s.int({ ge: 0 }),
  () => s.number(),
  () => s.bool(),
  () => s.uuid('agent'),
  () => s.oneOf(['a', 'b']),
  () => s.datetime(),
  () => s.dict(),
);
const key = fc.constantFrom('a', 'b', 'c', 'length');
// Names that every object has from its prototype: callers send them, our own fields are never called so.
const sentKey = fc.oneof(key, fc.constantFrom('constructor', 'toString', 'hasOwnProperty'), fc.string());

/** Schemas of objects and lists of our scalars; some fields may be left out. */
const { schemas } = fc.letrec<{ schemas: z.ZodType }>((tie) => ({
  schemas: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar.map((make) => make() as z.ZodType),
    fc
      .array(fc.tuple(key, tie('schemas'), fc.constantFrom('needed', 'optional')), { maxLength: 4 })
      .map((fields) =>
        s.object(Object.fromEntries(fields.map(([name, of, how]) => [name, how === 'needed' ? of : s.optional(of)]))),
      ),
    tie('schemas').map((item) => s.list(item, { max: 3 })),
  ),
}));

const texts = fc.constantFrom('', 'a', '5', '1.5', 'true', 'nope', '2024-01-01', '0'.repeat(32), '😀', '\ud800', 'inf');
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    texts,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(sentKey, tie('any'), { maxKeys: 5 }),
  ),
})).any;

/** What lies at a place, or `gone`. */
const gone = Symbol('gone');
function at(root: unknown, loc: readonly string[]): unknown {
  let value = root;
  for (const part of loc) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return gone;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

test('refuses a value exactly when it reports errors, each at the location it names', () => {
  fc.assert(
    fc.property(schemas, values, (schema, raw) => {
      const parsed = schema.safeParse(raw);
      const validationErrors = parsed.success ? [] : toValidationErrors(schema, parsed.error.issues, raw, 'body');
      assert.equal(parsed.success, validationErrors.length === 0);
      for (const { loc, msg, type, input, ctx } of validationErrors) {
        assert.equal(loc[0], 'body');
        assert.ok(msg && type && typeof ctx === 'object');
        const place = loc.slice(1);
        if (type === 'missing') {
          assert.equal(at(raw, place), gone);
          assert.equal(input, place.length ? at(raw, place.slice(0, -1)) : null);
        } else {
          assert.equal(input, at(raw, place));
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('reports the errors of an object in the order of its fields, unknown ones last', () => {
  const names = fc.uniqueArray(key, { minLength: 1 });
  fc.assert(
    fc.property(names, fc.uniqueArray(sentKey), (fields, sent) => {
      const schema = s.object(Object.fromEntries(fields.map((name) => [name, s.int()])));
      const raw = Object.fromEntries(sent.map((name) => [name, 'no']));
      const parsed = schema.safeParse(raw);
      const found = parsed.success
        ? []
        : toValidationErrors(schema, parsed.error.issues, raw, 'body').map(({ loc }) => loc[1]);
      const declared = Object.keys(schema.shape);
      assert.deepEqual(found, [...declared, ...Object.keys(raw).filter((name) => !fields.includes(name as never))]);
    }),
  );
});

const secret = 'sk-live-7f3a9c';
const hiding = s.object({
  name: s.str(),
  key: s.optional(s.str({ secret: true, max: 10 })),
  keys: s.optional(s.list(s.str({ secret: true }), { max: 1 })),
  choice: s.optional(z.union([s.int(), s.str({ secret: true, max: 3 })])),
  inner: s.optional(s.object({ token: s.str({ secret: true }), needed: s.int() }).meta({ id: 'Inner' })),
});

test('a secret never comes back, not even in the object that misses another field', () => {
  const keys = secretKeys(jsonSchemaOf(hiding, 'input'));
  assert.deepEqual([...keys].sort(), ['choice', 'key', 'keys', 'token']);
  const holder = fc.constantFrom(
    secret,
    [secret, secret],
    [[secret]],
    { token: secret },
    { deep: [{ token: secret }] },
  );
  const field = fc.constantFrom('key', 'keys', 'choice');
  const others = fc.constantFrom({}, { name: 5 }, { name: 'x', extra: 1 }, { inner: { token: secret } });
  fc.assert(
    fc.property(field, holder, others, (name, value, rest) => {
      const raw = { ...rest, [name]: value, inner: { token: value, wrong: { token: secret } } };
      const parsed = hiding.safeParse(raw);
      assert.ok(!parsed.success);
      const told = JSON.stringify(maskSecretErrors(toValidationErrors(hiding, parsed.error.issues, raw, 'body'), keys));
      assert.ok(!told.includes(secret), told);
    }),
  );
});

test('covers a misspelled secret of a form that has secrets, and shows other unknown fields', () => {
  const raw = { current_password: 'hunter-two', nickname: 'Ada' };
  const parsed = hiding.safeParse(raw);
  assert.ok(!parsed.success);
  const keys = secretKeys(jsonSchemaOf(hiding, 'input'));
  const errors = maskSecretErrors(toValidationErrors(hiding, parsed.error.issues, raw, 'body'), keys);
  assert.ok(!JSON.stringify(errors).includes('hunter-two'), JSON.stringify(errors));
  assert.equal(errors.find(({ loc }) => loc.at(-1) === 'nickname')?.input, 'Ada');
});

test('null says what leaving out says, where that is allowed', () => {
  fc.assert(
    fc.property(schemas, values, (schema, fallback) => {
      const parsed = schema.safeParse(fallback);
      const defaulted = parsed.success ? { d: s.withDefault(schema, parsed.data as never) } : {};
      const fields = s.object({ o: s.optional(schema), ...defaulted });
      const whenNull = fields.parse(Object.fromEntries(Object.keys(fields.shape).map((name) => [name, null])));
      const { o, ...rest } = whenNull as { o?: unknown };
      assert.equal(o, undefined);
      assert.deepEqual(rest, { ...(fields.parse({}) as object) });
    }),
  );
});
