// Alone in its process: it measures the memory of the database's backends.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { limitBackend, peakMemoryOf } from '../src/db/embedded/limit-backend.ts';
import { queryBounds } from '../src/features/tables/query/bounds.ts';
import { checkQuery } from '../src/features/tables/query/check-query.ts';
import { tablesApp } from '../src/features/tables/testing.ts';
import { testPostmaster, testServer } from '../test/support/test-database.ts';
import { randomQueries } from './random-queries.ts';

const MB = 1024 * 1024;
/** What a backend has at its start, its part of the shared memory included, is far below 150 MB. */
const bound = queryBounds.memory_bytes + 150 * MB;
const skip = process.platform === 'linux' ? false : 'the memory of other processes is read in /proc';

/** Backends of callers' queries; with `limits` they are limited as those of the embedded server are. */
async function watchedApp(limits: boolean) {
  const pids = new Set<number>();
  let peak = 0;
  const look = () => {
    for (const pid of pids) peak = Math.max(peak, peakMemoryOf(pid));
    return peak;
  };
  const timer = setInterval(look, 10);
  after(() => clearInterval(timer));
  const limitMemory = async (pid: number, bytes: number) => {
    pids.add(pid);
    return limits ? limitBackend(testPostmaster(), pid, bytes) : true;
  };
  const tables = await tablesApp({}, { limitMemory });
  const { id } = await tables.make([{ name: 'word' }, { name: 'k', type: 'integer' }, { name: 'data', type: 'json' }], {
    name: 'Own',
  });
  const rows = Array.from({ length: 400 }, () => ({ word: 'x'.repeat(1000), k: 1, data: { list: [1, 2, '\u0001"'] } }));
  await tables.insert(id, [...rows, { word: 'y'.repeat(1_000_000), k: 2 }]);
  const few = await tables.make([{ name: 'word' }, { name: 'k', type: 'integer' }], { name: 'Few' });
  await tables.insert(
    few.id,
    [...rows.slice(0, 12), { word: 'z'.repeat(200_000), k: 1 }].map(({ word, k }) => ({ word, k })),
  );
  return { ...tables, peak: look };
}

const limited = await watchedApp(true);
const unlimited = await watchedApp(false);

