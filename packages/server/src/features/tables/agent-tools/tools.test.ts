import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const { call } = app;
const good = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const people = await good('POST', '/v1/tables', {
  name: 'People',
  description: 'Who works here',
  id_type: 'autoincrement',
  columns: [
    { name: 'full_name', label: 'Name' },
    { name: 'age', type: 'integer' },
  ],
});
const notes = await good('POST', '/v1/tables', {
  name: 'Notes',
  columns: [{ name: 'body' }, { name: 'person', type: 'reference', references: people.id }],
});
await good('POST', `/v1/tables/${people.id}/rows`, [
  { full_name: 'Ada Lovelace', age: 36 },
  { full_name: 'Grace Hopper', age: 85 },
]);

const settings = (tables: unknown[]) => ({ model: [`${name}/one`], pii_anonimization: [], tables });
const offered = () =>
  (server.last().body.tools as { function: { name: string; description: string } }[]).map((tool) => tool.function);
const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
/** Runs tool calls and returns their results as the model receives them. */
async function calling(tables: unknown[], ...calls: [tool: string, input: object][]) {
  server.reply(
    { tool_calls: calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input })) },
    { text: 'Done' },
  );
  await app.ask(settings(tables));
  return results();
}

test('an agent reads the tables its settings name, and writes only where the entry allows it', async () => {
  server.reply({ text: 'Hi' });
  await app.ask(settings([]));
  assert.ok(!offered().some((tool) => tool.name.startsWith('tables_')));

  server.reply({ text: 'Hi' });
  await app.ask(settings([people.id, { id: notes.id, access: 'read' }]));
  const reading = ['tables_query', 'tables_search', 'tables_get', 'tables_count', 'tables_describe', 'tables_sql'];
  const names = offered()
    .map((tool) => tool.name)
    .filter((tool) => tool.startsWith('tables_'));
  assert.deepEqual(names, reading);
  const about = offered().find((tool) => tool.name === 'tables_query')?.description ?? '';
  assert.match(about, /people \(People: Who works here; read only\): id integer, full_name text "Name", age integer/);
  assert.match(about, /notes .*person reference \(id of people\)/);

  assert.deepEqual(
    await calling(
      [people.id],
      ['tables_query', { table: 'people', filters: [{ column: 'age', op: 'gt', value: 40 }] }],
      ['tables_count', { table: 'people' }],
      ['tables_get', { table: 'people', id: 1 }],
      ['tables_search', { query: 'who is lovelace?' }],
      ['tables_insert', { table: 'people', rows: [{ full_name: 'Eve' }] }],
      ['tables_query', { table: 'notes' }],
    ),
    [
      { rows: [{ id: 2, full_name: 'Grace Hopper', age: 85 }], next_cursor: null },
      { count: 2 },
      { id: 1, full_name: 'Ada Lovelace', age: 36 },
      {
        results: [
          {
            table: 'people',
            content: 'full_name: Ada Lovelace, age: 36',
            row: { id: 1, full_name: 'Ada Lovelace', age: 36 },
          },
        ],
      },
      { error: 'There is no tool named tables_insert' },
      results()[5],
    ],
  );
  assert.match(results()[5].error, /^The input does not fit the tool: table/);

  const [inserted, updated, deleted, other] = await calling(
    [{ id: people.id, access: 'write' }, notes.id],
    ['tables_insert', { table: 'people', rows: [{ full_name: 'Eve', age: 5 }] }],
    ['tables_update', { table: 'people', id: 1, values: { age: 37 } }],
    ['tables_delete', { table: 'people', id: 2 }],
    ['tables_insert', { table: 'notes', rows: [{ body: 'x' }] }],
  );
  assert.deepEqual([inserted, updated.age, deleted], [{ inserted: 1, ids: [3] }, 37, { deleted: true }]);
  assert.match(other.error, /does not fit the tool/);
  const { items } = await good('GET', `/v1/tables/${people.id}/rows`);
  assert.deepEqual(
    items.map(({ id, age }: Record<string, number>) => [id, age]),
    [
      [1, 37],
      [3, 5],
    ],
  );
});

