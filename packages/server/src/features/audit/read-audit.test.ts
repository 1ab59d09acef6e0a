import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { auditOf } from './testing.ts';

const testing = await testApp();
const { call, workspace } = testing;
const { aMember } = await makePeopleIn(testing);
const { entries, linked } = auditOf(testing);
const at = '/v1/admin/audit';

test('shows a workspace administrator the own workspace only, and other callers nothing', async () => {
  const [own, other] = [await workspace(), await workspace()];
  const reader = await call('POST', `/v1/admin/groups/${own.id}/api-keys`, { name: 'r', permissions: ['agents_edit'] });
  for (const { key } of [own, other]) await call('POST', '/v1/agents', { name: 'x' }, { key });
  // An entry changes once more: when it gets its place in the chain.
  await linked();
  const seen = await entries({}, { key: own.key });
  assert.ok(seen.length >= 2);
  assert.deepEqual([...new Set(seen.map(({ group_id }) => group_id))], [own.id]);
  assert.deepEqual(await entries({ organization: 'true' }, { key: own.key }), seen);
  const ada = await aMember('Admin', own.id);
  assert.deepEqual([...new Set((await entries({}, as(ada.cookie))).map(({ group_id }) => group_id))], [own.id]);
  for (const path of [at, `${at}/export`, `${at}/verify`]) {
    const foreign = await call('GET', `${path}?group_id=${other.id}`, undefined, { key: own.key });
    assert.equal(foreign.status, 404, path);
    assert.equal((await call('GET', path, undefined, { key: reader.json.value })).status, 403, path);
    assert.equal((await call('GET', path, undefined, { key: null })).status, 401, path);
  }
  const all = await entries({ size: '200' });
  assert.ok(all.some(({ group_id }) => group_id === other.id) && all.some(({ group_id }) => group_id === null));
  assert.ok((await entries({ organization: 'true' })).every(({ group_id }) => group_id === null));
});

test('pages through entries by cursor, the latest first, and filters by each field', async () => {
  const { id: group_id, key } = await workspace();
  const made = [];
  for (let index = 0; index < 5; index++)
    made.push((await call('POST', '/v1/agents', { name: `agent ${index}` }, { key })).json.id);
  const found: string[] = [];
  let cursor: string | null = '';
  do {
    const query = new URLSearchParams({ group_id, operation: 'agents.create', size: '2', ...(cursor && { cursor }) });
    const { json } = await call('GET', `${at}?${query}`);
    found.push(...json.items.map(({ target }: { target: { id: string } }) => target.id));
    cursor = json.next_cursor;
  } while (cursor);
  assert.deepEqual(found, made.toReversed());
  const [last] = await entries({ group_id });
  const count = async (filters: Record<string, string>) => (await entries({ group_id, ...filters })).length;
  assert.equal(await count({ target_id: made[2] }), 1);
  assert.equal(await count({ target_id: made[2], target_kind: 'workflow' }), 0);
  assert.equal(await count({ actor_id: last.actor.id }), 5);
  assert.equal(await count({ actor_id: 'nobody' }), 0);
  assert.equal(await count({ person_id: group_id }), 0);
  assert.equal(await count({ outcome: 'refused' }), 0);
  assert.equal(
    await count({ since: last.at }),
    (await entries({ group_id })).filter((entry) => entry.at >= last.at).length,
  );
  assert.equal(await count({ until: '2001-01-01T00:00:00Z' }), 0);
  assert.equal((await call('GET', `${at}?cursor=x`)).status, 422);
});

test('exports entries as NDJSON and as CSV without formulas, and records the export', async () => {
  const { id: group_id, key } = await workspace();
  await call('POST', '/v1/agents', { name: '=HYPERLINK("http://x")' }, { key });
  const lines = await call('GET', `${at}/export?group_id=${group_id}&operation=agents.create`);
  assert.match(String(lines.headers['content-type']), /^application\/x-ndjson/);
  const [entry] = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([entry.operation, entry.target.name], ['agents.create', '=HYPERLINK("http://x")']);
  const csv = await call('GET', `${at}/export?format=csv&group_id=${group_id}`);
  const [head, ...rows] = csv.text.split('\r\n');
  assert.ok(head?.startsWith('at,group_id,operation,outcome'));
  assert.ok(rows.some((row) => row.includes(`"'=HYPERLINK(""http://x"")"`)) && !csv.text.includes(',"=HYPERLINK'));
  assert.equal((await entries({ operation: 'audit.export', group_id })).length, 2);
});

test('refuses a cursor that no page has given', async () => {
  for (const made of ['2024-01-01T00:00:00Z ------------------------------------', '2024-01-01T99:99:99Z x', '']) {
    const cursor = Buffer.from(made).toString('base64url') || 'x';
    const { status, json } = await call('GET', `/v1/admin/audit?cursor=${cursor}`);
    assert.deepEqual([status, json.detail?.[0]?.loc], [422, ['query', 'cursor']], made);
  }
});

test('finds a version that was published as it was made when publications are asked for', async () => {
  const { key } = await workspace();
  const agent = (await call('POST', '/v1/agents', { name: 'Desk' }, { key })).json;
  const path = `/v1/agents/${agent.id}/versions`;
  const kept = (await call('POST', path, { name: 'kept', publish: false }, { key })).json.id;
  const live = (await call('POST', path, { name: 'live', publish: true }, { key })).json.id;
  assert.equal((await call('POST', `${path}/${kept}/publish`, {}, { key })).status, 200);
  const found = await entries({ operation: 'agentVersions.publish' }, { key });
  assert.deepEqual(
    found.map(({ operation, target }) => [operation, target?.id]),
    [
      ['agentVersions.publish', kept],
      ['agentVersions.create', live],
    ],
  );
});

test('records an import that was made, and none that was only tried', async () => {
  const { key } = await workspace();
  const table = (await call('POST', '/v1/tables', { name: 'Orders', columns: [{ name: 'who' }] }, { key })).json.id;
  const file = '--B\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nwho\nAda\n\r\n--B--\r\n';
  const send = (query: string, by = key) =>
    call('POST', `/v1/tables/${table}/import${query}`, Buffer.from(file), {
      ...{ key: by, headers: { 'content-type': 'multipart/form-data; boundary=B' } },
    });
  assert.equal((await send('?dry_run=true')).json.dry_run, true);
  assert.deepEqual(await entries({ operation: 'tables.import' }, { key }), []);
  assert.equal((await send('')).status, 200);
  const made = await entries({ operation: 'tables.import' }, { key });
  assert.deepEqual(
    made.map(({ target }) => target?.id),
    [table],
  );
  // A refusal is one also when it was only to be tried.
  const elsewhere = await workspace();
  assert.equal((await send('?dry_run=true', elsewhere.key)).status, 404);
  const refused = await entries({ operation: 'tables.import', outcome: 'refused' }, { key: elsewhere.key });
  assert.equal(refused.length, 1);
});
