import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { conflict, unavailable } from '@atrium/contract/errors.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { countingTarget } from './testing.ts';

const flows = countingTarget();
const app = await testApp({ roles: ['http', 'worker'] }, { triggerTargets: [flows.target] });
const { call, query } = app;
const me = await app.workspace();
const as = { key: me.key };

const ok = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await call(method, path, body, { ...as, headers });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};
const made = (definition: object, more: object = {}) => {
  const workflow_id = flows.make(me.id);
  return ok('POST', `/v1/workflows/${workflow_id}/triggers`, { name: 'test', definition, ...more });
};
const send = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  call('POST', `/hooks/${key}`, body, { key: null, headers });
const runsOf = (trigger: { workflow_id: string }) =>
  [...flows.runs.values()].filter(({ target_id }) => target_id === trigger.workflow_id);

test('shows the next five times of a schedule in its time zone', async () => {
  const { id, ...trigger } = await made({ type: 'schedule', cron: '30 8 * * 1-5', timezone: 'America/New_York' });
  assert.deepEqual(trigger.definition, {
    ...{ type: 'schedule', cron: '30 8 * * 1-5', timezone: 'America/New_York', catch_up: 'once' },
  });
  assert.equal(trigger.next_fires.length, 5);
  for (const fire of trigger.next_fires) {
    const shown = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      timeStyle: 'short',
      dateStyle: 'full',
    });
    assert.match(shown.format(new Date(fire)), /^(Mon|Tues|Wednes|Thurs|Fri)day.* 8:30\sAM$/);
  }
  assert.equal(trigger.routing_key, `schedule:${id}`);
  const off = await ok('PATCH', `/v1/triggers/${id}`, { enabled: false });
  assert.deepEqual([off.enabled, off.next_fires], [false, []]);
  const moved = await ok('PATCH', `/v1/triggers/${id}`, { enabled: true, definition: { cron: '0 12 * * *' } });
  assert.equal(moved.definition.timezone, 'America/New_York');
  assert.equal(moved.next_fires.length, 5);
});

test('refuses invalid schedules with the position of each error', async () => {
  const at = `/v1/workflows/${flows.make(me.id)}/triggers`;
  const refused = async (definition: object, ...locs: string[]) => {
    const { status, json } = await call('POST', at, { definition }, as);
    assert.equal(status, 422);
    assert.deepEqual(
      json.detail.map(({ loc }: { loc: string[] }) => loc),
      locs.map((loc) => ['body', 'definition', loc]),
    );
  };
  await refused({ type: 'schedule' }, 'cron');
  await refused({ type: 'schedule', cron: '* * * *', timezone: 'Mars/Olympus' }, 'timezone', 'cron');
  for (const cron of ['* * * *', '61 * * * *', '0 0 31 2 *', '* * * * * *', '2026-01-01T00:00:00', '@reboot', 'x'])
    await refused({ type: 'schedule', cron }, 'cron');
  await refused({ type: 'schedule', cron: '* * * * *', timezone: 'Mars/Olympus' }, 'timezone');
  await refused({ type: 'schedule', cron: '* * * * *', catch_up: 'twice' }, 'catch_up');
  await refused({ type: 'sundial' }, 'type');
  await refused({ type: 'event' }, 'event');
  await refused({ type: 'event', event: 'row.created', table_id: randomUUID() }, 'table_id');
  await refused({ type: 'webhook', auth: 'none', secret: 'a secret text' }, 'auth');
});

test('starts a run with the message of a webhook, and answers when it is stored', async () => {
  const trigger = await made({ type: 'webhook', input: { fixed: 1 }, note: 'kept as it is' });
  assert.equal(trigger.definition.note, 'kept as it is');
  assert.match(trigger.routing_key, /^[\w-]{43}$/);
  const { status, json } = await send(trigger.routing_key, { order: 17, fixed: 2 }, { 'x-shop': 'north' });
  assert.deepEqual([status, json.success, json.duplicate], [200, true, false]);
  const run = await until('the run is started', () => flows.runs.get(json.id));
  const { trigger: about, ...input } = run.input;
  assert.deepEqual(input, { fixed: 2, order: 17 });
  assert.equal((about as { headers: Record<string, string> }).headers['x-shop'], 'north');
  const after = await until('it is noted', async () => {
    const now = await ok('GET', `/v1/triggers/${trigger.id}`);
    return now.last_run_at ? now : undefined;
  });
  assert.ok(after.last_fired_at <= after.last_run_at);
  const { items } = await ok('GET', `/v1/triggers/${trigger.id}/deliveries`);
  assert.deepEqual([items[0].status, items[0].run_id, items[0].source], ['started', run.run_id, 'webhook']);
});

