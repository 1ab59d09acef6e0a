import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await testApp({ roles: ['http', 'worker'] });
const { call, query } = app;
const { home, roleNamed, aMember } = await makePeopleIn(app);
const { json: flow } = await call('POST', '/v1/workflows', {
  name: 'A flow',
  definition: {
    nodes: [aNode('in', 'InputNode', { label: 'n' }), aNode('out', 'OutputNode', { label: 'n' })],
    edges: [anEdge('in.output -> out.input')],
  },
});
type Caller = { key: string | null; headers?: Record<string, string> };
const makeTrigger = async (by: Caller, definition: object = { type: 'webhook', auth: 'none' }) => {
  const made = await call('POST', `/v1/workflows/${flow.id}/triggers`, { definition }, by);
  assert.equal(made.status, 200, made.text);
  return made.json as { id: string; routing_key: string; owner: { id: string; kind: string }; paused_reason: null };
};
const read = async (id: string) => (await call('GET', `/v1/triggers/${id}`)).json;
const hook = (routing_key: string) => call('POST', `/hooks/${routing_key}`, { n: 'x' }, { key: null });
const fire = (id: string) => call('POST', `/v1/triggers/${id}/fire`, { input: { n: 'x' } });
const deliveriesOf = async (id: string) => (await call('GET', `/v1/triggers/${id}/deliveries?size=100`)).json.items;
const setRole = (id: string, name: string) =>
  call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: roleNamed(name) });
const patchPerson = (id: string, body: object) => call('PATCH', `/v1/admin/users/${id}`, body);

/** The principal of the run that a delivery has started. */
async function principalOf(delivery_id: string, trigger_id: string) {
  const started = await until('the delivery has started a run', async () =>
    (await deliveriesOf(trigger_id)).find(
      (row: { id: string; run_id: string | null }) => row.id === delivery_id && row.run_id,
    ),
  );
  return (await query('select principal from workflow_runs where id = $1', [started.run_id]))[0].principal;
}

test('a trigger belongs to the person who made it, or to the owner of the key', async () => {
  const person = await aMember('Admin');
  const { json: key } = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k' }, as(person.cookie));
  for (const caller of [as(person.cookie), { key: key.value as string }]) {
    const { owner, paused_reason } = await makeTrigger(caller);
    assert.deepEqual([owner.id, owner.kind, paused_reason], [person.id, 'person', null]);
  }
  const account = await makeAccountKey(app, home, ['flows_edit', 'flows_run']);
  assert.equal((await makeTrigger({ key: account.value })).owner.id, account.owner.id);
});

test('runs of a trigger have what the owner holds now, for the person who owns it', async () => {
  const person = await aMember('Admin');
  const { id, routing_key } = await makeTrigger(as(person.cookie));
  const before = await principalOf((await hook(routing_key)).json.id, id);
  assert.ok(before.permissions.includes('flows_delete'));
  assert.equal(before.person_id, person.id);
  await setRole(person.id, 'Reader');
  const after = await principalOf((await hook(routing_key)).json.id, id);
  assert.ok(after.permissions.includes('flows_run') && !after.permissions.includes('flows_delete'));
});

test('a manual fire asks for the owner only when the owner fires it', async () => {
  const [person, other] = [await aMember('Admin'), await aMember('Admin')];
  const { id } = await makeTrigger(as(person.cookie));
  const askerOf = async (caller: Caller) => {
    const { status, json } = await call('POST', `/v1/triggers/${id}/fire`, { input: { n: 'x' } }, caller);
    assert.equal(status, 200);
    return { delivery: json.id as string, person_id: (await principalOf(json.id, id)).person_id };
  };
  assert.equal((await askerOf(as(person.cookie))).person_id, person.id);
  const { delivery, person_id } = await askerOf(as(other.cookie));
  assert.equal(person_id, undefined, 'another person would read what only the owner may see');
  const again = await call('POST', `/v1/triggers/${id}/deliveries/${delivery}/redeliver`, undefined, as(person.cookie));
  assert.equal((await principalOf(again.json.id, id)).person_id, undefined, 'the input is still of the other');
});

