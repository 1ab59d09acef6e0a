import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';

const { call, query } = await testApp({ roles: ['http', 'worker'] });
const ok = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};

/** Returns its input `order`. */
const echo = (label: string) => ({
  nodes: [
    { id: 'in', type: 'InputNode', node_config: { label } },
    { id: 'out', type: 'OutputNode', node_config: {} },
  ],
  edges: [
    {
      id: 'e',
      from_id: { node_id: 'in', connector_name: 'output', key: null, optional: false },
      to_id: { node_id: 'out', connector_name: 'input', key: null, optional: false },
    },
  ],
});
const ended = (run_id: string) =>
  until('the run is over', async () => {
    const { status, json } = await call('GET', `/v1/runs/${run_id}`);
    return status === 200 && json.finished_at ? json : undefined;
  });
const started = (trigger_id: string) =>
  until('it has started', async () => {
    const { items } = await ok('GET', `/v1/triggers/${trigger_id}/deliveries`);
    return items[0]?.status === 'started' ? items[0] : undefined;
  });

test('runs a workflow once for a webhook message, and publishes its end as an event', async () => {
  const flow = await ok('POST', '/v1/workflows', { name: 'Echo', type: 'flow', definition: echo('order') });
  const at = `/v1/workflows/${flow.id}/triggers`;
  const watch = { type: 'event', event: 'run.completed', workflow_id: flow.id };
  const other = await ok('POST', '/v1/workflows', { name: 'After', type: 'flow', definition: echo('status') });
  const after = await ok('POST', `/v1/workflows/${other.id}/triggers`, { definition: watch });
  const itself = await ok('POST', at, { definition: watch });
  const trigger = await ok('POST', at, { name: 'Orders', definition: { type: 'webhook' } });
  assert.equal(trigger.workflow_id, flow.id);
  const sent = await call('POST', `/hooks/${trigger.routing_key}`, { order: 'a pen' }, { key: null });
  const { run_id } = await started(trigger.id);
  assert.equal(run_id, sent.json.id);
  const run = await ended(run_id);
  assert.deepEqual([run.status, run.workflow_id, run.input.order], ['completed', flow.id, 'a pen']);
  assert.match(JSON.stringify(run.output), /a pen/);
  const told = await started(after.id);
  assert.deepEqual([told.input.run_id, told.input.status], [run_id, 'completed']);
  assert.match(JSON.stringify((await ended(told.run_id)).output), /completed/);
  // The workflow has a trigger on its own end: it fires once for this run, and not for the run that it started.
  await ended((await started(itself.id)).run_id);
  await until('the outbox is empty', async () => (await query('select from outbox')).length === 0);
  assert.equal((await ok('GET', `/v1/triggers/${itself.id}/deliveries`)).total, 1);

  await query(
    `update trigger_deliveries set status = 'pending', run_id = null, next_attempt_at = now() where id = $1`,
    [run_id],
  );
  await query(`select pg_notify('atrium_bell', '["trigger-deliveries",""]')`);
  assert.equal((await started(trigger.id)).run_id, run_id);
  const { total } = await ok('GET', `/v1/workflows/${flow.id}/runs`);
  assert.equal(total, 2);
});

test('runs the pinned version, and the newest once the pin is removed', async () => {
  const flow = await ok('POST', '/v1/workflows', { name: 'Pinned', type: 'flow', definition: echo('old') });
  const version = await ok('POST', `/v1/workflows/${flow.id}/versions`, { name: 'v1', definition: echo('old') });
  await ok('PATCH', `/v1/workflows/${flow.id}`, { name: 'Pinned', type: 'flow', definition: echo('new') });
  const body = { definition: { type: 'webhook' }, workflow_version_id: version.id };
  const trigger = await ok('POST', `/v1/workflows/${flow.id}/triggers`, body);
  const output = async () => {
    const sent = await call('POST', `/hooks/${trigger.routing_key}`, { old: 'was', new: 'is' }, { key: null });
    return JSON.stringify((await ended(sent.json.id)).output);
  };
  assert.match(await output(), /was/);
  await ok('PATCH', `/v1/triggers/${trigger.id}`, { follow_newest: true });
  assert.match(await output(), /is/);
});

test('deletes and restores triggers together with their workflow', async () => {
  const flow = await ok('POST', '/v1/workflows', { name: 'Gone', type: 'flow', definition: echo('x') });
  const trigger = await ok('POST', `/v1/workflows/${flow.id}/triggers`, { definition: { type: 'webhook' } });
  await ok('DELETE', `/v1/workflows/${flow.id}`);
  assert.equal((await call('GET', `/v1/triggers/${trigger.id}`)).status, 404);
  assert.equal((await call('POST', `/hooks/${trigger.routing_key}`, {}, { key: null })).status, 404);
  for (let time = 0; time < 2; time++) await ok('POST', `/v1/workflows/${flow.id}/restore`);
  assert.equal((await ok('GET', `/v1/workflows/${flow.id}/triggers`)).items[0].id, trigger.id);
  const sent = await call('POST', `/hooks/${trigger.routing_key}`, { x: 'back' }, { key: null });
  assert.match(JSON.stringify((await ended(sent.json.id)).output), /back/);
});
