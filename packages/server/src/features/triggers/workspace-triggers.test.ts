import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await testApp();
const { call, query } = app;
const home = await app.workspace();
const as = { key: home.key };

const ok = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body, as);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};
const agent = await ok('POST', '/v1/agents', { name: 'Ada' });
const flow = await ok('POST', '/v1/workflows', { name: 'A flow' });
const daily = { type: 'schedule', cron: '0 9 * * *', timezone: 'Europe/Berlin' };
const ofAgent = await ok('POST', `/v1/agents/${agent.id}/triggers`, {
  ...{ name: 'Morning news', definition: { ...daily, message: 'News?' } },
});
const ofFlow = await ok('POST', `/v1/workflows/${flow.id}/triggers`, {
  ...{ name: 'Orders', enabled: false, definition: { type: 'webhook', auth: 'none' } },
});
const deployment = await ok('POST', `/v1/agents/${agent.id}/deployments`, { channel: 'web', name: 'Page' });

type Item = { id: string; health: string; routing_key: string };
const idsOf = (page: { items: Item[] }) => page.items.map(({ id }) => id);
const listed = async (path: string, key = home.key) => {
  const { status, json, text } = await call('GET', path, undefined, { key });
  assert.equal(status, 200, text);
  return json as { items: Item[]; total: number };
};
const setError = (table: 'triggers' | 'deployments', id: string, error: string | null) =>
  query(`update ${table} set last_error = $2 where id = $1`, [id, error]);

test('lists the triggers of all agents and workflows with their health', async () => {
  const page = await listed('/v1/triggers');
  assert.deepEqual(idsOf(page), [ofFlow.id, ofAgent.id]);
  assert.equal(page.total, 2);
  assert.deepEqual(
    page.items.map(({ health }) => health),
    ['off', 'unused'],
  );
  assert.deepEqual(page.items[1], await ok('GET', `/v1/triggers/${ofAgent.id}`));
  await query('update triggers set last_fired_at = now() where id = $1', [ofAgent.id]);
  assert.equal((await listed('/v1/triggers')).items[1]?.health, 'working');
  await setError('triggers', ofAgent.id, JSON.stringify({ code: 'x', message: 'no', at: new Date().toISOString() }));
  assert.equal((await listed('/v1/triggers')).items[1]?.health, 'failing');
  await query(`update triggers set paused_reason = 'owner_inactive' where id = $1`, [ofAgent.id]);
  assert.equal((await listed('/v1/triggers')).items[1]?.health, 'paused');
  await query('update triggers set paused_reason = null where id = $1', [ofAgent.id]);
});

test('filters the triggers of the workspace', async () => {
  const cases: [string, string[]][] = [
    ['search=MORNING', [ofAgent.id]],
    ['type=webhook', [ofFlow.id]],
    ['target=agent', [ofAgent.id]],
    ['target=workflow', [ofFlow.id]],
    ['enabled=false', [ofFlow.id]],
    ['failing=true', [ofAgent.id]],
    ['failing=false', [ofFlow.id]],
    ['size=1&page=2', [ofAgent.id]],
    ['search=nothing', []],
  ];
  for (const [asked, ids] of cases) assert.deepEqual(idsOf(await listed(`/v1/triggers?${asked}`)), ids, asked);
});

test('leaves out triggers that the caller may not see', async () => {
  const keyWith = async (permissions: string[]) => (await makeAccountKey(app, home.id, permissions as never)).value;
  const runsFlows = await listed('/v1/triggers', await keyWith(['flows_run']));
  assert.deepEqual([idsOf(runsFlows), runsFlows.total], [[ofFlow.id], 1]);
  assert.equal(runsFlows.items[0]?.routing_key, '********');
  assert.deepEqual(idsOf(await listed('/v1/triggers', await keyWith(['agents_run']))), [ofAgent.id]);
  assert.deepEqual(idsOf(await listed('/v1/triggers?target=agent', await keyWith(['flows_run']))), []);
  for (const path of ['/v1/triggers', '/v1/deployments'])
    assert.equal((await call('GET', path, undefined, { key: await keyWith(['tables_read']) })).status, 403);
  assert.equal((await call('GET', '/v1/deployments', undefined, { key: await keyWith(['agents_run']) })).status, 403);
  const other = await app.workspace();
  for (const path of ['/v1/triggers', '/v1/deployments'])
    assert.deepEqual((await listed(path, other.key)).items, [], path);
});

