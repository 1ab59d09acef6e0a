import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testServer } from '../../../../test/support/test-database.ts';
import { openDatabase } from '../../../db/database.ts';
import { makeLog } from '../../../lib/log.ts';
import { makeTableJobs } from '../jobs.ts';
import { tablesApp } from '../testing.ts';

const { app, call, good, validationErrors, make, insert, rowsOf, upload, query, home, workspace } = await tablesApp();

const [{ database }] = await query('select current_database() as database');
const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log: makeLog('silent') });
const jobs = makeTableJobs({ db });
test.after(() => db.close());

type Change = { id: string; kind: string; created: number; updated: number; deleted: number; cascaded: number };
const path = (id: string, rest = '') => `/v1/tables/${id}${rest}`;
const changesOf = async (id: string, search = ''): Promise<Change[]> =>
  good(await call('GET', path(id, `/changes${search}`))).items;
const lastChange = async (id: string) => (await changesOf(id))[0] as Change;
const undo = (id: string, change_id: string, search = '') =>
  call('POST', path(id, `/changes/${change_id}/undo${search}`));
const bulk = (id: string, body: object, search = '') => call('POST', path(id, `/rows/bulk${search}`), body);
const historyOf = async (id: string, row_id: string | number) =>
  good(await call('GET', path(id, `/rows/${row_id}/history`)));
const things = [{ name: 'a' }, { name: 'n', type: 'integer' }, { name: 'at', type: 'datetime' }];

test('the history of a row says who changed it, when, and its cells before and after', async () => {
  const { id } = await make(things);
  const row = await insert(id, { a: 'one', n: 1, at: '2026-01-02T03:04:05.678Z' });
  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: 'two' }));
  good(await call('PUT', path(id, '/rows'), { on: 'id', rows: [{ id: row.id, n: 5, a: 'two' }] }));
  good(await call('DELETE', path(id, `/rows/${row.id}`)));
  const { items, exists } = await historyOf(id, row.id);
  assert.equal(exists, false);
  const shown = items.map(({ kind, before, after }: Record<string, unknown>) => ({ kind, before, after }));
  assert.deepEqual(shown, [
    { kind: 'deleted', before: { a: 'two', n: 5, at: '2026-01-02T03:04:05.678Z' }, after: null },
    { kind: 'updated', before: { a: 'two', n: 1 }, after: { a: 'two', n: 5 } },
    { kind: 'updated', before: { a: 'one' }, after: { a: 'two' } },
    { kind: 'created', before: null, after: { a: 'one', n: 1, at: '2026-01-02T03:04:05.678Z' } },
  ]);
  for (const { changed_by, changed_by_actor, changed_at, run_id } of items) {
    assert.deepEqual([changed_by_actor.id, run_id], [changed_by, null]);
    assert.equal(changed_by_actor.kind, 'service_account_key');
    assert.ok(Date.now() - Date.parse(changed_at) < 60_000);
  }
  assert.deepEqual(
    (await changesOf(id)).map(({ kind }) => kind),
    ['delete', 'upsert', 'update', 'insert'],
  );
});

test('many rows are changed by ids or by a filter in one change, and counted in a dry run', async () => {
  const { id } = await make(things, { id_type: 'autoincrement' });
  const { ids } = await insert(
    id,
    Array.from({ length: 30 }, (_, n) => ({ a: n % 3 ? 'odd one' : 'Third', n })),
  );
  const dry = good(
    await bulk(
      id,
      { action: 'update', filter: [{ column: 'n', op: 'gte', value: 20 }], values: { n: 0 } },
      '?dry_run=true',
    ),
  );
  assert.deepEqual(dry, { dry_run: true, matched: 10, changed: 0, missing: [], change_id: null });
  assert.equal((await rowsOf(id, { filter: [{ column: 'n', value: 0 }], total: true })).total, 1);

  const done = good(await bulk(id, { action: 'update', ids: [ids[0], ids[1], 999], values: { a: null } }));
  assert.deepEqual([done.matched, done.changed, done.missing], [2, 2, [999]]);
  assert.equal((await lastChange(id)).id, done.change_id);
  const gone = good(await bulk(id, { action: 'delete', search: 'THIRD' }));
  assert.deepEqual([gone.matched, gone.changed], [9, 9]);
  assert.equal((await rowsOf(id, { total: true })).total, 21);
  const shown = good(await call('GET', path(id, `/changes/${gone.change_id}`)));
  assert.deepEqual([shown.deleted, shown.rows.length, shown.rows[0].before.a], [9, 9, 'Third']);

  const refused: [object, string[]][] = [
    [{ action: 'delete' }, ['body.filter: value_error']],
    [{ action: 'delete', filter: [] }, ['body.filter: value_error']],
    [{ action: 'delete', ids: [1], search: 'x' }, ['body.ids: value_error']],
    [{ action: 'delete', ids: ['x'] }, ['body.ids.0: int_parsing']],
    [{ action: 'delete', ids: [{}] }, ['body.ids.0: string_type']],
    [{ action: 'delete', ids: [1, 2], etags: ['1'] }, ['body.etags: value_error']],
    [{ action: 'delete', ids: [1], values: { a: 'x' } }, ['body.values: value_error']],
    [{ action: 'update', ids: [1] }, ['body.values: value_error']],
    [{ action: 'update', ids: [1], values: { id: 2 } }, ['body.values.id: value_error']],
    [{ action: 'update', ids: [1], values: { n: 'x' } }, ['body.values.n: int_parsing']],
    [{ action: 'delete', filter: [{ column: 'nope' }] }, ['body.filter.0.column: value_error']],
  ];
  for (const [body, errors] of refused) assert.deepEqual(validationErrors(await bulk(id, body)), errors);
});

