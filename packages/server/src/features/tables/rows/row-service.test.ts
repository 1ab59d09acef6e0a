import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { tablesApp } from '../testing.ts';

const { app, home, call, good, validationErrors, make, insert, rowsOf } = await tablesApp();

type Row = Record<string, unknown> & { id: string };
const path = (id: string, rest = '') => `/v1/tables/${id}/rows${rest}`;

test('a row is flat, has every column, and is changed cell by cell', async () => {
  const { id } = await make([{ name: 'a' }, { name: 'n', type: 'integer' }, { name: 'j', type: 'json' }]);
  const row = await insert(id, { a: 'x', j: { deep: [1] } });
  assert.deepEqual(row, { id: row.id, a: 'x', n: null, j: { deep: [1] } });
  assert.deepEqual(good(await call('GET', path(id, `/${row.id}`))), row);
  const changed = good(await call('PATCH', path(id, `/${row.id}`), { n: '7', a: null }));
  assert.deepEqual(changed, { id: row.id, a: null, n: 7, j: { deep: [1] } });
  assert.deepEqual(good(await call('PATCH', path(id, `/${row.id}`), {})), changed);
  assert.deepEqual(validationErrors(await call('PATCH', path(id, `/${row.id}`), { id: randomUUID() })), [
    'body.id: value_error',
  ]);
  good(await call('DELETE', path(id, `/${row.id}`)));
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assert.equal((await call(method, path(id, `/${row.id}`), method === 'PATCH' ? {} : undefined)).status, 404);
  assert.deepEqual(validationErrors(await call('GET', path(id, '/x'))), ['path.row_id: uuid_parsing']);
});

test('reports every cell that does not fit its column, and stores nothing', async () => {
  const { id } = await make([
    { name: 'n', type: 'integer' },
    { name: 'd', type: 'date' },
    { name: 'u', type: 'uuid' },
  ]);
  const rows = [{ n: 1 }, { n: 'one', d: '2024-13-01', nope: 1 }, { u: 'x', n: 1.5 }, { n: 2 ** 60 }];
  assert.deepEqual(validationErrors(await call('POST', path(id), rows)), [
    'body.1.n: int_parsing',
    'body.1.d: date_parsing',
    'body.1.nope: extra_forbidden',
    'body.2.u: uuid_parsing',
    'body.2.n: int_from_float',
    'body.3.n: int_parsing_size',
  ]);
  for (const wrong of [[1], '"x"', 5, [[]]])
    assert.deepEqual(validationErrors(await call('POST', path(id), wrong)), ['body: dict_type']);
  assert.deepEqual(validationErrors(await call('POST', path(id), Array(10_001).fill({}))), ['body: too_long']);
  assert.equal((await rowsOf(id, { total: true })).total, 0);
});

test('many rows are stored in one request, in their order', async () => {
  for (const id_type of ['uuid', 'autoincrement']) {
    const { id } = await make([{ name: 'n', type: 'integer' }], { id_type });
    const made = await insert(
      id,
      Array.from({ length: 10_000 }, (_, n) => ({ n })),
    );
    assert.deepEqual([made.inserted, made.ids.length], [10_000, 10_000]);
    const { items, total } = await rowsOf(id, { size: 3, total: true });
    assert.equal(total, 10_000);
    assert.deepEqual(
      items,
      [0, 1, 2].map((n) => ({ id: made.ids[n], n })),
    );
  }
});

test('ids may be given; the counter goes on behind them', async () => {
  const { id } = await make([{ name: 'a' }], { id_type: 'autoincrement' });
  await insert(id, [{ id: 40, a: 'x' }, { a: 'y' }]);
  assert.ok((await insert(id, { a: 'z' })).id > 41);
  const { status, json } = await call('POST', path(id), { id: 40 });
  assert.deepEqual([status, json.code], [409, 'row_exists']);
});

