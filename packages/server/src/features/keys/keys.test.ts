import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testApp } from '../../../test/support/test-app.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';

const { call, workspace, query, logged, admin } = await testApp();

const keysOf = (group: string) => `/v1/admin/groups/${group}/api-keys`;
const me = (key: string | null, headers: Record<string, string> = {}) =>
  call('GET', '/v1/admin/me', undefined, { key, headers });
const make = async (group: string, body: Record<string, unknown> = {}, key = admin) =>
  call('POST', keysOf(group), { name: 'k', ...body }, { key });

/** Another node: the whole program once more on the same database. */
async function secondNode() {
  const database = (await query('select current_database() as name'))[0].name as string;
  const app = await makeApp(testConfig('/nowhere'), { ...testServer(), database }, makeLog('silent'));
  const status = async (key: string) =>
    (await app.server.inject({ url: '/v1/admin/me', headers: { 'x-api-key': key } })).statusCode;
  return { status, close: app.close };
}

test('the value is shown once, masked ever after, and kept nowhere in clear', async () => {
  const { id } = await workspace();
  const { json: made } = await make(id, { name: 'Ticket system' });
  assert.match(made.value, /^atr_[\w-]{43}$/);
  // Listed before it is used: when that was is written down some time later.
  const list = await call('GET', keysOf(id));
  const self = await me(made.value);
  const shown = list.json.find((key: { id: string }) => key.id === made.id);
  assert.deepEqual(shown, { ...made, value: `${made.value.slice(0, 8)}…` });
  assert.equal(self.json.value, shown.value);

  const secret = made.value.slice(8);
  assert.ok(!self.text.includes(secret) && !list.text.includes(secret));
  assert.ok(logged.length > 0 && !logged.join('').includes(secret));
  const tables = await query(`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`);
  assert.ok(tables.length > 5);
  for (const { name } of tables) {
    const rows = await query(`select 1 from ${name} as t where position($1 in t::text) > 0`, [secret]);
    assert.equal(rows.length, 0, `${name} holds a key in clear`);
  }
});

test('a key made without permissions administers its workspace, and me tells all about it', async () => {
  const { id } = await workspace();
  const { json: made } = await make(id);
  const { status, json } = await me(made.value);
  assert.equal(status, 200);
  const { tenant_id, last_used_at: _, ...rest } = json;
  assert.match(tenant_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    id: made.id,
    group_id: id,
    name: 'k',
    rate_limit: null,
    stream_limit: null,
    reach: 'own',
    tenant_admin: false,
    permissions: ['workspace_admin'],
    effective_permissions: ['workspace_admin'],
    role_id: null,
    value: `${made.value.slice(0, 8)}…`,
    expires_at: null,
    created_at: made.created_at,
  });
  assert.equal((await me(admin)).json.tenant_admin, true);
});

test('a key never grants more than its maker holds', async () => {
  const { id, key } = await workspace(['workspace_admin', 'audit_read']);
  assert.equal((await make(id, { permissions: ['agents_run', 'audit_read'] }, key)).status, 200);
  assert.equal((await make(id, { permissions: ['agents_run', 'org_read'] }, key)).status, 403);
  assert.equal((await make(id, { permissions: ['org:admin'] }, key)).status, 403);
  assert.equal((await make(id, { tenant_admin: true }, key)).status, 403);
  const plain = await make(id, { permissions: ['agents_run'] });
  assert.equal((await make(id, { permissions: ['agents_run'] }, plain.json.value)).status, 403);
});

test('tenant_admin and org:admin come together or not at all', async () => {
  const { id } = await workspace();
  assert.deepEqual((await make(id, { tenant_admin: true })).json.permissions, ['org:admin']);
  assert.equal((await make(id, { tenant_admin: true, permissions: ['agents_run'] })).status, 422);
  const { status, json } = await make(id, { permissions: ['org:admin'] });
  assert.equal(status, 422);
  assert.deepEqual(json.detail[0].loc, ['body', 'permissions']);
});

/** The clock of this process; the database has its own, which goes on. */
const setClock = (t: TestContext, now: number) => t.mock.timers.enable({ apis: ['Date'], now });

