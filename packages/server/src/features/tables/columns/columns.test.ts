import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { testServer } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { tablesApp } from '../testing.ts';

const { call, good, validationErrors, make, insert, rowsOf, query, home } = await tablesApp();

const column = (id: string, path: string) => `/v1/tables/${id}/columns/${path}`;
const cells = async (id: string, name: string) =>
  (await rowsOf(id, { size: 100 })).items.map((row: Record<string, unknown>) => row[name]);
const retype = (id: string, name: string, new_type: string, search = '', more = {}) =>
  call('PATCH', `${column(id, name)}/type${search}`, { new_type, ...more });

test('a column is added with its default, which the rows that are there get too', async () => {
  const { id } = await make([{ name: 'a' }]);
  await insert(id, { a: 'old' });
  const added = good(
    await call('POST', `/v1/tables/${id}/columns`, {
      name: 'note',
      type: 'text',
      label: 'Note',
      default: `it's "fine" \\ ; --`,
      indexed: true,
    }),
  );
  assert.deepEqual(added.columns[1], {
    name: 'note',
    type: 'text',
    label: 'Note',
    default: `it's "fine" \\ ; --`,
    references: null,
    on_delete: null,
    indexed: true,
    choices: null,
  });
  await insert(id, [{ a: 'new' }, { note: null }, { note: 'own' }]);
  const fine = `it's "fine" \\ ; --`;
  assert.deepEqual(await cells(id, 'note'), [fine, fine, null, 'own']);
  assert.deepEqual(validationErrors(await call('POST', `/v1/tables/${id}/columns`, { name: 'NOTE' })), [
    'body.name: value_error',
  ]);
});

test('every type has a default that is kept as text and stored as its value', async () => {
  const types: [string, string, unknown][] = [
    ['text', 'x', 'x'],
    ['integer', '-7', -7],
    ['number', '1.5', 1.5],
    ['boolean', 'yes', true],
    ['date', '2024-02-29', '2024-02-29'],
    ['datetime', '2024-02-29T12:00:00+02:00', '2024-02-29T10:00:00.000Z'],
    ['json', '{"a":[1,null]}', { a: [1, null] }],
    ['uuid', '018F0000-0000-7000-8000-000000000000', '018f0000-0000-7000-8000-000000000000'],
  ];
  const { id } = await make(types.map(([type, text]) => ({ name: `a_${type}`, type, default: text })));
  const row = await insert(id, {});
  for (const [type, , value] of types) assert.deepEqual(row[`a_${type}`], value, type);
});

test('a rename keeps every cell, and refuses names that are taken or can not be', async () => {
  const { id } = await make([{ name: 'a' }, { name: 'b' }]);
  await insert(id, [{ a: '1' }, { a: '2' }]);
  const renamed = good(await call('PATCH', column(id, 'a/rename'), { new_name: 'Total' }));
  assert.deepEqual(
    renamed.columns.map(({ name }: { name: string }) => name),
    ['Total', 'b'],
  );
  assert.deepEqual(await cells(id, 'Total'), ['1', '2']);
  assert.equal((await call('PATCH', column(id, 'Total/rename'), { new_name: 'B' })).json.code, 'column_exists');
  assert.deepEqual(
    validationErrors(await call('PATCH', column(id, 'b/rename'), { new_name: 'a"; drop table x; --' })),
    ['body.new_name: value_error'],
  );
  assert.deepEqual(validationErrors(await call('PATCH', column(id, 'b/rename'), {})), ['body.new_name: missing']);
  assert.equal((await call('PATCH', column(id, 'nope/rename'), { new_name: 'c' })).status, 404);
  assert.equal(good(await call('PATCH', column(id, 'Total/rename'), { new_name: 'total' })).columns[0].name, 'total');
});