const all = 'from own a, own b, own c';
const levels = (expression: string, depth: number) => {
  let query = 'select word as t from own';
  for (let level = 0; level < depth; level++) query = `select ${expression} as t from (${query}) q${level}`;
  return `select max(length(t)) as n from (${query}) q`;
};
const growing = [
  't || t',
  'concat(t, t, t, t)',
  'overlay(t placing t from 1 for 0)',
  "concat_ws(t, '', '', '')",
  'to_json(t)::text',
  'jsonb_build_array(t, t)::text',
  "array_to_string(array[t, t, ''], t)",
  'array_to_string(array[t, t], $$$$)',
  '(array[t, t])::text',
  'row(t, t)::text',
  'normalize(t, nfkd) || t',
  'case when true then t || t else t end',
  'jsonb_build_object(t, t)::text',
  "nullif(t || t || t || t, '')",
  "(jsonb_build_array(t, t) - 'k')::text",
  'mode() within group (order by t || t || t || t)',
  'percentile_disc(0.5) within group (order by t || t || t || t)',
];
/** Each level writes the whole row of the one below it as text, in which quotes are doubled. */
const rowLevels = (row: (name: string) => string) => {
  let query = `select '${'"'.repeat(5000)}' as t from own`;
  for (let level = 0; level < 18; level++) query = `select ${row(`q${level}`)} as t from (${query}) q${level}`;
  return `select max(length(q::text)) as n from (${query}) q`;
};
const attacks: Record<string, string[]> = {
  'aggregates that collect a cross join': [
    `select length(string_agg(a.word, '')) ${all}`,
    `select length(string_agg(a.word, b.word)) ${all}`,
    `select cardinality(array_agg(a.word)) ${all}`,
    `select cardinality(array_agg(a.k)) ${all}`,
    `select cardinality(array_agg(array[a.word])) ${all}`,
    `select cardinality(array_agg(a)) ${all}`,
    `select json_array_length(json_agg(a)) ${all}`,
    `select jsonb_array_length(jsonb_agg(a.data)) ${all}`,
    `select json_typeof(json_object_agg(a.word, b.word)) ${all}`,
    `select jsonb_typeof(jsonb_object_agg(a.id::text || b.id::text || c.id::text, b.word)) ${all}`,
    `select length(string_agg(distinct a.word || b.id::text, '' order by a.word || b.id::text)) from own a, own b`,
    `select length(string_agg(a.word, '') filter (where a.k = 1)) ${all}`,
    `select k, length(string_agg(word, '')) from (select a.k, b.word ${all}) q group by k`,
    `select max(cardinality(t)) from (select array_agg(a.word) over () as t from own a, own b) q`,
    `select length(string_agg(t, '')) from own a, lateral (select string_agg(b.word, '') as t from own b where b.k >= a.k) q`,
    `select ${Array.from({ length: 8 }, () => "length(string_agg(a.word, ''))").join(', ')} ${all}`,
    `select cardinality(array(select a.word ${all}))`,
    `select pg_catalog.length(pg_catalog.string_agg(a.word, '')) ${all}`,
  ],
  'values that grow from level to level': [
    // So few levels are answered, some are too many for the estimate, and the last too many for FROM.
    ...[5, 9, 15, 30].flatMap((depth) => growing.map((expression) => levels(expression, depth))),
    `select ${Array.from({ length: 150 }, () => 'concat(a.word, a.word, a.word)').join(', ')} from own a`,
    `select max(length(concat(${Array.from({ length: 400 }, () => 'word').join(', ')}))) from own`,
    'select length(concat(variadic array_agg(word))) from own',
    "select 'x'::char(10485760) from own",
    'select (array[word, word, word])::text || (own)::text from own',
    rowLevels((name) => `${name}::text`),
    rowLevels((name) => name),
    `select percentile_disc(array[${'0.5, '.repeat(1500)}0.5]) within group (order by word) from own`,
    'select percentile_disc((select array_agg(0.5) from own a, own b)) within group (order by word) from own',
  ],
  'plans with much to keep': [
    'select count(*) from own a join own b on a.k = b.k join own c on c.k = b.k where a.word || c.word = b.word || c.word',
    'select count(*) from (select distinct a.word || b.word || c.id::text as t from own a, own b, own c) q',
    'select a.word || b.word as t from own a, own b, own c order by 1, c.id',
    'select count(distinct a.word || b.word || c.id::text) from own a, own b, own c',
    'select percentile_disc(0.5) within group (order by a.word || b.word) from own a, own b, own c',
    'select a.word || b.word as t from own a, own b order by 1',
    `select count(*) from ${Array.from({ length: 40 }, (_, n) => `own t${n}`).join(', ')}`,
    'select max(n) from (select row_number() over (order by a.word || b.word) as n from own a, own b, own c) q',
    `select ${Array.from({ length: 120 }, () => 'max(word)').join(', ')} from own`,
  ],
  'queries without end': [
    `select max(length(t)) from (select string_agg(a.word, '') over (order by a.id) as t from own a, own b) q`,
    `with a as (select word || word as t from own), b as (select x.t || y.t as t from a x, a y), c as (select x.t || y.t
      as t from b x, b y), d as (select x.t || y.t || x.t || y.t as t from c x, c y), e as (select x.t || y.t || x.t || y.t
      as t from d x, d y) select max(length(t)) from e`,
    `select count(*) from ${Array.from({ length: 18 }, (_, n) => `own t${n}`).join(', ')}`,
  ],
  'numbers of many digits': [
    'select length(power(9.9::numeric, 100000)::text) from own a, own b',
    'select max(exp(5000.1::numeric) * exp(6000.3::numeric)) from own',
    'select length((9999999.9::numeric ^ 18000.77)::text)',
    `select length(concat(${Array.from({ length: 60 }, () => `concat(${'1e131071, '.repeat(29)}1)`).join(', ')}))`,
    `select length((array[1.5${", '1e131071'".repeat(1500)}])::text)`,
    `select length('[${'1e131071,'.repeat(2000)}1]'::jsonb::text)`,
  ],
};

/** Kinds that run only with a system memory limit: since PostgreSQL 17 a sort by one column does not count values. */
const limitedOnly = ['plans with much to keep', 'queries without end'];

for (const [kind, statements] of Object.entries(attacks))
  for (const [which, { ask, good, peak }] of Object.entries({ limited, unlimited })) {
    if (limitedOnly.includes(kind) && which === 'unlimited') continue;
    test(`memory by SQL: ${kind} are refused or end within the bound, backends ${which}`, { skip }, async () => {
      for (const sql of statements) {
        const { status, text } = await ask(sql, { max_rows: 5 });
        assert.ok([200, 409, 422].includes(status), `${sql.slice(0, 100)}: ${status} ${text.slice(0, 300)}`);
        assert.ok(peak() < bound, `${Math.round(peak() / MB)} MB after ${sql.slice(0, 100)}`);
      }
      assert.equal(good(await ask('select count(*) as n from own')).items[0].n, 401);
      assert.ok(peak() > 0, 'the backends were measured');
    });
  }

