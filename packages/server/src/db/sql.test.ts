import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { makeDatabase } from '../../test/support/test-database.ts';
import { makeLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { compile, identifier, join, literal, nothing, sql } from './sql.ts';

const { connection, drop } = await makeDatabase('empty');
const db = openDatabase({ connection, max: 2, log: makeLog('silent') });
after(async () => {
  await db.close();
  await drop();
});

/** PostgreSQL's text holds any character but NUL; requests that have one are refused before. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom("'; drop table t; --", '$1', '\\', "\\'; select 1", '{"a"}', '{a,NULL}', '"', 'NULL', '--'),
);

test('a value never becomes part of the text', () => {
  fc.assert(
    fc.property(fc.anything(), text, (value, more) => {
      const { text: compiled, values } = compile(sql`select ${value} where ${more} is null`);
      assert.equal(compiled, 'select $1 where $2 is null');
      assert.equal(values.length, 2);
      assert.ok(Object.is(values[0], value) && values[1] === more);
    }),
  );
});

test('an object that only looks like a piece of SQL stays a value', () => {
  const forged = { parts: ['drop table t'], values: [], made: true, [Symbol('sql')]: true };
  assert.deepEqual(compile(sql`select ${forged}`), { text: 'select $1', values: [forged] });
  const nested = JSON.parse(JSON.stringify(sql`drop table t`)) as unknown;
  assert.deepEqual(compile(sql`select ${nested}`), { text: 'select $1', values: [nested] });
});

test('any text comes back from the database as it went in, alone, in arrays and in JSON', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 5 }), async (one, many) => {
      const row = await db.row(sql`
        select ${one}::text as one, ${many}::text[] as many, ${JSON.stringify({ one })}::jsonb ->> 'one' as inside`);
      assert.deepEqual(row, { one, many, inside: one });
    }),
    { numRuns: 300 },
  );
});

test('pieces are spliced in where they stand, their values in order', () => {
  const piece = sql`b = ${2} or b = ${3}`;
  const { text: compiled, values } = compile(
    sql`select ${1} where ${piece} and (${sql`c = ${sql`${4}`}`}) ${nothing}limit ${5}`,
  );
  assert.equal(compiled, 'select $1 where b = $2 or b = $3 and (c = $4) limit $5');
  assert.deepEqual(values, [1, 2, 3, 4, 5]);
  assert.deepEqual(compile(piece), { text: 'b = $1 or b = $2', values: [2, 3] }, 'a piece can be used again');
});

test('joined pieces keep every value at its place', () => {
  assert.deepEqual(compile(join([], sql` and `)), { text: '', values: [] });
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 30 }), (numbers) => {
      const joined = join(
        numbers.map((number) => sql`a = ${number}`),
        sql` or `,
      );
      const { text: compiled, values } = compile(sql`where ${joined}`);
      assert.equal(compiled, `where ${numbers.map((_, i) => `a = $${i + 1}`).join(' or ')}`);
      assert.deepEqual(values, numbers);
    }),
  );
});

test('quotes every name as a name and every default as a text', async () => {
  const name = text.filter((value) => value !== '' && value.isWellFormed() && Buffer.byteLength(value) <= 63);
  await fc.assert(
    fc.asyncProperty(name, text, async (column, value) => {
      const row = await db.row(sql`select ${literal(value.toWellFormed())} as ${identifier(column)}`);
      assert.deepEqual(row, { [column]: value.toWellFormed() });
    }),
    { numRuns: 300 },
  );
});

test('refuses an invalid name rather than cutting it', () => {
  for (const wrong of ['', 'x'.repeat(64), 'é'.repeat(32), 'a\0b', '\ud800'])
    assert.throws(() => identifier('schema', wrong), /can not be the name/);
  assert.throws(() => literal('a\0b'));
});

test('a statement that names what was made at run time is not kept by the connection', async () => {
  const passing = sql`select 1 as ${identifier('made_at_run_time')}`;
  assert.ok(passing.passing && sql`select * from (${passing}) as x`.passing);
  assert.ok(!sql`select ${1}`.passing);
  await db.row(passing);
  const kept = await db.rows(sql`select from pg_prepared_statements where statement like ${'%made_at_run_time%'}`);
  assert.equal(kept.length, 0);
});