test('changes no row when more than 10,000 match', async () => {
  const { id } = await make([{ name: 'n', type: 'integer' }]);
  for (const size of [10_000, 1])
    await insert(
      id,
      Array.from({ length: size }, () => ({ n: 1 })),
    );
  const filter = [{ column: 'n', value: 1 }];
  const { status, json } = await bulk(id, { action: 'delete', filter });
  assert.deepEqual([status, json.code], [409, 'too_many_rows']);
  assert.equal(good(await bulk(id, { action: 'delete', filter }, '?dry_run=true')).matched, 10_001);
});

test('changes no row when one of the given versions is old', async () => {
  const { id } = await make(things);
  await insert(id, [{ a: 'x' }, { a: 'y' }]);
  const { items, etags } = await rowsOf(id, { etags: true });
  const ids = items.map((row: { id: string }) => row.id);
  good(await call('PATCH', path(id, `/rows/${ids[1]}`), { a: 'newer' }));
  const late = await bulk(id, { action: 'update', ids, etags, values: { n: 1 } });
  assert.deepEqual([late.status, late.json.code, late.json.count], [409, 'rows_changed', 1]);
  assert.deepEqual(late.json.rows, [{ table_id: id, row_id: ids[1] }]);
  const fresh = (await rowsOf(id, { etags: true })).etags;
  assert.equal(good(await bulk(id, { action: 'update', ids, etags: fresh, values: { n: 1 } })).changed, 2);
});

test('undoes every kind of change, and the undoing too', async () => {
  const { id } = await make(things);
  const state = async () => (await rowsOf(id)).items;
  const { ids } = await insert(id, [
    { a: 'x', n: 1, at: '2026-01-01T00:00:00Z' },
    { a: 'y', n: 2 },
  ]);
  const inserted = await lastChange(id);
  const first = await state();
  const steps: [string, () => Promise<unknown>][] = [
    ['update', () => call('PATCH', path(id, `/rows/${ids[0]}`), { a: 'z', at: null })],
    [
      'upsert',
      () =>
        call('PUT', path(id, '/rows'), {
          on: 'a',
          rows: [
            { a: 'y', n: 9 },
            { a: 'new', n: 3 },
          ],
        }),
    ],
    ['update', () => bulk(id, { action: 'update', ids, values: { n: null } })],
    ['delete', () => bulk(id, { action: 'delete', ids })],
    ['delete', () => call('DELETE', path(id, `/rows/${ids[1]}`))],
  ];
  for (const [kind, step] of steps) {
    await step();
    const [change, after] = [await lastChange(id), await state()];
    assert.equal(change.kind, kind);
    assert.notDeepEqual(after, first);
    good(await undo(id, change.id, '?dry_run=true'));
    assert.deepEqual(await state(), after);
    const undone = good(await undo(id, change.id));
    assert.deepEqual(await state(), first, kind);
    good(await undo(id, undone.change_id));
    assert.deepEqual(await state(), after, `${kind} again`);
    good(await undo(id, (await lastChange(id)).id));
    const shown = good(await call('GET', path(id, `/changes/${change.id}`)));
    assert.equal(shown.undone_in, undone.change_id);
  }
  const { status } = await undo(id, inserted.id);
  assert.equal(status, 409);
});