test('lists the deployments of all agents with their health', async () => {
  const other = await ok('POST', '/v1/agents', { name: 'Bob' });
  const off = await ok('POST', `/v1/agents/${other.id}/deployments`, {
    ...{ channel: 'webhook', name: 'Shop', enabled: false },
  });
  const page = await listed('/v1/deployments');
  assert.deepEqual(idsOf(page), [off.id, deployment.id]);
  assert.deepEqual(
    page.items.map(({ health }) => health),
    ['off', 'unused'],
  );
  assert.deepEqual(page.items[1], await ok('GET', `/v1/agents/${agent.id}/deployments/${deployment.id}`));
  await query('update deployments set last_message_at = now() where id = $1', [deployment.id]);
  assert.equal((await listed('/v1/deployments')).items[1]?.health, 'working');
  await query(`update deployments set last_error = 'no', last_error_at = now() where id = $1`, [deployment.id]);
  assert.equal((await listed('/v1/deployments')).items[1]?.health, 'failing');
  const cases: [string, string[]][] = [
    ['search=shop', [off.id]],
    ['channel=web', [deployment.id]],
    ['enabled=true', [deployment.id]],
    ['failing=true', [deployment.id]],
    ['failing=false', [off.id]],
  ];
  for (const [asked, ids] of cases) assert.deepEqual(idsOf(await listed(`/v1/deployments?${asked}`)), ids, asked);
});

test('leaves out triggers and deployments while their agent or workflow is deleted', async () => {
  const { etag } = await ok('GET', `/v1/triggers/${ofFlow.id}`);
  await ok('DELETE', `/v1/workflows/${flow.id}`);
  assert.deepEqual(idsOf(await listed('/v1/triggers')), [ofAgent.id]);
  await ok('DELETE', `/v1/agents/${agent.id}`);
  assert.deepEqual(idsOf(await listed('/v1/triggers')), []);
  assert.equal(idsOf(await listed('/v1/deployments')).includes(deployment.id), false);
  await ok('POST', `/v1/workflows/${flow.id}/restore`);
  await ok('POST', `/v1/agents/${agent.id}/restore`);
  assert.deepEqual(idsOf(await listed('/v1/triggers')), [ofFlow.id, ofAgent.id]);
  assert.equal(idsOf(await listed('/v1/deployments')).includes(deployment.id), true);
  assert.equal((await ok('GET', `/v1/triggers/${ofFlow.id}`)).etag, etag);
});