test('a type change that some rows can not take is refused with how many and which, and changes nothing', async () => {
  const { id } = await make([{ name: 'a' }], { id_type: 'autoincrement' });
  await insert(
    id,
    ['1', ' 2 ', 'three', '', '4.5', '9007199254740993', ...Array(20).fill('x')].map((a) => ({ a })),
  );
  const { status, json } = await retype(id, 'a', 'integer');
  assert.deepEqual([status, json.code], [409, 'rows_do_not_fit']);
  assert.match(
    json.detail,
    /^24 rows have values in a that can not become integer \(3: "three", 4: "", 5: "4.5", 6: "9007199254740993"/,
  );
  assert.equal(json.detail.match(/\d+: "/g).length, 10);
  assert.equal(good(await call('GET', `/v1/tables/${id}`)).columns[0].type, 'text');

  const dry = good(await retype(id, 'a', 'integer', '?dry_run=true'));
  assert.deepEqual([dry.columns[0].type, dry.report.dry_run, dry.report.failing_rows], ['integer', true, 24]);
  assert.deepEqual(dry.report.examples[0], { id: 3, value: 'three' });
  assert.equal(good(await call('GET', `/v1/tables/${id}`)).columns[0].type, 'text');

  const done = good(await retype(id, 'a', 'integer', '?on_failure=null'));
  assert.deepEqual([done.columns[0].type, done.report.failing_rows], ['integer', 24]);
  assert.deepEqual((await cells(id, 'a')).slice(0, 3), [1, 2, null]);
});

/** What becomes of a value in another type; undefined when it is refused. */
const conversions: [from: string, value: unknown, to: string, result: unknown][] = [
  ['text', '12', 'integer', 12],
  ['text', '1.5', 'number', 1.5],
  ['text', 'NaN', 'number', undefined],
  ['text', '1e999', 'number', undefined],
  ['text', 'yes', 'boolean', true],
  ['text', 'perhaps', 'boolean', undefined],
  ['text', '2024-02-29', 'date', '2024-02-29'],
  ['text', '2023-02-29', 'date', undefined],
  ['text', 'today', 'date', undefined],
  ['text', '2024-02-29T10:00', 'datetime', '2024-02-29T10:00:00.000Z'],
  ['text', 'infinity', 'datetime', undefined],
  ['text', '{"a":1}', 'json', { a: 1 }],
  ['text', '{', 'json', undefined],
  ['text', '018f0000-0000-7000-8000-000000000000', 'uuid', '018f0000-0000-7000-8000-000000000000'],
  ['text', 'x', 'uuid', undefined],
  ['integer', 5, 'text', '5'],
  ['integer', 5, 'number', 5],
  ['integer', 1, 'boolean', true],
  ['integer', 5, 'boolean', undefined],
  ['integer', 5, 'json', 5],
  ['number', 5, 'integer', 5],
  ['number', 5.5, 'integer', undefined],
  ['number', 0.1, 'text', '0.1'],
  ['boolean', true, 'integer', 1],
  ['boolean', false, 'text', 'false'],
  ['date', '2024-02-29', 'datetime', '2024-02-29T00:00:00.000Z'],
  ['datetime', '2024-02-29T10:00:00.000Z', 'date', undefined],
  ['datetime', '2024-02-29T00:00:00.000Z', 'date', '2024-02-29'],
  ['datetime', '2024-02-29T10:00:00.123Z', 'text', '2024-02-29T10:00:00.123Z'],
  ['json', 'plain', 'text', 'plain'],
  ['json', { a: 1 }, 'text', '{"a": 1}'],
  ['json', 7, 'integer', 7],
  ['uuid', '018f0000-0000-7000-8000-000000000000', 'text', '018f0000-0000-7000-8000-000000000000'],
];

test('converts a value to the new type, or refuses when the conversion would lose data', async () => {
  for (const [from, value, to, result] of conversions) {
    const { id } = await make([{ name: 'a', type: from }]);
    await insert(id, [{ a: value }, { a: null }]);
    const { status, text } = await retype(id, 'a', to);
    assert.equal(status, result === undefined ? 409 : 200, `${from} ${JSON.stringify(value)} to ${to}: ${text}`);
    assert.deepEqual(await cells(id, 'a'), [result === undefined ? value : result, null], `${from} to ${to}`);
  }
});

test('a default goes along with the type, or stops the change', async () => {
  const { id } = await make([{ name: 'a', default: '5' }]);
  assert.equal(good(await retype(id, 'a', 'integer')).columns[0].default, '5');
  assert.equal((await insert(id, {})).a, 5);
  good(await call('PATCH', column(id, 'a'), { default: '7' }));
  const refused = await retype(id, 'a', 'boolean', '');
  assert.deepEqual([refused.status, refused.json.code], [409, 'default_does_not_fit']);
  assert.equal(good(await retype(id, 'a', 'boolean', '?on_failure=null')).columns[0].default, null);
});

test('texts become references where the rows are there, and references texts', async () => {
  const people = await make([{ name: 'name' }], { id_type: 'autoincrement' });
  const ada = await insert(people.id, { name: 'Ada' });
  const { id } = await make([{ name: 'person' }]);
  await insert(id, [{ person: String(ada.id) }, { person: '77' }, { person: null }]);
  const refers = { references: people.id, on_delete: 'cascade' };
  assert.match((await retype(id, 'person', 'reference', '', refers)).json.detail, /^1 row has a value .*"77"/);
  assert.deepEqual(validationErrors(await retype(id, 'person', 'reference')), ['body.references: value_error']);
  const done = good(await retype(id, 'person', 'reference', '?on_failure=null', refers));
  assert.deepEqual([done.columns[0].references, done.columns[0].on_delete], [people.id, 'cascade']);
  assert.deepEqual(await cells(id, 'person'), [ada.id, null, null]);
  good(await call('DELETE', `/v1/tables/${people.id}/rows/${ada.id}`));
  assert.deepEqual(await cells(id, 'person'), [null, null]);
  const back = good(await retype(id, 'person', 'text'));
  assert.deepEqual([back.columns[0].references, back.columns[0].on_delete], [null, null]);
});

test('a dropped column is gone for everybody and comes back with its cells', async () => {
  const { id, sql_name } = await make([{ name: 'a' }, { name: 'b', type: 'integer', indexed: true, default: '3' }]);
  await insert(id, [{ a: 'x', b: 1 }, { a: 'y' }]);
  const dropped = good(await call('DELETE', column(id, 'b')));
  assert.deepEqual([dropped.columns.length, dropped.dropped_columns[0].name], [1, 'b']);
  assert.deepEqual(Object.keys((await rowsOf(id)).items[0]), ['id', 'a']);
  const seen = good(await call('POST', '/v1/tables/query', { sql: `select * from ${sql_name}` }));
  assert.deepEqual(
    seen.columns.map(({ name }: { name: string }) => name),
    ['id', 'a'],
  );
  assert.equal((await call('DELETE', column(id, 'b'))).status, 404);
  await insert(id, { a: 'z' });
  good(await call('POST', `/v1/tables/${id}/columns`, { name: 'b' }));
  assert.equal((await call('POST', column(id, 'b/restore'))).json.code, 'column_exists');
  good(await call('PATCH', column(id, 'b/rename'), { new_name: 'other' }));
  const back = good(await call('POST', column(id, 'b/restore')));
  assert.deepEqual(
    back.columns.map(({ name, type, indexed }: Record<string, unknown>) => [name, type, indexed]),
    [
      ['a', 'text', false],
      ['b', 'integer', true],
      ['other', 'text', false],
    ],
  );
  assert.deepEqual(await cells(id, 'b'), [1, 3, null]);
  assert.equal((await insert(id, {})).b, 3);
  assert.equal((await call('POST', column(id, 'nope/restore'))).status, 404);
});

test('a dry run of any change tells what would be and changes nothing', async () => {
  const { id } = await make([{ name: 'a' }]);
  const before = good(await call('GET', `/v1/tables/${id}`));
  for (const [method, path, body] of [
    ['POST', `/v1/tables/${id}/columns`, { name: 'b' }],
    ['PATCH', column(id, 'a/rename'), { new_name: 'c' }],
    ['PATCH', column(id, 'a'), { indexed: true }],
    ['DELETE', column(id, 'a'), undefined],
  ] as const) {
    const told = good(await call(method, `${path}?dry_run=true`, body));
    assert.notDeepEqual(told.columns, before.columns);
    assert.deepEqual(told.report, { dry_run: true, failing_rows: 0, examples: [] });
    assert.deepEqual(good(await call('GET', `/v1/tables/${id}`)), before);
  }
});

test('an index can be asked for and given up', async () => {
  const { id, sql_name } = await make([{ name: 'a' }]);
  const indexes = async () =>
    (await query(`select 1 from pg_indexes where schemaname like $1 and tablename = $2`, ['ws_%', sql_name])).length;
  assert.equal(await indexes(), 1);
  good(await call('PATCH', column(id, 'a'), { indexed: true }));
  assert.equal(await indexes(), 2);
  good(await call('PATCH', column(id, 'a'), { indexed: false }));
  assert.equal(await indexes(), 1);
});

test('refuses a text that is too long for an index, on insert and when the index is added', async () => {
  const long = randomBytes(20_000).toString('hex');
  const { id } = await make([{ name: 'a', indexed: true }, { name: 'b' }]);
  const refused = await call('POST', `/v1/tables/${id}/rows`, { a: long });
  assert.deepEqual([refused.status, refused.json.code], [409, 'text_too_long']);
  await insert(id, { b: long });
  const { status, json } = await call('PATCH', column(id, 'b'), { indexed: true });
  assert.deepEqual([status, json.code], [409, 'text_too_long']);
  assert.equal(good(await call('GET', `/v1/tables/${id}`)).columns[1].indexed, false);
});

test('a column change waits for a query that locks the table', async () => {
  const { id, sql_name } = await make([{ name: 'a' }]);
  const schema = `ws_${home.id.replaceAll('-', '')}`;
  const [{ database }] = await query('select current_database() as database');
  const reader = new pg.Client({ ...testServer(), database });
  await reader.connect();
  try {
    await reader.query('begin');
    await reader.query(`select count(*) from "${schema}"."${sql_name}"`);
    let isAnswered = false;
    const change = call('PATCH', column(id, 'a/rename'), { new_name: 'b' }).finally(() => {
      isAnswered = true;
    });
    // Each attempt waits for the lock for less than half a second: it is tried again.
    const attempts = new Set<string>();
    await until('two attempts have waited for the lock', async () => {
      const waiting = await query(
        `select xact_start::text as attempt from pg_locks join pg_stat_activity using (pid)
         where not granted and relation = to_regclass($1)`,
        [`"${schema}"."${sql_name}"`],
      );
      for (const { attempt } of waiting) attempts.add(attempt);
      return attempts.size > 1;
    });
    assert.equal(isAnswered, false);
    await reader.query('commit');
    assert.equal(good(await change).columns[0].name, 'b');
  } finally {
    await reader.end();
  }
});
