import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { archivesApp, edited, form, inWorkspace, type Named, namesOf, shown } from './testing.ts';

const app = await archivesApp();
const { call, good, exported, imported, workspace, within } = app;

async function aWorkspaceWithTables() {
  const here = await workspace('Shop');
  const file = await good('POST', '/v1/files', ...form(strToU8('a bill'), inWorkspace(here.id).headers));
  const shops = await here.make('/v1/tables', {
    ...{ name: 'Shops & more', id_type: 'autoincrement', description: 'All shops', meta: { seen: file.id } },
    columns: [{ name: 'city', label: 'City', default: 'Zug', indexed: true }],
  });
  const columns = ['integer', 'number', 'boolean', 'date', 'datetime', 'json', 'uuid', 'text'].map((type) => ({
    ...{ name: `a_${type}`, type },
  }));
  const orders = await here.make('/v1/tables', {
    name: 'Orders',
    columns: [...columns, { name: 'shop', type: 'reference', references: shops.id, on_delete: 'set_null' }],
  });
  await here.make(`/v1/tables/${shops.id}/rows`, [{ id: 7, city: 'Bern' }, { city: null }]);
  const values = {
    ...{ a_integer: 9007199254740991, a_number: 0.1, a_boolean: false, a_date: '2026-02-28' },
    ...{ a_datetime: '2026-02-28T12:00:00.123Z', a_json: { a: [1, null] }, a_uuid: orders.id },
    ...{ a_text: `line\n"${file.uri}"`, shop: 7 },
  };
  await here.make(`/v1/tables/${orders.id}/rows`, [values, {}]);
  await here.make('/v1/agents', {
    name: 'Clerk',
    definition: { model: ['atrium/extractive'], tables: [{ id: orders.id, permission: 'read' }] },
  });
  return { ...here, file, shops, orders };
}

async function tablesOf(group_id: string) {
  const { get } = within(group_id);
  const tables = (await get('/v1/tables?source=custom')).items as (Named & { sql_name: string })[];
  const agents = (await get('/v1/agents')).items;
  const names = namesOf(group_id, tables, agents, (await get('/v1/files')).items);
  const rows = await Promise.all(tables.map(async ({ id }) => (await get(`/v1/tables/${id}/rows`)).items));
  const listed = tables.map((table, at) => ({ table, rows: rows[at] }));
  const byName = listed.toSorted((a, b) => a.table.sql_name.localeCompare(b.table.sql_name));
  const [definition] = agents.map((agent: { definition: { tables: unknown } }) => agent.definition.tables);
  return shown({ tables: byName, definition }, names);
}

const shop = await aWorkspaceWithTables();
const shopArchive = await exported(shop.id);

test('imports tables with their columns, references and rows, and agents that use them', async () => {
  assert.partialDeepStrictEqual(shopArchive.job.report, { tables: 2, rows: 4, files: 1 });
  const done = await imported(shopArchive.bytes);
  assert.deepEqual([done.status, done.error], ['done', null]);
  assert.partialDeepStrictEqual(done.report, { tables: 2, rows: 4, files: 1 });
  const [before, after] = [await tablesOf(shop.id), await tablesOf(done.group_id)];
  assert.equal(before.tables[0].rows.length, 2);
  assert.deepEqual(after, before);
  // The next row goes on after the ids of the archive, and SQL finds the tables by their old names.
  const { make, get } = within(done.group_id);
  const tables = (await get('/v1/tables?source=custom')).items as Named[];
  const shops = tables.find(({ name }) => name === 'Shops & more') as Named;
  const row = await make(`/v1/tables/${shops.id}/rows`, { city: 'Chur' });
  assert.deepEqual([row.id, row.city], [9, 'Chur']);
  const { items } = await make('/v1/tables/query', {
    sql: 'select s.city from orders o join shops_more s on s.id = o.shop',
  });
  assert.deepEqual(items, [{ city: 'Bern' }]);
});

test('an archive whose rows refer to missing rows is imported with empty cells', async () => {
  const done = await imported(
    edited(shopArchive.bytes, `tables/${shop.shops.id}.ndjson`, (text) => text.replace('"id":7', '"id":70')),
  );
  assert.equal(done.status, 'done', done.error);
  const note = done.follow_up.find(({ kind }: { kind: string }) => kind === 'table');
  assert.partialDeepStrictEqual(note, { what: 'left_out', name: 'Orders' });
  assert.match(note.detail, /^1 cells refer/);
  const orders = (await tablesOf(done.group_id)).tables[0];
  assert.deepEqual(
    orders.rows.map((row: { shop: unknown }) => row.shop),
    [null, null],
  );
});

const brokenTables: Record<string, [entry: 'tables' | 'rows', edit: (text: string) => string, says: RegExp]> = {
  'a row with a column that the table lacks': [
    'rows',
    (text) => text.replace('"city"', '"town"'),
    /town: Extra inputs/,
  ],
  'a row that is no JSON': ['rows', () => '{"id":', /line 1 of tables/],
  'a row twice': ['rows', (text) => text + text, /row with this id/],
  'a reference to a table of another workspace': [
    'tables',
    (text) => text.replace(`"references":"${shop.shops.id}"`, `"references":"${shop.id}"`),
    /refer to each other/,
  ],
};
for (const [name, [entry, edit, says]] of Object.entries(brokenTables))
  test(`an import of tables fails and leaves no workspace: ${name}`, async () => {
    const before = (await good('GET', '/v1/admin/groups')).length;
    const at = entry === 'rows' ? `tables/${shop.shops.id}.ndjson` : 'tables.ndjson';
    const done = await imported(edited(shopArchive.bytes, at, edit));
    assert.equal(done.status, 'failed');
    assert.match(done.error, says);
    assert.equal((await good('GET', '/v1/admin/groups')).length, before);
  });

test('refuses an archive with contents of records that have none', async () => {
  const entries = { ...unzipSync(shopArchive.bytes), [`agents/${shop.id}.ndjson`]: strToU8('') };
  const answer = await call('POST', '/v1/admin/groups/import', ...form(zipSync(entries)));
  assert.equal(answer.status, 422, answer.text);
});
