import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { reservedWords } from './column-names.ts';
import { tablesApp } from './testing.ts';

const { app, call, good, validationErrors, make, insert, rowsOf, home, query } = await tablesApp();

test('a table needs only a name, and shows every field', async () => {
  const table = good(await call('POST', '/v1/tables', { name: 'Orders' }));
  assert.deepEqual(
    { ...table, id: 0, created_at: 0, updated_at: 0, etag: 0 },
    {
      id: 0,
      group_id: home.id,
      name: 'Orders',
      sql_name: 'orders',
      description: null,
      id_type: 'uuid',
      columns: [],
      meta: {},
      created_at: 0,
      updated_at: 0,
      etag: 0,
      source: 'custom',
      deleted_at: null,
      dropped_columns: [],
      used_by: [],
      report: null,
      may: { edit: true, delete: true, write: true },
    },
  );
  assert.deepEqual(good(await call('GET', `/v1/tables/${table.id}`)), table);
});

test('derives a safe and unique SQL name from the name of a table', async () => {
  const named = async (name: string) => good(await call('POST', '/v1/tables', { name })).sql_name;
  assert.equal(await named('Kundenaufträge 2024'), 'kundenauftrage_2024');
  assert.equal(await named('Kundenaufträge 2024'), 'kundenauftrage_2024_2');
  assert.equal(await named('Order'), 'order_table');
  assert.equal(await named('conversations'), 'conversations_2');
  assert.equal(await named('pg_class'), 'data_pg_class');
  assert.equal(await named('2024'), 'data_2024');
  assert.equal(await named('"; drop schema public cascade; --'), 'drop_schema_public_cascade');
  assert.equal(await named('東京'), 'data');
  assert.match(await named('x'.repeat(200)), /^x{50}$/);
  // Letters of another alphabet that look like ours.
  assert.equal(await named('аdmin'), 'dmin');
});

test('tables that are made at the same moment get names of their own', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => make([{ name: 'a' }], { name: 'Twins' })));
  assert.equal(new Set(made.map(({ sql_name }) => sql_name)).size, 6);
});

test('workspaces make their first tables at the same moment', async () => {
  const others = await Promise.all(Array.from({ length: 8 }, () => app.workspace()));
  const made = await Promise.all(others.map(({ key }) => call('POST', '/v1/tables', { name: 'First' }, { key })));
  for (const { status, text } of made) assert.equal(status, 200, text);
});

test('the words we refuse are those that the server keeps for itself', async () => {
  const words = await query(`select word from pg_get_keywords() where catcode in ('R', 'T')`);
  assert.deepEqual([...reservedWords].sort(), words.map(({ word }) => word).sort());
});

test('a column name that can not be one is refused with the reason, and nothing is made', async () => {
  const before = await query('select count(*)::int as count from pg_class');
  for (const name of [
    'select',
    'Order',
    'x'.repeat(64),
    'a"b',
    "a'b",
    'a b',
    'a;drop table x',
    'naïve',
    'аmount',
    'a\u200bb',
    '1st',
    'id',
    'ID',
    'ctid',
    '__proto__',
  ]) {
    const body = {
      name: 'Bad',
      columns: [
        { name: 'fine', type: 'text' },
        { name, type: 'text' },
      ],
    };
    assert.deepEqual(
      validationErrors(await call('POST', '/v1/tables', body)),
      ['body.columns.1.name: value_error'],
      name,
    );
  }
  const wrong = [
    [[{ name: 'a' }, { name: 'A' }], 'body.columns.1.name: value_error'],
    [[{ name: 'a', type: 'varchar' }], 'body.columns.0.type: literal_error'],
    [[{ name: 'a', type: 'integer', default: 'ten' }], 'body.columns.0.default: int_parsing'],
    [[{ name: 'a', type: 'date', default: '2024-02-30' }], 'body.columns.0.default: date_parsing'],
    [[{ name: 'a', type: 'boolean', default: 'perhaps' }], 'body.columns.0.default: bool_parsing'],
    [[{ name: 'a', type: 'json', default: '{' }], 'body.columns.0.default: json_invalid'],
    [[{ name: 'a', type: 'uuid', default: 'x' }], 'body.columns.0.default: uuid_parsing'],
    [[{ name: 'a', type: 'reference' }], 'body.columns.0.references: value_error'],
    [[{ name: 'a', type: 'reference', references: randomUUID() }], 'body.columns.0.references: value_error'],
    [[{ name: 'a', type: 'text', references: randomUUID() }], 'body.columns.0.references: value_error'],
    [[{ name: 'a', type: 'text', on_delete: 'cascade' }], 'body.columns.0.on_delete: value_error'],
    [[{ name: 'a', unique: true }], 'body.columns.0.unique: extra_forbidden'],
  ] as const;
  for (const [columns, validationError] of wrong)
    assert.deepEqual(validationErrors(await call('POST', '/v1/tables', { name: 'Bad', columns })), [validationError]);
  assert.deepEqual(await query('select count(*)::int as count from pg_class'), before);
  assert.equal((await query(`select 1 from tables where name = 'Bad'`)).length, 0);
});