test('shows the next times of a schedule before it is saved', async () => {
  const preview = await ok('POST', '/v1/triggers/preview', {
    ...{ cron: '0 9 * * 1', timezone: 'Europe/Berlin', after: '2026-10-12T00:00:00Z' },
  });
  assert.deepEqual(preview, {
    ...{ cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    next_fires: [
      { at: '2026-10-12T07:00:00.000Z', local: '2026-10-12T09:00:00.000+02:00' },
      { at: '2026-10-19T07:00:00.000Z', local: '2026-10-19T09:00:00.000+02:00' },
      { at: '2026-10-26T08:00:00.000Z', local: '2026-10-26T09:00:00.000+01:00' },
      { at: '2026-11-02T08:00:00.000Z', local: '2026-11-02T09:00:00.000+01:00' },
      { at: '2026-11-09T08:00:00.000Z', local: '2026-11-09T09:00:00.000+01:00' },
    ],
  });
  const west = await ok('POST', '/v1/triggers/preview', {
    ...{ cron: '30 8 * * *', timezone: 'America/St_Johns', after: '2026-01-01T00:00:00Z', count: 1 },
  });
  assert.equal(west.next_fires[0].local, '2026-01-01T08:30:00.000-03:30');
  const asked = Date.now();
  const soon = await ok('POST', '/v1/triggers/preview', { cron: '* * * * *' });
  const [next] = soon.next_fires.map((fire: { at: string }) => Date.parse(fire.at));
  assert.ok(next > asked && next <= Date.now() + 60_000);
});

test('refuses to preview a schedule that does not exist, at its field', async () => {
  const refused = async (body: object) => {
    const { status, json } = await call('POST', '/v1/triggers/preview', body, as);
    assert.equal(status, 422);
    return json.detail.map(({ loc }: { loc: string[] }) => loc.join('.'));
  };
  assert.deepEqual(await refused({ cron: '61 * * * *' }), ['body.cron']);
  assert.deepEqual(await refused({ cron: '0 0 31 2 *' }), ['body.cron']);
  assert.deepEqual(await refused({ cron: '0 9 * * 1', timezone: 'Mars/Base' }), ['body.timezone']);
  assert.deepEqual(await refused({ cron: 'x', timezone: 'Mars/Base' }), ['body.timezone', 'body.cron']);
  assert.deepEqual(await refused({ cron: '0 9 * * 1', count: 51 }), ['body.count']);
});

test('warns of the inputs that a workflow needs and its trigger does not give, and stores it all the same', async () => {
  const definition = {
    nodes: [aNode('in', 'InputNode', { label: 'Customer' }), aNode('out', 'OutputNode', { label: 'o' })],
    edges: [anEdge('in.output -> out.input')],
  };
  const { id } = await ok('POST', '/v1/workflows', { name: 'Greets', definition });
  const made = await ok('POST', `/v1/workflows/${id}/triggers`, { definition: daily });
  const [warning] = made.warnings;
  assert.deepEqual([made.warnings.length, warning.loc.at(-1), warning.type], [1, 'Customer', 'missing_input']);
  assert.match(warning.msg, /needs Customer/);
  const at = `/v1/triggers/${made.id}`;
  assert.deepEqual((await ok('GET', at)).warnings, made.warnings);
  assert.deepEqual((await ok('PATCH', at, { enabled: false })).warnings, made.warnings);
  const given = await ok('PATCH', at, { definition: { input: { Customer: 'Ada' } } });
  assert.equal(given.warnings, undefined);
});

test('health counts the runs that a trigger has started', async () => {
  const nodes = [aNode('in', 'InputNode', { label: 'n' })];
  const { id } = await ok('POST', '/v1/workflows', { name: 'Fails', definition: { nodes, edges: [] } });
  const trigger = await ok('POST', `/v1/workflows/${id}/triggers`, { definition: { type: 'webhook' } });
  assert.deepEqual(trigger.runs, { started: 0, failed: 0 });
  const at = `/v1/triggers/${trigger.id}`;
  /** A run as a delivery has started it, with an end of its own. */
  async function started(status: string) {
    const run = await ok('POST', `/v1/workflows/${id}/runs/sync`, { input: { n: 'x' } });
    await query(`update workflow_runs set status = $2, finished_at = now() where id = $1`, [run.id, status]);
    await query(
      `insert into trigger_deliveries (workspace_id, id, trigger_id, source, dedupe_key, input, depth, fired_at, status, run_id)
       values ($1, $2, $3, 'webhook', $4, '{}', 0, now(), 'started', $2)`,
      [home.id, run.id, trigger.id, run.id],
    );
  }
  await query('update triggers set last_fired_at = now() where id = $1', [trigger.id]);
  await started('failed');
  const failing = await ok('GET', at);
  assert.deepEqual([failing.runs, failing.health], [{ started: 1, failed: 1 }, 'failing']);
  assert.ok(idsOf(await listed('/v1/triggers?failing=true')).includes(trigger.id));
  await started('completed');
  const working = await ok('GET', at);
  assert.deepEqual([working.runs, working.health], [{ started: 2, failed: 1 }, 'working']);
});

test('keeps a trigger whose record was deleted, warns of it, and refuses another one that is gone', async () => {
  const [table, other] = [
    await ok('POST', '/v1/tables', { name: 'Rows' }),
    await ok('POST', '/v1/tables', { name: 'O' }),
  ];
  const definition = { type: 'event', event: 'row.created', table_id: table.id };
  const made = await ok('POST', `/v1/agents/${agent.id}/triggers`, { name: 'Rows', definition });
  const at = `/v1/triggers/${made.id}`;
  assert.equal(made.warnings, undefined);
  for (const { id } of [table, other]) await ok('DELETE', `/v1/tables/${id}`);
  const warned = ({ warnings = [] }: { warnings?: { loc: string[]; type: string }[] }) =>
    warnings.map(({ loc, type }) => `${loc.join('.')} ${type}`);
  const expected = ['body.definition.table_id unknown_reference'];
  assert.deepEqual(warned(await ok('GET', at)), expected);
  assert.deepEqual(warned(await ok('PATCH', at, { definition, name: 'Same rows' })), expected);
  assert.deepEqual(warned(await ok('PATCH', at, { enabled: false })), expected);
  const moved = await call('PATCH', at, { definition: { table_id: other.id } }, as);
  assert.deepEqual([moved.status, moved.json.detail[0].loc], [422, ['body', 'definition', 'table_id']]);
  const added = await call('POST', `/v1/agents/${agent.id}/triggers`, { definition }, as);
  assert.equal(added.status, 422);
});