test('accepts text, forms and any JSON', async () => {
  const trigger = await made({ type: 'webhook' });
  const input = async (body: string, type: string) => {
    const { json } = await send(trigger.routing_key, body, { 'content-type': type });
    const run = await until('the run is started', () => flows.runs.get(json.id));
    const { trigger: _, ...rest } = run.input;
    return rest;
  };
  assert.deepEqual(await input('a=1&b=%C3%BC', 'application/x-www-form-urlencoded'), { a: '1', b: 'ü' });
  const part = (about: string, text: string) => `--x\r\ncontent-disposition: form-data; ${about}\r\n\r\n${text}\r\n`;
  const form = `${part('name="a"', 'ü')}${part('name="f"; filename="a.txt"', 'Hi')}--x--\r\n`;
  assert.deepEqual(await input(form, 'multipart/form-data; boundary=x'), { a: 'ü', f: 'a.txt' });
  assert.deepEqual(await input('hello', 'text/plain'), { body: 'hello' });
  assert.deepEqual(await input('[1, 2]', 'application/json'), { body: [1, 2] });
  assert.deepEqual(await input('{"trigger": 1}', 'application/vnd.x+json'), {});
  for (const [body, type] of [
    ['{"a":', 'application/json'],
    ['--y', 'multipart/form-data; boundary=x'],
  ] as const)
    assert.equal((await send(trigger.routing_key, body, { 'content-type': type })).status, 422, type);
});

test('refuses a body that is too large, an unknown routing key and a trigger that is off', async () => {
  const trigger = await made({ type: 'webhook' });
  assert.equal((await send(trigger.routing_key, { a: 'x'.repeat(1024 * 1024) })).status, 413);
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.equal((await send(trigger.routing_key, 'x'.repeat(1024 * 1024 + 1), form)).status, 413);
  assert.equal((await send(`${trigger.routing_key}x`, {})).status, 404);
  await ok('PATCH', `/v1/triggers/${trigger.id}`, { enabled: false });
  const { status, json } = await send(trigger.routing_key, {});
  assert.deepEqual([status, json.code], [409, 'trigger_disabled']);
  assert.deepEqual(runsOf(trigger), []);
});

test('fires once for messages with the same id', async () => {
  const byHeader = await made({ type: 'webhook', dedupe_header: 'X-Event-Id' });
  const byField = await made({ type: 'webhook', dedupe_field: 'id' });
  const plain = await made({ type: 'webhook' });
  const twice = async (key: string, body: object, headers: Record<string, string> = {}) => {
    const answers = await Promise.all([send(key, body, headers), send(key, body, headers), send(key, body, headers)]);
    return {
      ids: new Set(answers.map(({ json }) => json.id)).size,
      firsts: answers.filter(({ json }) => !json.duplicate).length,
    };
  };
  assert.deepEqual(await twice(byHeader.routing_key, {}, { 'x-event-id': 'a' }), { ids: 1, firsts: 1 });
  assert.deepEqual(await twice(byField.routing_key, { id: 7 }), { ids: 1, firsts: 1 });
  assert.deepEqual(await twice(plain.routing_key, {}, { 'idempotency-key': 'k' }), { ids: 1, firsts: 1 });
  assert.deepEqual(await twice(plain.routing_key, {}), { ids: 3, firsts: 3 });
  const started = () => [plain, byHeader, byField].map((trigger) => runsOf(trigger).length);
  await until('all have started', () => started().reduce((all, count) => all + count) >= 6);
  assert.deepEqual(started(), [4, 1, 1]);
});