test('tables that refer to themselves or to each other in a circle are refused', async () => {
  const first = await make([{ name: 'a' }]);
  const second = await make([{ name: 'first', type: 'reference', references: first.id }]);
  const third = await make([{ name: 'second', type: 'reference', references: second.id }]);
  const refer = (from: string, references: string) =>
    call('POST', `/v1/tables/${from}/columns`, { name: 'back', type: 'reference', references });
  assert.deepEqual(validationErrors(await refer(first.id, first.id)), ['body.references: value_error']);
  for (const target of [second, third]) {
    const { status, json } = await refer(first.id, target.id);
    assert.deepEqual([status, json.code], [409, 'circular_reference']);
  }
  assert.deepEqual(good(await call('GET', `/v1/tables/${first.id}`)).columns.length, 1);
});

test('references are real: their policies decide what a delete does', async () => {
  const customers = await make([{ name: 'name' }], { id_type: 'autoincrement' });
  const ada = await insert(customers.id, { name: 'Ada' });
  const outcomes: Record<string, unknown> = {};
  for (const on_delete of ['restrict', 'cascade', 'set_null']) {
    const orders = await make([{ name: 'customer', type: 'reference', references: customers.id, on_delete }]);
    assert.equal(orders.columns[0].on_delete, on_delete);
    const one = await insert(customers.id, { name: on_delete });
    await insert(orders.id, [{ customer: one.id }, { customer: ada.id }]);
    const { status, json } = await call('DELETE', `/v1/tables/${customers.id}/rows/${one.id}`);
    const left = (await rowsOf(orders.id)).items.map(({ customer }: { customer: number }) => customer);
    outcomes[on_delete] = [status, json.code, left.length, left.includes(null)];
    const missing = await call('POST', `/v1/tables/${orders.id}/rows`, [{ customer: ada.id }, { customer: 999 }]);
    assert.deepEqual(validationErrors(missing), ['body.1.customer: value_error']);
  }
  assert.deepEqual(outcomes, {
    restrict: [409, 'row_is_referenced', 2, false],
    cascade: [200, undefined, 1, false],
    set_null: [200, undefined, 2, true],
  });
  const { status, json } = await call('DELETE', `/v1/tables/${customers.id}`);
  assert.deepEqual([status, json.code], [409, 'table_is_referenced']);
});

test('a table is renamed, described and found again; its name in SQL stays', async () => {
  const made = await make([], { name: 'Findable', meta: { a: 1 } });
  const changed = good(await call('PATCH', `/v1/tables/${made.id}`, { name: 'Found', description: 'why', meta: null }));
  assert.deepEqual(
    [changed.name, changed.sql_name, changed.description, changed.meta],
    ['Found', 'findable', 'why', { a: 1 }],
  );
  const list = good(await call('GET', '/v1/tables?search=foun&source=custom'));
  assert.deepEqual([list.total, list.items[0].id], [1, made.id]);
});

test('a deleted table is kept and comes back with its rows, under a free name', async () => {
  const made = await make([{ name: 'a' }], { name: 'Gone' });
  const row = await insert(made.id, { a: 'kept' });
  assert.deepEqual(good(await call('DELETE', `/v1/tables/${made.id}`)), { success: true });
  assert.equal((await call('GET', `/v1/tables/${made.id}`)).status, 404);
  assert.equal((await call('GET', `/v1/tables/${made.id}/rows`)).status, 404);
  const deleted = good(await call('GET', '/v1/tables?deleted=true'));
  assert.deepEqual(
    deleted.items.map(({ id, deleted_at }: { id: string; deleted_at: string }) => [id, deleted_at !== null]),
    [[made.id, true]],
  );
  const other = await make([], { name: 'Gone' });
  assert.equal(other.sql_name, 'gone');
  const back = good(await call('POST', `/v1/tables/${made.id}/restore`));
  assert.deepEqual([back.sql_name, back.deleted_at], ['gone_2', null]);
  assert.deepEqual((await rowsOf(made.id)).items, [row]);
});