test('memory by SQL: random queries that the gate lets through stay within the bound', { skip }, async () => {
  let run = 0;
  for (const sql of randomQueries(7, 80)) {
    const isLet = await checkQuery(sql, new Set(['few'])).then(
      () => true,
      () => false,
    );
    if (!isLet) continue;
    run++;
    const { status, text } = await limited.ask(sql, { max_rows: 3 });
    assert.ok([200, 409, 422].includes(status), `${sql}: ${status} ${text.slice(0, 300)}`);
    assert.ok(limited.peak() < bound, `${Math.round(limited.peak() / MB)} MB after ${sql}`);
  }
  assert.ok(run >= 20, `${run} queries were run`);
});

test('a limited backend ends a statement that takes too much, and lives on', { skip }, async () => {
  const client = new pg.Client(testServer());
  await client.connect();
  try {
    const { processID } = client as unknown as { processID: number };
    assert.equal(
      await limitBackend(testPostmaster(), process.pid, MB),
      false,
      'a process that is no backend is left alone',
    );
    assert.equal(await limitBackend(testPostmaster(), processID, queryBounds.memory_bytes), true);
    const hungry = "select length(string_agg(repeat('x', 1000000), '')) from generate_series(1, 900)";
    await assert.rejects(client.query(hungry), { code: '53200' });
    assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
    assert.ok(peakMemoryOf(processID) < bound);
  } finally {
    await client.end();
  }
});

test('parameters are bounded together', async () => {
  const { status, text } = await limited.ask('select $1 as a', {
    params: Array.from({ length: 100 }, () => 'x'.repeat(4000)),
  });
  assert.equal(status, 422);
  assert.match(text, /larger than 256 KB together/);
  const powers = await limited.ask('select length($1::jsonb::text) as n', { params: [`[${'1e131071,'.repeat(17)}1]`] });
  assert.equal(powers.status, 422);
  assert.match(powers.text, /more than 16 numbers with an exponent/);
});

test('analytic queries are answered', async () => {
  const answered = async (sql: string) => limited.good(await limited.ask(sql)).items;
  for (const sql of [
    "select k, string_agg(word || ' (' || k || ')', ', ' order by id) as names from few group by k",
    'select percentile_cont(0.5) within group (order by k) as m, percentile_disc(array[0.1, 0.9]) within group (order by k) as p, mode() within group (order by k) as o from own',
    'select k - lag(k) over (order by id) as diff, sum(k) over (partition by k order by id rows between 3 preceding and current row) as s from own limit 3',
    "select k, count(*) filter (where k > 1) as n, round(avg(k), 2) as a, coalesce(nullif(word, ''), 'none') as w from few group by k, 4 having count(*) > 0",
    "select data - 'list' as d, data -> 'list' as l from own limit 1",
    "select substring(word from 2 for 3) as a, substring(word for length(word) - 1) as b, substring(word, strpos(word, 'x') + 1) as c, substring(word, k::int) as d from few limit 1",
    'select * from (select a.*, b.word as other from few a join few b using (k)) q order by q.k limit 2',
    'select k, json_agg(json_build_object($$word$$, left(word, 3), $$k$$, k)) as l from few group by rollup (k)',
  ])
    assert.ok((await answered(sql)).length > 0, sql);
});

test('aggregates that collect answer as before', async () => {
  const asked = async (sql: string, more = {}) => limited.good(await limited.ask(sql, more)).items[0];
  const values = "(values ('b', 1), ('a', 2), ('ü', 3), ('a', 4)) as v(t, n)";
  const joined = await asked(
    `select string_agg(distinct t, ', ' order by t) as d, string_agg(t, $1 order by n -- between
    ) filter (where n > 1 /* not the first */) as f, array_to_string(array_agg(n order by n desc), '-') as l,
    jsonb_agg(v order by n) -> 1 as j, json_object_agg(t, n) filter (where n > 2) as o, "string_agg"(t, ',' order by n) as q from ${values}`,
    { params: [' | '] },
  );
  assert.deepEqual(joined, {
    ...{ d: 'a, b, ü', f: 'a | ü | a', l: '4-3-2-1', j: { t: 'a', n: 2 }, o: { ü: 3, a: 4 }, q: 'b,a,ü,a' },
  });
  assert.deepEqual(await asked(`select 'ü' as u, string_agg(t, '') over (order by n) as w from ${values}`), {
    u: 'ü',
    w: 'b',
  });
  assert.deepEqual(await asked('select string_agg(word, $$$$) as none from own where k = 77'), { none: null });
});