test('returns an error that names the mistake when a model calls a table tool wrongly', async () => {
  const told = await calling(
    [{ id: people.id, access: 'write' }],
    ['tables_query', { table: 'people', filters: [{ column: 'salary', value: 1 }] }],
    ['tables_insert', { table: 'people', rows: [{ age: 'old' }] }],
    ['tables_get', { table: 'people', id: 999 }],
    ['tables_query', { table: 'people', filters: [{ column: 'age; drop table x', value: 1 }] }],
  );
  assert.deepEqual(told, [
    { error: 'filter.0.column: Value error, no such column in this table' },
    { error: '0.age: Input should be a valid integer, unable to parse string as an integer' },
    { error: 'No such row' },
    { error: 'filter.0.column: Value error, no such column in this table' },
  ]);
});

test('a table that is turned off, deleted or another workspace’s is no tool', async () => {
  const gone = await good('POST', '/v1/tables', { name: 'Gone' });
  const conversation = await app.converse(settings([gone.id, { id: people.id, enabled: false }]));
  await good('DELETE', `/v1/tables/${gone.id}`);
  server.reply({ text: 'Hi' });
  await app.say(conversation);
  assert.ok(!offered().some((tool) => tool.name.startsWith('tables_')));
  const other = await app.workspace();
  const { json: theirs } = await call('POST', '/v1/tables', { name: 'Theirs' }, { key: other.key });
  const refused = await call('POST', '/v1/agents', { name: 'x', definition: { tables: [theirs.id] } });
  assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', 'definition', 'tables', '0']]);
});

test('with no language model the agent quotes its tables', async () => {
  const { text } = await app.ask({ tables: [people.id] }, 'How old is Ada Lovelace?');
  assert.match(text, /Ada Lovelace/);
});

test('changes that an agent makes are in the history with who asked for them and the run', async () => {
  const [made] = await calling(
    [{ id: people.id, access: 'write' }],
    ['tables_insert', { table: 'people', rows: [{ full_name: 'Mary Somerville', age: 91 }] }],
  );
  const [id] = made.ids;
  await calling([{ id: people.id, access: 'write' }], ['tables_update', { table: 'people', id, values: { age: 92 } }]);
  const { items } = await good('GET', `/v1/tables/${people.id}/rows/${id}/history`);
  const shown = items.map(({ kind, before, changed_by_actor }: Record<string, unknown>) => [
    kind,
    before,
    (changed_by_actor as { kind: string }).kind,
  ]);
  assert.deepEqual(shown, [
    ['updated', { age: 91 }, 'service_account_key'],
    ['created', null, 'service_account_key'],
  ]);
  const { items: runs } = await good('GET', '/v1/runs?kind=conversation');
  for (const { run_id } of items) assert.ok(runs.some((run: { id: string }) => run.id === run_id));
});

test('an agent reads the choices of a column, and is told of them when it writes another value', async () => {
  const columns = [{ name: 'state', choices: [{ value: 'new' }, { value: 'seen', label: 'Looked at' }] }];
  const { id } = await good('POST', '/v1/tables', { name: 'Tickets', columns });
  const [refused, made] = await calling(
    [{ id, access: 'write' }],
    ['tables_insert', { table: 'tickets', rows: [{ state: 'Looked at' }] }],
    ['tables_insert', { table: 'tickets', rows: [{ state: 'seen' }] }],
  );
  assert.equal(refused.error, "0.state: Input should be one of 'new', 'seen'");
  assert.equal(made.inserted, 1);
  const about = offered().find((tool) => tool.name === 'tables_query')?.description ?? '';
  assert.match(about, /state text \(one of: new \| seen\)/);
});