test('fires a trigger by hand, and repeats a delivery', async () => {
  const trigger = await made({ type: 'schedule', cron: '0 0 1 1 *', input: { a: 1 } }, { enabled: false });
  const fired = await ok('POST', `/v1/triggers/${trigger.id}/fire`, { input: { b: 2 } });
  assert.deepEqual([fired.status, fired.source], ['pending', 'manual']);
  await until('it has started', () => flows.runs.get(fired.id));
  const again = await ok('POST', `/v1/triggers/${trigger.id}/deliveries/${fired.id}/redeliver`);
  assert.equal(again.redelivery_of, fired.id);
  const second = await until('it has started again', () => flows.runs.get(again.id));
  assert.deepEqual([second.input['a'], second.input['b']], [1, 2]);
  const key = { 'idempotency-key': randomUUID() };
  const once = [
    await ok('POST', `/v1/triggers/${trigger.id}/fire`, {}, key),
    await ok('POST', `/v1/triggers/${trigger.id}/fire`, {}, key),
  ];
  assert.equal(once[0].id, once[1].id);
});

test('limits a manual fire to the permissions of both the maker and the caller', async () => {
  const trigger = await made({ type: 'webhook' });
  const body = { name: 'weak', permissions: ['flows_run'] };
  const { json: weak } = await call('POST', `/v1/admin/groups/${me.id}/api-keys`, body);
  const started = async (key: string) => {
    const { json } = await call('POST', `/v1/triggers/${trigger.id}/fire`, { input: { order: 1 } }, { key });
    const { permissions } = await until('it has started', () => flows.runs.get(json.id));
    return { id: json.id as string, permissions };
  };
  const byWeak = await started(weak.value);
  assert.deepEqual([...byWeak.permissions], ['flows_run']);
  assert.ok((await started(me.key)).permissions.has('tables_edit'));
  // A redelivery by a stronger caller adds no permissions to the input of the weaker one.
  const again = await ok('POST', `/v1/triggers/${trigger.id}/deliveries/${byWeak.id}/redeliver`);
  const second = await until('it has started again', () => flows.runs.get(again.id));
  assert.deepEqual([...second.permissions], ['flows_run']);
});

test('tries a failed start again when waiting may help, and clears the error after a success', async () => {
  const trigger = await made({ type: 'webhook' });
  flows.failing.with = unavailable('Not now');
  const { json } = await send(trigger.routing_key, {});
  const told = await until('the failure is noted', async () => {
    const now = await ok('GET', `/v1/triggers/${trigger.id}`);
    return now.last_error ? now : undefined;
  });
  assert.deepEqual([told.last_error.code, told.last_error.message, told.last_run_at], ['unavailable', 'Not now', null]);
  flows.failing.with = undefined;
  await query('update trigger_deliveries set next_attempt_at = now() where id = $1', [json.id]);
  await ok('POST', `/v1/triggers/${trigger.id}/fire`, {});
  await until('it has started', () => flows.runs.get(json.id));
  const healed = await until('the failure is forgotten', async () => {
    const now = await ok('GET', `/v1/triggers/${trigger.id}`);
    return now.last_error === null ? now : undefined;
  });
  assert.ok(healed.last_run_at);
});

test('filters deliveries by status', async () => {
  const trigger = await made({ type: 'webhook' });
  const listed = async (search = '') => (await ok('GET', `/v1/triggers/${trigger.id}/deliveries${search}`)).items;
  const until_ = (status: string) =>
    until(`one is ${status}`, async () => (await listed()).find((one: { status: string }) => one.status === status));
  flows.failing.with = conflict('Never');
  await ok('POST', `/v1/triggers/${trigger.id}/fire`, {});
  const failed = await until_('failed');
  flows.failing.with = undefined;
  await ok('POST', `/v1/triggers/${trigger.id}/fire`, {});
  const started = await until_('started');
  const ids = async (search: string) => (await listed(search)).map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids('?status=failed'), [failed.id]);
  assert.deepEqual(await ids('?status=started'), [started.id]);
  assert.deepEqual(await ids('?status=pending'), []);
  assert.equal((await call('GET', `/v1/triggers/${trigger.id}/deliveries?status=done`, undefined, as)).status, 422);
});