test('restoring a table whose referenced rows are gone fails, or empties the cells on request', async () => {
  const parents = await make([{ name: 'a' }]);
  const children = await make([{ name: 'parent', type: 'reference', references: parents.id }]);
  const parent = await insert(parents.id, { a: 'x' });
  await insert(children.id, { parent: parent.id });
  good(await call('DELETE', `/v1/tables/${children.id}`));
  // A deleted table does not block the deletion of rows it refers to.
  good(await call('DELETE', `/v1/tables/${parents.id}/rows/${parent.id}`));
  const refused = await call('POST', `/v1/tables/${children.id}/restore`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'rows_do_not_fit']);
  good(await call('POST', `/v1/tables/${children.id}/restore?on_failure=null`));
  assert.deepEqual(
    (await rowsOf(children.id)).items.map((row: { parent: unknown }) => row.parent),
    [null],
  );
});

test('platform tables are read-only, and only callers that can read conversations see them', async () => {
  const conversation = good(await call('POST', '/v1/conversations', { name: 'Seen' }));
  const { items } = good(await call('GET', '/v1/tables?source=platform'));
  assert.deepEqual(
    items.map(({ sql_name }: { sql_name: string }) => sql_name),
    ['conversations', 'messages', 'runs', 'documents', 'feedback'],
  );
  const kb = good(await call('POST', '/v1/knowledge-bases', { name: 'Seen' }));
  good(await call('POST', `/v1/knowledge-bases/${kb.id}/document`, { name: 'a.txt', prefix: '/x' }));
  const documents = good(await call('POST', '/v1/tables/query', { sql: 'select name, prefix, status from documents' }));
  assert.deepEqual(documents.items, [{ name: 'a.txt', prefix: '/x/', status: 'uploaded' }]);
  const [{ id }] = items;
  const rows = await rowsOf(id, { filter: [{ column: 'name', op: 'eq', value: 'Seen' }], total: true });
  assert.deepEqual([rows.items[0].id, rows.total], [conversation.id, 1]);
  for (const [method, path, body] of [
    ['POST', 'rows', { name: 'x' }],
    ['PATCH', `rows/${conversation.id}`, { name: 'x' }],
    ['DELETE', `rows/${conversation.id}`],
    ['POST', 'columns', { name: 'x' }],
    ['DELETE', 'columns/name'],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
  ] as const) {
    const { status, json } = await call(method, `/v1/tables/${id}/${path}`.replace(/\/$/, ''), body);
    assert.deepEqual([status, json.code], [409, 'table_is_read_only'], `${method} ${path}`);
  }
  const path = `/v1/admin/groups/${home.id}/api-keys`;
  const { value: key } = good(await call('POST', path, { name: 'reader', permissions: ['tables_read'] }));
  assert.equal((await call('GET', `/v1/tables/${id}`, undefined, { key })).status, 404);
  assert.equal(good(await call('GET', '/v1/tables?source=platform', undefined, { key })).total, 0);
  const asked = await call('POST', '/v1/tables/query', { sql: 'select count(*) from conversations' }, { key });
  assert.equal(asked.status, 403);
  const other = await app.workspace();
  assert.equal((await call('GET', `/v1/tables/${id}`, undefined, { key: other.key })).status, 404);
});

test('the table names the agents that use it, in what is published or drafted', async () => {
  const [used, unused] = [await make([{ name: 'a' }]), await make()];
  const agent = good(
    await call('POST', '/v1/agents', { name: 'Clerk', definition: { tables: [{ id: used.id, access: 'write' }] } }),
  );
  const user = { kind: 'agent', id: agent.id, name: 'Clerk' };
  assert.deepEqual(good(await call('DELETE', `/v1/tables/${used.id}/columns/a`)).used_by, [user]);
  assert.deepEqual(good(await call('GET', `/v1/tables/${unused.id}`)).used_by, []);
  const drafted = { definition: { tables: [unused.id.toUpperCase()] } };
  good(await call('PATCH', `/v1/agents/${agent.id}?preview=true`, drafted));
  assert.deepEqual(good(await call('GET', `/v1/tables/${unused.id}`)).used_by, [user]);
});

test('a key gives an agent no table that it may not use itself', async () => {
  const table = await make([{ name: 'a' }]);
  const path = `/v1/admin/groups/${home.id}/api-keys`;
  const keyWith = async (permissions: string[]) => good(await call('POST', path, { name: 'k', permissions })).value;
  const [none, reader] = [await keyWith(['agents_edit']), await keyWith(['agents_edit', 'tables_read'])];
  const give = async (key: string, entry: unknown) =>
    (await call('POST', '/v1/agents', { name: 'x', definition: { tables: [entry] } }, { key })).status;
  assert.equal(await give(none, table.id), 403);
  assert.equal(await give(reader, table.id), 200);
  assert.equal(await give(reader, { id: table.id, access: 'write' }), 403);
  assert.equal(await give(home.key, { id: table.id, access: 'write' }), 200);
});