test('a key runs out on time, also one that was just used', async (t) => {
  const { id } = await workspace();
  assert.equal((await make(id, { expires_at: '2020-01-01T00:00:00Z' })).status, 422);
  const end = Date.now() + 3_600_000;
  const { json } = await make(id, { expires_at: new Date(end).toISOString() });
  // The cache keeps a key for half a minute.
  setClock(t, end - 1000);
  assert.equal((await me(json.value)).status, 200);
  t.mock.timers.setTime(end - 1);
  assert.equal((await me(json.value)).status, 200);
  t.mock.timers.setTime(end);
  assert.equal((await me(json.value)).status, 401);
  assert.equal((await call('POST', `${keysOf(id)}/${json.id}/rotate`)).status, 409);
});

test('a key that has run out is not read any more', async () => {
  const { id } = await workspace();
  const { json } = await make(id, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  await query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [json.id]);
  assert.equal((await me(json.value)).status, 401);
});

test('a revoked key is refused at once here, and within a second on another node', async (t) => {
  const { id } = await workspace();
  const other = await secondNode();
  after(other.close);
  // The clock stands still, so a cache entry disappears only by a notification.
  setClock(t, Date.now());
  const late: number[] = [];
  // Repeated, because a notification through the database alone would be late in some rounds.
  for (let round = 0; round < 10; round++) {
    const { json } = await make(id);
    assert.equal((await me(json.value)).status, 200);
    assert.equal(await other.status(json.value), 200);
    assert.deepEqual((await call('DELETE', `${keysOf(id)}/${json.id}`)).json, { success: true });
    assert.equal((await me(json.value)).status, 401);
    const revoked = performance.now();
    while ((await other.status(json.value)) !== 401) {
      assert.ok(performance.now() - revoked < 60_000, 'the other node still takes the key');
      await sleep(5);
    }
    late.push(performance.now() - revoked);
    assert.equal((await call('DELETE', `${keysOf(id)}/${json.id}`)).status, 404);
  }
  // A machine may stand still for longer than that, and not in every round.
  assert.ok(Math.min(...late) < 1000, `${late}`);
});

test('after a rotation the old value works until the overlap ends', async (t) => {
  const { id } = await workspace();
  const { json: old } = await make(id, { name: 'r', permissions: ['agents_run'] });
  assert.equal((await me(old.value)).status, 200);
  const before = Date.now();
  const { json: next } = await call('POST', `${keysOf(id)}/${old.id}/rotate`, { overlap_seconds: 60 });
  assert.notEqual(next.value, old.value);
  assert.deepEqual([next.name, next.permissions, next.expires_at], ['r', ['agents_run'], null]);
  assert.deepEqual([(await me(old.value)).status, (await me(next.value)).status], [200, 200]);
  const [{ ends }] = await query('select expires_at as ends from api_keys where id = $1', [old.id]);
  // It is kept in whole milliseconds, the nearest.
  const [least, most] = [before + 60_000, Date.now() + 60_001];
  assert.ok(ends.getTime() >= least && ends.getTime() <= most, `${ends.getTime()} is not in ${least} to ${most}`);
  setClock(t, ends.getTime());
  assert.deepEqual([(await me(old.value)).status, (await me(next.value)).status], [401, 200]);

  await call('POST', `${keysOf(id)}/${next.id}/rotate`, { overlap_seconds: 0 });
  assert.equal((await me(next.value)).status, 401);
});

test('rotating neither lengthens a life nor reaches above the caller', async () => {
  const { id, key } = await workspace();
  const { json: brief } = await make(id, { expires_at: new Date(Date.now() + 60_000).toISOString() });
  const { json: next } = await call('POST', `${keysOf(id)}/${brief.id}/rotate`);
  const list = await call('GET', keysOf(id));
  const old = list.json.find((row: { id: string }) => row.id === brief.id);
  assert.deepEqual([old.expires_at, next.expires_at], [brief.expires_at, brief.expires_at]);
  const { json: system } = await make(id, { tenant_admin: true });
  assert.equal((await call('POST', `${keysOf(id)}/${system.id}/rotate`, undefined, { key })).status, 403);
  assert.equal((await call('DELETE', `${keysOf(id)}/${system.id}`, undefined, { key })).status, 403);
});