test('starts the pinned version until the trigger follows the newest', async () => {
  const trigger = await made({ type: 'webhook' });
  const at = `/v1/triggers/${trigger.id}`;
  assert.equal((await call('PATCH', at, { workflow_version_id: randomUUID() }, as)).status, 404);
  const pinned = await ok('PATCH', at, { workflow_version_id: trigger.workflow_id });
  assert.equal(pinned.workflow_version_id, trigger.workflow_id);
  const started = async () => {
    const { json } = await send(trigger.routing_key, {});
    return (await until('it has started', () => flows.runs.get(json.id))).version_id;
  };
  assert.equal(await started(), trigger.workflow_id);
  assert.equal((await ok('PATCH', at, { name: 'other' })).workflow_version_id, trigger.workflow_id);
  assert.equal((await ok('PATCH', at, { follow_newest: true })).workflow_version_id, null);
  assert.equal(await started(), null);
});

test('hides triggers while their workflow is deleted', async () => {
  const trigger = await made({ type: 'webhook' });
  flows.deleted.add(trigger.workflow_id);
  for (const [method, path] of [
    ['GET', `/v1/triggers/${trigger.id}`],
    ['GET', `/v1/workflows/${trigger.workflow_id}/triggers`],
    ['POST', `/hooks/${trigger.routing_key}`],
  ] as const)
    assert.equal((await call(method, path, method === 'POST' ? {} : undefined, as)).status, 404, path);
  flows.deleted.delete(trigger.workflow_id);
  assert.equal((await ok('GET', `/v1/workflows/${trigger.workflow_id}/triggers`)).total, 1);
  assert.equal((await send(trigger.routing_key, {})).status, 200);
});

test('lists the triggers of a workflow page by page', async () => {
  const trigger = await made({ type: 'webhook' });
  const at = `/v1/workflows/${trigger.workflow_id}/triggers`;
  for (let n = 0; n < 2; n++) await ok('POST', at, { definition: { type: 'webhook' } });
  const { items, ...rest } = await ok('GET', `${at}?page=2&size=2`);
  assert.deepEqual([items.length, rest], [1, { total: 3, page: 2, size: 2, pages: 2, next: null }]);
  for (const [search, type] of [
    ['page=0', 'greater_than_equal'],
    ['size=101', 'less_than_equal'],
  ]) {
    const { status, json } = await call('GET', `${at}?${search}`, undefined, as);
    assert.deepEqual([status, json.detail[0].type], [422, type]);
  }
});

test('requires permissions on agents or on workflows, by the target of the trigger', async () => {
  const { id } = await ok('POST', '/v1/agents', { name: 'guarded' });
  const ofAgent = await ok('POST', `/v1/agents/${id}/triggers`, { definition: { type: 'webhook' } });
  const ofWorkflow = await made({ type: 'webhook' });
  const { key: stranger } = await app.workspace();
  const keyFor = async (...permissions: string[]) =>
    (await call('POST', `/v1/admin/groups/${me.id}/api-keys`, { name: 'part', permissions })).json.value;
  const keys = {
    stranger,
    flows: await keyFor('flows_run', 'flows_edit'),
    agents: await keyFor('agents_run', 'agents_edit'),
    runs: await keyFor('agents_run', 'flows_run'),
  };
  const statuses = (at: string, key: string) =>
    Promise.all([
      call('GET', at, undefined, { key }),
      call('PATCH', at, { name: 'Mine' }, { key }),
      call('POST', `${at}/fire`, {}, { key }),
      call('GET', `${at}/deliveries`, undefined, { key }),
    ]).then((answers) => answers.map(({ status }) => status));
  for (const [trigger, may] of [
    [ofAgent, 'agents'],
    [ofWorkflow, 'flows'],
  ] as const)
    for (const [whose, key] of Object.entries(keys)) {
      const [refused, expected] = [Array(4).fill(403), { [may]: Array(4).fill(200), runs: [200, 403, 200, 200] }];
      const wanted = whose === 'stranger' ? Array(4).fill(404) : (expected[whose] ?? refused);
      assert.deepEqual(await statuses(`/v1/triggers/${trigger.id}`, key), wanted, `${whose} on one of ${may}`);
    }
});