test('refuses to undo what was changed since, and changes nothing', async () => {
  const { id } = await make(things);
  const { ids } = await insert(id, [{ a: 'x' }, { a: 'y' }]);
  const inserted = await lastChange(id);
  const change = good(await bulk(id, { action: 'update', ids, values: { a: 'set' } }));
  good(await call('PATCH', path(id, `/rows/${ids[0]}`), { n: 7 }));
  // Another cell of the row is not in the way.
  assert.equal(good(await undo(id, change.change_id, '?dry_run=true')).updated, 2);
  good(await call('PATCH', path(id, `/rows/${ids[0]}`), { a: 'later' }));
  const late = await undo(id, change.change_id);
  assert.deepEqual(
    [late.status, late.json.code, late.json.rows],
    [409, 'rows_changed', [{ table_id: id, row_id: ids[0] }]],
  );
  assert.equal((await undo(id, inserted.id)).json.code, 'rows_changed');
  assert.deepEqual(
    (await rowsOf(id)).items.map(({ a }: { a: string }) => a),
    ['later', 'set'],
  );
  assert.equal((await undo(id, randomUUID())).status, 404);
});

test('keeps the order of changes when the node that made the first one has a clock that is ahead', async () => {
  const { id } = await make(things);
  const row = await insert(id, { a: 'one' });
  const { id: first } = await lastChange(id);
  const ahead = `ffffffff${first.slice(8)}`;
  await query(
    `insert into table_changes (workspace_id, table_id, id, kind, created)
     select workspace_id, table_id, $2, kind, created from table_changes where id = $1`,
    [first, ahead],
  );
  await query('update table_row_history set change_id = $2 where change_id = $1', [first, ahead]);
  await query('delete from table_changes where id = $1', [first]);
  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: 'two' }));
  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: 'one' }));
  const { items } = await historyOf(id, row.id);
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['updated', 'updated', 'created'],
  );
  const refused = await undo(id, ahead);
  assert.equal(refused.status, 409, refused.text);
  assert.equal((await rowsOf(id)).items.length, 1);
});

test('former cells keep their column when it is renamed, and are refused when they fit it no more', async () => {
  const { id } = await make(things);
  const row = await insert(id, { a: 'text' });
  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: '5' }));
  const change = await lastChange(id);
  good(await call('PATCH', path(id, '/columns/a/rename'), { new_name: 'b' }));
  assert.deepEqual((await historyOf(id, row.id)).items[0].before, { b: 'text' });
  good(await undo(id, change.id));
  assert.equal((await rowsOf(id)).items[0].b, 'text');
  good(await undo(id, (await lastChange(id)).id));
  good(await call('PATCH', path(id, '/columns/b/type'), { new_type: 'integer' }));
  const { status, json } = await undo(id, change.id);
  assert.equal(status, 409, JSON.stringify(json));
});

test('a deletion that other rows go with is undone with them', async () => {
  const parents = await make([{ name: 'p' }], { name: 'Parents' });
  const columns = [
    { name: 'c' },
    { name: 'of', type: 'reference', references: parents.id, on_delete: 'cascade' },
    { name: 'also', type: 'reference', references: parents.id, on_delete: 'set_null' },
  ];
  const children = await make(columns, { name: 'Children' });
  const grand = [{ name: 'g' }, { name: 'of', type: 'reference', references: children.id, on_delete: 'cascade' }];
  const grandchildren = await make(grand, { name: 'Grandchildren' });
  const { ids } = await insert(parents.id, [{ p: 'A' }, { p: 'B' }]);
  const born = await insert(children.id, [
    { c: 'both', of: ids[0], also: ids[0] },
    { c: 'emptied', of: ids[1], also: ids[0] },
  ]);
  await insert(grandchildren.id, { g: 'deep', of: born.ids[0] });
  const all = async () =>
    Promise.all([parents, children, grandchildren].map(async ({ id }) => (await rowsOf(id)).items));
  const before = await all();
  good(await call('DELETE', path(parents.id, `/rows/${ids[0]}`)));
  assert.deepEqual(
    (await all()).map((rows) => rows.length),
    [1, 1, 0],
  );
  const gone = await lastChange(parents.id);
  assert.equal(gone.deleted, 1);
  assert.ok(gone.cascaded >= 3);
  assert.equal((await historyOf(children.id, born.ids[0])).items[0].kind, 'deleted');
  good(await undo(parents.id, gone.id));
  assert.deepEqual(await all(), before);

  // A row that others refer to since is not taken away from under them.
  const { id } = await insert(parents.id, { p: 'C' });
  const made = await lastChange(parents.id);
  await insert(children.id, { c: 'late', of: id });
  assert.equal((await undo(parents.id, made.id)).json.code, 'row_is_referenced');
});