test('a workspace administrator can not revoke or rotate a key that holds permissions of the organisation', async () => {
  const { id, key } = await workspace();
  for (const permission of ['org_read', 'audit_read', 'users_write', 'workspace_write']) {
    const { json: held } = await make(id, { permissions: ['agents_run', permission] });
    const refused = await call('DELETE', `${keysOf(id)}/${held.id}`, undefined, { key });
    assert.equal(refused.status, 403, permission);
    assert.match(refused.text, new RegExp(`what it holds: ${permission}`));
    assert.equal((await call('POST', `${keysOf(id)}/${held.id}/rotate`, undefined, { key })).status, 403, permission);
    assert.equal((await me(held.value)).status, 200, 'it works on');
    assert.equal((await call('DELETE', `${keysOf(id)}/${held.id}`)).status, 200, 'an administrator of all may');
  }
  const { json: plain } = await make(id, { permissions: ['agents_run'] });
  assert.equal((await call('DELETE', `${keysOf(id)}/${plain.id}`, undefined, { key })).status, 200);
});

test('no system key revokes itself, and the one of the environment is changed only there', async () => {
  const { id } = await workspace();
  const { json: system } = await make(id, { tenant_admin: true });
  const path = `${keysOf(id)}/${system.id}`;
  assert.equal((await call('DELETE', path, undefined, { key: system.value })).status, 409);
  assert.equal((await call('DELETE', path)).status, 200);
  const own = (await me(admin)).json;
  assert.equal((await call('DELETE', `${keysOf(own.group_id)}/${own.id}`, undefined)).status, 409);
  assert.equal((await call('POST', `${keysOf(own.group_id)}/${own.id}/rotate`)).status, 409);
});

test('when a key was last used is written down', async () => {
  const { id } = await workspace();
  const { json } = await make(id);
  const node = await secondNode();
  const before = Date.now();
  assert.equal(await node.status(json.value), 200);
  await node.close();
  const [row] = await query('select last_used_at from api_keys where id = $1', [json.id]);
  assert.ok(row.last_used_at.getTime() >= before && row.last_used_at.getTime() <= Date.now());
});

test('a system key acts in the workspace it names; for another key only its own exists', async () => {
  const [here, there] = [await workspace(), await workspace()];
  const inThere = { 'x-workspace-id': there.id };
  assert.equal((await me(admin, inThere)).status, 200);
  const run = { ...inThere, 'idempotency-key': 'somewhere-else' };
  await call('POST', '/v1/admin/groups', { name: 'x' }, { headers: run });
  const rows = await query('select workspace_id from idempotency_keys where key = $1', ['somewhere-else']);
  assert.deepEqual(rows, [{ workspace_id: there.id }]);

  assert.equal((await me(here.key, { 'x-workspace-id': here.id })).status, 200);
  const foreign = await me(here.key, inThere);
  const missing = await me(admin, { 'x-workspace-id': '01890000-0000-7000-8000-000000000000' });
  assert.deepEqual([foreign.status, foreign.json], [404, missing.json]);
  const broken = await me(admin, { 'x-workspace-id': 'nope' });
  assert.equal(broken.status, 422);
  assert.deepEqual(broken.json.detail[0].loc, ['header', 'x-workspace-id']);
});

test('either header carries the key; two that differ are refused', async () => {
  const { key } = await workspace();
  assert.equal((await me(null, { authorization: `Bearer ${key}` })).status, 200);
  assert.equal((await me(key, { authorization: `Bearer ${key}` })).status, 200);
  assert.equal((await me(key, { authorization: `Bearer ${admin}` })).status, 401);
  const refused = [await me(null), await me('atr_unknown'), await me(null, { authorization: `Basic ${key}` })];
  assert.deepEqual(
    refused.map(({ status, text }) => [status, text]),
    refused.map(() => [
      401,
      JSON.stringify({
        detail: 'A valid API key is needed, in the header X-API-Key or as Authorization: Bearer <key>',
        code: 'unauthorized',
      }),
    ]),
  );
});