test('filters compare as the type does, and say what is wrong with them', async () => {
  const { id } = await make([
    { name: 't' },
    { name: 'n', type: 'number' },
    { name: 'b', type: 'boolean' },
    { name: 'd', type: 'date' },
    { name: 'at', type: 'datetime' },
    { name: 'j', type: 'json' },
  ]);
  await insert(id, [
    { t: 'Apple', n: 1, b: true, d: '2024-01-01', at: '2024-01-01T00:00:00Z', j: { a: 1, b: 2 } },
    { t: 'a%b_c\\', n: 2, b: false, d: '2024-06-01', at: '2024-06-01T00:00:00Z', j: [1] },
    { t: "x'; drop table x; --", n: 3 },
    {},
  ]);
  const found = async (...filter: unknown[]) => (await rowsOf(id, { filter })).items.map((row: Row) => row['n']);
  assert.deepEqual(await found({ column: 'n', op: 'gte', value: 2 }), [2, 3]);
  assert.deepEqual(await found({ column: 'n', value: '1' }), [1]);
  assert.deepEqual(await found({ column: 'n', op: 'ne', value: 1 }), [2, 3, null]);
  assert.deepEqual(await found({ column: 'n', op: 'in', value: [1, 3] }), [1, 3]);
  assert.deepEqual(await found({ column: 'n', op: 'not_in', value: [1, 3] }), [2, null]);
  assert.deepEqual(await found({ column: 't', op: 'contains', value: 'APP' }), [1]);
  assert.deepEqual(await found({ column: 't', op: 'contains', value: '%b_c\\' }), [2]);
  assert.deepEqual(await found({ column: 't', op: 'starts_with', value: 'a' }), [1, 2]);
  assert.deepEqual(await found({ column: 't', op: 'ends_with', value: '--' }), [3]);
  assert.deepEqual(await found({ column: 't', value: "x'; drop table x; --" }), [3]);
  assert.deepEqual(await found({ column: 't', op: 'is_null' }), [null]);
  assert.deepEqual(await found({ column: 't', op: 'eq', value: null }), [null]);
  assert.deepEqual(await found({ column: 't', op: 'is_null', value: false }), [1, 2, 3]);
  assert.deepEqual(await found({ column: 'b', value: true }), [1]);
  assert.deepEqual(await found({ column: 'd', op: 'lt', value: '2024-03-01' }), [1]);
  assert.deepEqual(await found({ column: 'at', op: 'gt', value: '2024-03-01T00:00:00+01:00' }), [2]);
  assert.deepEqual(await found({ column: 'j', op: 'contains', value: { a: 1 } }), [1]);
  assert.deepEqual(await found({ column: 'j', value: [1] }), [2]);
  assert.deepEqual(await found({ column: 'n', op: 'gt', value: 1 }, { column: 'b', value: false }), [2]);
  const wrong = async (filter: string) =>
    validationErrors(await call('GET', `${path(id)}?filter=${encodeURIComponent(filter)}`));
  assert.deepEqual(await wrong('[{"column": "nope", "value": 1}, {"column": "n", "value": "x"}]'), [
    'query.filter.0.column: value_error',
    'query.filter.1.value: float_parsing',
  ]);
  assert.deepEqual(await wrong('[{"column": "n", "op": "like", "value": 1}]'), ['query.filter.0.op: literal_error']);
  assert.deepEqual(await wrong('[{"column": "n", "op": "contains", "value": "1"}]'), [
    'query.filter.0.value: value_error',
  ]);
  assert.deepEqual(await wrong('{'), ['query.filter: json_invalid']);
  assert.deepEqual(await wrong('n = 1 or true'), ['query.filter: json_invalid']);
});