test('deleted rows are restored by their ids', async () => {
  const { id } = await make(things, { id_type: 'autoincrement' });
  const { ids } = await insert(id, [{ a: 'x' }, { a: 'y' }, { a: 'z' }]);
  for (const row of ids.slice(0, 2)) good(await call('DELETE', path(id, `/rows/${row}`)));
  const back = good(await call('POST', path(id, '/rows/restore'), { ids }));
  assert.deepEqual([back.created, back.missing], [2, [String(ids[2])]]);
  assert.deepEqual(
    (await rowsOf(id)).items.map(({ a }: { a: string }) => a),
    ['x', 'y', 'z'],
  );
  const again = good(await call('POST', path(id, '/rows/restore'), { ids }));
  assert.deepEqual([again.created, again.change_id], [0, null]);
  assert.ok((await insert(id, { a: 'next' })).id > ids[2]);
});

test('an import is one change, and is undone as one', async () => {
  const { id } = await make([{ name: 'a' }]);
  good(await upload(path(id, '/import'), 'x.csv', 'a\nx\ny\n'));
  const change = await lastChange(id);
  assert.deepEqual([change.kind, change.created], ['import', 2]);
  assert.equal(good(await undo(id, change.id)).deleted, 2);
  const lines = Array.from({ length: 10_001 }, (_, n) => `x${n}`).join('\n');
  good(await upload(path(id, '/import'), 'x.csv', `a\n${lines}\n`));
  const large = await lastChange(id);
  assert.equal(large.created, 10_001);
  assert.equal((await undo(id, large.id)).json.code, 'rows_not_kept');
});

test('the history of a row can be erased, and goes with its table, its column and its time', async () => {
  const { id } = await make(things);
  const row = await insert(id, { a: 'secret' });
  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: 'public' }));
  const change = await lastChange(id);
  good(await call('DELETE', path(id, `/rows/${row.id}/history`)));
  assert.deepEqual((await historyOf(id, row.id)).items, []);
  assert.equal((await undo(id, change.id)).json.code, 'rows_not_kept');
  assert.equal((await call('GET', path(id, `/rows/${randomUUID()}/history`))).status, 404);

  good(await call('PATCH', path(id, `/rows/${row.id}`), { a: 'dropped', n: 1 }));
  good(await call('DELETE', path(id, '/columns/a')));
  assert.deepEqual((await historyOf(id, row.id)).items[0].after, { n: 1 });
  await query("update table_columns set dropped_at = now() - interval '8 days' where table_id = $1 and name = 'a'", [
    id,
  ]);
  const purge = () => jobs.purge.handler({ log: makeLog('silent'), signal: new AbortController().signal }, {});
  await purge();
  const [left] = await query('select before::text || after::text as cells from table_row_history where table_id = $1', [
    id,
  ]);
  assert.ok(!String(left.cells).includes('dropped'));

  await query("update table_changes set changed_at = now() - interval '91 days' where table_id = $1", [id]);
  await purge();
  assert.deepEqual(await changesOf(id), []);
});

test('the history is for those who may read the table; undoing and erasing it need more', async () => {
  const { id } = await make(things);
  const row = await insert(id, { a: 'x' });
  const change = await lastChange(id);
  const keyWith = async (...permissions: string[]) =>
    good(await app.call('POST', `/v1/admin/groups/${home.id}/api-keys`, { name: 'weak', permissions })).value;
  const [reader, editor, none] = [
    await keyWith('tables_read'),
    await keyWith('tables_edit'),
    await keyWith('files_read'),
  ];
  const statuses = async (key: string) =>
    Promise.all(
      [
        ['GET', `/rows/${row.id}/history`],
        ['GET', '/changes'],
        ['POST', `/changes/${change.id}/undo?dry_run=true`],
        ['DELETE', `/rows/${row.id}/history`],
      ].map(async ([method = '', at]) => (await call(method, path(id, at), undefined, { key })).status),
    );
  assert.deepEqual(await statuses(none), [403, 403, 403, 403]);
  assert.deepEqual(await statuses(reader), [200, 200, 403, 403]);
  assert.deepEqual((await statuses(editor)).slice(2), [200, 403]);
  const { key } = await workspace();
  assert.deepEqual(await statuses(key), [404, 404, 404, 404]);
});
