import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tablesApp } from '../testing.ts';

const { home, call, good, validationErrors, make, insert, rowsOf, upload, query } = await tablesApp();

const state = {
  name: 'state',
  choices: [{ value: 'new', label: 'New one' }, { value: "it's done" }],
};
const at = (id: string, rest = '') => `/v1/tables/${id}${rest}`;
const choose = (id: string, values: string[], search = '') =>
  call('PATCH', at(id, `/columns/state${search}`), { choices: values.map((value) => ({ value })) });

test('a column of choices takes these values alone, by every request that writes rows', async () => {
  const made = await make([state, { name: 'n', type: 'integer' }]);
  assert.deepEqual(made.columns[0].choices, [
    { value: 'new', label: 'New one' },
    { value: "it's done", label: null },
  ]);
  assert.equal(made.columns[1].choices, null);
  const { id } = made;
  const row = await insert(id, { state: "it's done" });
  await insert(id, { state: null });
  const wrong = { state: 'New one' };
  const error = (place: string) => [`${place}.state: literal_error`];
  assert.deepEqual(validationErrors(await call('POST', at(id, '/rows'), wrong)), error('body'));
  assert.deepEqual(validationErrors(await call('POST', at(id, '/rows'), [{}, wrong])), error('body.1'));
  assert.deepEqual(validationErrors(await call('PATCH', at(id, `/rows/${row.id}`), wrong)), error('body'));
  const upsert = { on: 'id', rows: [{ id: row.id, ...wrong }] };
  assert.deepEqual(validationErrors(await call('PUT', at(id, '/rows'), upsert)), error('body.rows.0'));
  const bulk = { action: 'update', ids: [row.id], values: wrong };
  assert.deepEqual(validationErrors(await call('POST', at(id, '/rows/bulk'), bulk)), error('body.values'));
  const file = 'state,n\nnew,1\nelse,2\n';
  assert.deepEqual(validationErrors(await upload(at(id, '/import'), 'x.csv', file)), error('body.file.3'));
  const skipped = good(await upload(at(id, '/import?on_error=skip'), 'x.csv', file));
  assert.deepEqual([skipped.inserted, skipped.skipped], [1, 1]);
  // What the program did not see, the table itself refuses.
  const [space] = await query('select * from table_spaces where workspace_id = $1', [home.id]);
  await assert.rejects(query(`update "${space.schema_name}"."${made.sql_name}" set state = 'else'`), /ch_/);
});

test('choices, their column and its default have to fit each other', async () => {
  const columns = (column: object) => call('POST', '/v1/tables', { name: 'T', columns: [{ name: 'c', ...column }] });
  const choices = [{ value: 'a' }];
  assert.deepEqual(validationErrors(await columns({ choices, type: 'integer' })), [
    'body.columns.0.choices: value_error',
  ]);
  assert.deepEqual(validationErrors(await columns({ choices, default: 'b' })), [
    'body.columns.0.default: literal_error',
  ]);
  assert.deepEqual(validationErrors(await columns({ choices: [...choices, ...choices] })), [
    'body.columns.0.choices.1.value: value_error',
  ]);
  const { id } = await make([{ ...state, default: 'new' }]);
  assert.deepEqual(validationErrors(await choose(id, ['other'])), ['body.default: literal_error']);
  const typed = await call('PATCH', at(id, '/columns/state/type'), { new_type: 'integer' });
  assert.deepEqual([typed.status, typed.json.code], [409, 'column_has_choices']);
  assert.deepEqual(good(await choose(id, [])).columns[0].choices, null);
  await insert(id, { state: 'anything' });
});

test('a choice that rows have is taken away only on request, and a dry run names them', async () => {
  const { id } = await make([state]);
  const { ids } = await insert(id, [{ state: 'new' }, { state: "it's done" }]);
  const dry = good(await choose(id, ['new', 'more'], '?dry_run=true'));
  assert.deepEqual(dry.report, { dry_run: true, failing_rows: 1, examples: [{ id: ids[1], value: "it's done" }] });
  const refused = await choose(id, ['new', 'more']);
  assert.deepEqual([refused.status, refused.json.code], [409, 'rows_do_not_fit']);
  await insert(id, { state: "it's done" });
  const changed = good(await choose(id, ['new', 'more'], '?on_failure=null'));
  assert.equal(changed.report.failing_rows, 2);
  await insert(id, { state: 'more' });
  const states = (await rowsOf(id)).items.map((row: { state: string }) => row.state);
  assert.deepEqual(states, ['new', null, null, 'more']);

  const [, emptied] = good(await call('GET', at(id, '/changes'))).items;
  assert.deepEqual([emptied.kind, emptied.updated], ['update', 2]);
  const undo = () => call('POST', at(id, `/changes/${emptied.id}/undo`));
  assert.equal((await undo()).json.code, 'rows_do_not_fit');
  good(await choose(id, ['new', 'more', "it's done"]));
  assert.equal(good(await undo()).updated, 2);
});

test('rows written while the choices change fit the new ones', async () => {
  const { id } = await make([state]);
  const writes = Array.from({ length: 30 }, (_, n) =>
    call('POST', at(id, '/rows'), { state: n % 2 ? 'new' : "it's done" }),
  );
  const [changed, ...written] = await Promise.all([choose(id, ['new'], '?on_failure=null'), ...writes]);
  assert.equal(changed.status, 200, changed.text);
  for (const { status, text } of written) assert.ok(status === 200 || status === 422, text);
  const rows = (await rowsOf(id, { size: 100 })).items;
  assert.ok(rows.every((row: { state: string | null }) => row.state === 'new' || row.state === null));
});