test('paging returns every row once and in order, for any sort order', async () => {
  const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null, freq: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, value), { minLength: 0, maxLength: 25 }),
      fc.constantFrom('a', '-a', 'a,b', '-a,b', 'a,-b', '-a,-b', '', '-id', 'b,id'),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (cells, sort, size, indexed) => {
        const { id } = await make(
          [
            { name: 'a', type: 'integer', indexed },
            { name: 'b', type: 'integer' },
          ],
          { id_type: 'autoincrement' },
        );
        await insert(
          id,
          cells.map(([a, b]) => ({ a, b })),
        );
        const whole = (await rowsOf(id, { sort, size: 100 })).items;
        assert.equal(whole.length, cells.length);
        const paged: Row[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: { items: Row[]; next_cursor: string | null } = await rowsOf(id, {
            sort,
            size,
            ...(cursor && { cursor }),
          });
          assert.ok(page.items.length <= size);
          paged.push(...page.items);
          cursor = page.next_cursor;
        }
        assert.deepEqual(paged, whole);
        const rank = (cell: unknown) => (cell === null ? 9 : Number(cell));
        const [first = ''] = sort.split(',');
        const column = first.replace('-', '');
        const ranks = whole.map((row: Row) => (first.startsWith('-') ? -1 : 1) * rank(row[column || 'id']));
        assert.deepEqual(
          ranks,
          ranks.toSorted((one: number, other: number) => one - other),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('jumps to a place of the list by an offset, and goes on from there by the cursor', async () => {
  const { id } = await make([{ name: 'n', type: 'integer' }]);
  await insert(
    id,
    Array.from({ length: 30 }, (_, n) => ({ n: 29 - n })),
  );
  const numbers = ({ items }: { items: Row[] }) => items.map(({ n }) => n);
  const page = await rowsOf(id, { sort: 'n', size: 3, offset: 10 });
  assert.deepEqual(numbers(page), [10, 11, 12]);
  assert.deepEqual(numbers(await rowsOf(id, { sort: 'n', size: 2, cursor: page.next_cursor })), [13, 14]);
  assert.deepEqual(numbers(await rowsOf(id, { sort: '-n', size: 3, offset: 28 })), [1, 0]);
  assert.deepEqual((await rowsOf(id, { offset: 31 })).items, []);
  for (const query of ['offset=-1', `sort=n&offset=1&cursor=${page.next_cursor}`])
    assert.equal((await call('GET', `${path(id)}?${query}`)).status, 422);
});

test('a cursor is good for the sort it came from, and nothing made up is', async () => {
  const { id } = await make([{ name: 'a' }]);
  await insert(id, [{ a: '1' }, { a: '2' }]);
  const { next_cursor } = await rowsOf(id, { sort: 'a', size: 1 });
  const made = Buffer.from(JSON.stringify(['a,id', { evil: 1 }, 'x'])).toString('base64url');
  for (const [sort, cursor] of [
    ['-a', next_cursor],
    ['', next_cursor],
    ['a', 'x'],
    ['a', made],
  ])
    assert.deepEqual(validationErrors(await call('GET', `${path(id)}?sort=${sort}&cursor=${cursor}`)), [
      'query.cursor: value_error',
    ]);
  assert.deepEqual(validationErrors(await call('GET', `${path(id)}?sort=nope`)), ['query.sort: value_error']);
  assert.deepEqual(validationErrors(await call('GET', `${path(id)}?sort=${encodeURIComponent('a; drop table x')}`)), [
    'query.sort: value_error',
  ]);
  assert.deepEqual(validationErrors(await call('GET', `${path(id)}?size=101`)), ['query.size: less_than_equal']);
});

test('an upsert updates rows that match the key and inserts the rest', async () => {
  const { id } = await make([{ name: 'mail' }, { name: 'n', type: 'integer', default: '9' }, { name: 'note' }]);
  await insert(id, [
    { mail: 'a', n: 1, note: 'kept' },
    { mail: 'b', n: 2 },
  ]);
  const upsert = (rows: object[], on = 'mail') => call('PUT', path(id), { rows, on });
  const done = good(await upsert([{ mail: 'b', n: 20 }, { mail: 'c' }, { mail: 'a', note: 'new' }]));
  assert.deepEqual([done.updated, done.inserted, done.ids.length], [2, 1, 1]);
  const { items } = await rowsOf(id, { sort: 'mail' });
  assert.deepEqual(
    items.map(({ mail, n, note }: Row) => [mail, n, note]),
    [
      ['a', 1, 'new'],
      ['b', 20, null],
      ['c', 9, null],
    ],
  );
  assert.equal(good(await upsert([{ id: items[0].id, n: 5 }], 'id')).updated, 1);
  assert.deepEqual(validationErrors(await upsert([{ mail: 'x' }, { mail: 'x' }, { n: 1 }])), [
    'body.rows.1.mail: value_error',
    'body.rows.2.mail: value_error',
  ]);
  assert.deepEqual(validationErrors(await upsert([{ mail: 'x' }], 'nope')), ['body.on: value_error']);
  await Promise.all(Array.from({ length: 8 }, () => upsert([{ mail: 'raced', n: 1 }])));
  assert.equal((await rowsOf(id, { filter: [{ column: 'mail', value: 'raced' }], total: true })).total, 1);
});

test('readers and writers go on while columns are renamed and change their type', async () => {
  const { id } = await make([{ name: 'a', type: 'text' }, { name: 'gone' }]);
  await insert(
    id,
    Array.from({ length: 200 }, (_, n) => ({ a: String(n) })),
  );
  let stop = false;
  const shapes = new Set<string>();
  const reader = async () => {
    while (!stop) {
      const { status, json, text } = await call('GET', `${path(id)}?size=100`);
      assert.equal(status, 200, text);
      for (const row of json.items) shapes.add(`${Object.keys(row)} ${typeof (row.a ?? row.b)}`);
    }
  };
  const writer = async () => {
    while (!stop) {
      const { status, text } = await call('POST', path(id), {});
      assert.equal(status, 200, text);
    }
  };
  const work = Promise.all([reader(), reader(), writer()]);
  const column = `/v1/tables/${id}/columns`;
  good(await call('PATCH', `${column}/a/rename`, { new_name: 'b' }));
  good(await call('PATCH', `${column}/b/type`, { new_type: 'integer' }));
  good(await call('DELETE', `${column}/gone`));
  stop = true;
  await work;
  const allowed = ['id,a,gone string', 'id,b,gone string', 'id,b,gone number', 'id,b number'];
  const nulls = ['id,a,gone object', 'id,b,gone object', 'id,b object'];
  for (const shape of shapes) assert.ok([...allowed, ...nulls].includes(shape), shape);
});

test('finds rows by a text in any of their texts, also on later pages and beside filters', async () => {
  const { id } = await make([{ name: 'a' }, { name: 'b' }, { name: 'n', type: 'integer' }]);
  await insert(id, [
    { a: 'Blue whale', n: 1 },
    { b: 'the BLUE note', n: 2 },
    { a: '100% wool', n: 3 },
    { a: 'red', b: 'green', n: 4 },
  ]);
  const found = async (query: Record<string, unknown>) => (await rowsOf(id, query)).items.map(({ n }: Row) => n);
  assert.deepEqual(await found({ search: 'blue' }), [1, 2]);
  assert.deepEqual(await found({ search: '0% w' }), [3]);
  assert.deepEqual(await found({ search: '%' }), [3]);
  assert.deepEqual(await found({ search: 'blue', filter: [{ column: 'n', op: 'gt', value: 1 }] }), [2]);
  const first = await rowsOf(id, { search: 'blue', size: 1, total: true });
  assert.equal(first.total, 2);
  assert.deepEqual(await found({ search: 'blue', cursor: first.next_cursor }), [2]);
});

test('sums, averages and bounds of the matching rows come in one request', async () => {
  const { id } = await make([
    { name: 't' },
    { name: 'i', type: 'integer' },
    { name: 'x', type: 'number' },
    { name: 'd', type: 'date' },
    { name: 'b', type: 'boolean' },
    { name: 'at', type: 'datetime' },
  ]);
  await insert(id, [
    { t: 'a', i: 1, x: 0.5, d: '2026-01-01', b: true, at: '2026-01-01T00:00:00Z' },
    { t: 'b', i: 5, x: 1.5, d: '2026-02-01', b: false },
    { t: 'c' },
    { t: 'left out', i: 100 },
  ]);
  const totals = async (query: Record<string, string>) =>
    call('GET', `/v1/tables/${id}/totals?${new URLSearchParams(query)}`);
  const filter = JSON.stringify([{ column: 't', op: 'ne', value: 'left out' }]);
  assert.deepEqual(good(await totals({ filter, columns: 't,i,x,d,b,at,id' })).columns, {
    t: { count: 3, sum: null, avg: null, min: 'a', max: 'c' },
    i: { count: 2, sum: 6, avg: 3, min: 1, max: 5 },
    x: { count: 2, sum: 2, avg: 1, min: 0.5, max: 1.5 },
    d: { count: 2, sum: null, avg: null, min: '2026-01-01', max: '2026-02-01' },
    b: { count: 2, sum: null, avg: null, min: null, max: null },
    at: { count: 1, sum: null, avg: null, min: '2026-01-01T00:00:00.000Z', max: '2026-01-01T00:00:00.000Z' },
    id: { count: 3, sum: null, avg: null, min: null, max: null },
  });
  assert.deepEqual(good(await totals({ search: 'left' })), { count: 1, columns: {} });
  assert.deepEqual(validationErrors(await totals({ columns: 'i,nope' })), ['query.columns: value_error']);
});

test('a list says who wrote each row last when asked', async () => {
  const { id } = await make([{ name: 'a' }]);
  const { ids } = await insert(id, [{ a: 'x' }, { a: 'y' }]);
  good(await app.call('PATCH', path(id, `/${ids[1]}`), { a: 'z' }, { headers: { 'x-workspace-id': home.id } }));
  assert.equal((await rowsOf(id)).updated, undefined);
  const { updated } = await rowsOf(id, { updated: true });
  for (const { updated_at, updated_by, updated_by_actor } of updated) {
    assert.ok(Date.now() - Date.parse(updated_at) < 60_000);
    assert.deepEqual([updated_by_actor.id, updated_by_actor.kind], [updated_by, 'service_account_key']);
  }
  assert.notEqual(updated[0].updated_by, updated[1].updated_by);
});