test('a trigger whose owner lacks the permission is paused until it is taken over', async () => {
  const [person, other] = [await aMember('Admin'), await aMember('Admin')];
  const { id, routing_key } = await makeTrigger(as(person.cookie));
  await call('DELETE', `/v1/admin/groups/${home}/members/${person.id}`);
  assert.equal((await read(id)).paused_reason, 'owner_lacks_permission');
  for (const refused of [await hook(routing_key), await fire(id)])
    assert.deepEqual([refused.status, refused.json.code], [409, 'trigger_paused']);
  const reader = await aMember('Reader');
  const takeOver = (caller: Caller) => call('POST', `/v1/triggers/${id}/take-over`, undefined, caller);
  assert.equal((await takeOver(as(reader.cookie))).status, 403);
  assert.equal((await takeOver({ key: (await app.workspace()).key })).status, 404);
  const taken = await takeOver(as(other.cookie));
  assert.deepEqual([taken.json.owner.id, taken.json.paused_reason], [other.id, null]);
  assert.equal((await principalOf((await hook(routing_key)).json.id, id)).person_id, other.id);
});

test('a trigger of a deactivated person stays paused after the person is active again', async () => {
  const person = await aMember('Admin');
  const { id, routing_key } = await makeTrigger(as(person.cookie));
  await patchPerson(person.id, { active: false });
  assert.equal((await read(id)).paused_reason, 'owner_inactive');
  await patchPerson(person.id, { active: true });
  assert.equal((await read(id)).paused_reason, 'owner_inactive');
  assert.equal((await hook(routing_key)).status, 409);
  assert.equal((await call('POST', `/v1/triggers/${id}/take-over`)).json.paused_reason, null);
  assert.equal((await hook(routing_key)).status, 200);
});

test('a trigger of a deleted service account is paused and has no owner', async () => {
  const account = await makeAccountKey(app, home, ['flows_edit', 'flows_run']);
  const { id } = await makeTrigger({ key: account.value });
  await call('DELETE', `/v1/admin/groups/${home}/service-accounts/${account.owner.id}`);
  const { owner, paused_reason } = await read(id);
  assert.deepEqual([owner, paused_reason], [null, 'owner_inactive']);
});

test('a trigger that has fired when its owner is deactivated starts no run', async () => {
  const person = await aMember('Admin');
  const { id, routing_key } = await makeTrigger(as(person.cookie));
  const { json: first } = await hook(routing_key);
  await principalOf(first.id, id);
  await patchPerson(person.id, { active: false });
  // As if it had fired just before, and no node had begun with the delivery yet.
  const again = randomUUID();
  await query(
    `insert into trigger_deliveries (workspace_id, id, trigger_id, source, dedupe_key, input, depth, fired_at, next_attempt_at)
     select workspace_id, $2, trigger_id, source, 'again', input, depth, now(), now() from trigger_deliveries where id = $1`,
    [first.id, again],
  );
  await fire((await makeTrigger({ key: app.admin })).id);
  const ended = await until('the delivery is over', async () =>
    (await deliveriesOf(id)).find(
      (row: { id: string; status: string }) => row.id === again && row.status !== 'pending',
    ),
  );
  assert.deepEqual([ended.status, ended.error.code, ended.run_id], ['failed', 'trigger_paused', null]);
  assert.equal((await hook(routing_key)).status, 409);
  assert.equal((await read(id)).last_error.code, 'trigger_paused');
});

test('slots of a paused schedule pass without a run', async () => {
  const person = await aMember('Admin');
  const schedule = { type: 'schedule', cron: '0 0 1 1 *', catch_up: 'all' };
  const { id } = await makeTrigger(as(person.cookie), schedule);
  const { id: other } = await makeTrigger({ key: app.admin }, schedule);
  await patchPerson(person.id, { active: false });
  assert.deepEqual((await read(id)).next_fires, []);
  await query(`update triggers set next_fire_at = now() - interval '1 minute' where id = any($1)`, [[id, other]]);
  await makeTrigger({ key: app.admin }, schedule);
  await until('the other schedule has fired', async () => (await deliveriesOf(other)).length > 0);
  const [{ moved }] = await query('select next_fire_at > now() as moved from triggers where id = $1', [id]);
  assert.deepEqual([moved, await deliveriesOf(id)], [true, []]);
});
