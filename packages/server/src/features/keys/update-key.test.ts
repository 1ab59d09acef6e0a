import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const { call, workspace, query, admin } = await testApp();
const people = await makePeopleIn({ call });

const keysOf = (group: string) => `/v1/admin/groups/${group}/api-keys`;
const make = async (group: string, body: Record<string, unknown> = {}, key = admin) =>
  (await call('POST', keysOf(group), { name: 'k', ...body }, { key })).json;
const change = (key: { id: string; group_id: string }, body: Record<string, unknown>, by = admin) =>
  call('PATCH', `${keysOf(key.group_id)}/${key.id}`, body, { key: by });
const me = (key: string) => call('GET', '/v1/admin/me', undefined, { key });
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const roleNamed = async (name: string) =>
  (await call('GET', '/v1/admin/roles')).json.find((role: { name: string }) => role.name === name);

test('changes what it names, keeps the rest and the value, and shows it everywhere', async () => {
  const { id } = await workspace();
  const made = await make(id, { permissions: ['agents_run'], rate_limit: 100, expires_at: later(1) });
  const hidden = { ...made, value: `${made.value.slice(0, 8)}…` };
  const end = later(2);
  const { status, json } = await change(made, { name: 'Renamed', expires_at: end });
  assert.deepEqual([status, json], [200, { ...hidden, name: 'Renamed', expires_at: end, etag: json.etag }]);
  const open = await change(made, { rate_limit: 0, expires_at: '', permissions: ['tables_read', 'tables_read'] });
  const held = { permissions: ['tables_read'], effective_permissions: ['tables_read'] };
  const changed = { ...json, rate_limit: null, expires_at: null, ...held, etag: open.json.etag };
  assert.deepEqual(open.json, changed);
  const unchanged = await change(made, { name: null, rate_limit: null, expires_at: null });
  assert.deepEqual(unchanged.json, changed);
  assert.deepEqual(
    (await call('GET', keysOf(id))).json.find((key: { id: string }) => key.id === made.id),
    changed,
  );
  const { name, permissions } = (await me(made.value)).json;
  assert.deepEqual([name, permissions], ['Renamed', ['tables_read']]);
});

test('a role takes the place of permissions, and permissions that of a role', async () => {
  const { id, key } = await workspace();
  const reader = await roleNamed('Reader');
  const made = await make(id, { permissions: ['agents_edit'] });
  const { json } = await change(made, { role_id: reader.id }, key);
  assert.equal(json.role_id, reader.id);
  assert.ok(json.permissions.includes('kbs_query') && !json.permissions.includes('agents_edit'));
  const listed = await change(made, { permissions: ['files_read'] }, key);
  assert.deepEqual([listed.json.role_id, listed.json.permissions], [null, ['files_read']]);
  for (const [body, loc] of [
    [{ role_id: reader.id, permissions: ['files_read'] }, 'role_id'],
    [{ role_id: (await roleNamed('Org Admin')).id }, 'role_id'],
    [{ permissions: ['org:admin'] }, 'permissions'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ] as const) {
    const refused = await change(made, body);
    assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', loc]]);
  }
});

test('a caller gives no more than it holds and changes no key that holds more', async () => {
  const { id, key } = await workspace();
  const organization = (
    await call('POST', '/v1/admin/roles', {
      ...{ name: 'Settings', scope: 'organization', permissions: { settings_read: true } },
    })
  ).json;
  const plain = await make(id, { permissions: ['agents_run'] });
  for (const body of [
    { permissions: ['agents_run', 'audit_read'] },
    { permissions: ['org:admin'] },
    { role_id: organization.id },
  ])
    assert.equal((await change(plain, body, key)).status, 403, JSON.stringify(body));
  assert.deepEqual((await me(plain.value)).json.permissions, ['agents_run']);

  const strong = await make(id, { permissions: ['agents_run', 'audit_read'] });
  for (const body of [{ name: 'x' }, { permissions: ['agents_run'] }, { expires_at: later(1) }])
    assert.equal((await change(strong, body, key)).status, 403, JSON.stringify(body));
  const own = await make(id, { permissions: ['agents_run'] });
  assert.equal((await change(plain, { name: 'x' }, own.value)).status, 403);

  const slow = await make(id, { rate_limit: 50 });
  assert.equal((await change(plain, { name: 'x' }, slow.value)).status, 403, 'a faster key');
  for (const rate_limit of [51, 0]) assert.equal((await change(slow, { rate_limit }, slow.value)).status, 403);
  assert.equal((await change(slow, { rate_limit: 40 }, slow.value)).json.rate_limit, 40);
});

test('system keys are changed by system keys, keep org:admin, and no key changes its own end', async () => {
  const { id, key } = await workspace();
  const system = await make(id, { tenant_admin: true });
  assert.equal((await change(system, { name: 'x' }, key)).status, 403);
  for (const body of [{ permissions: ['agents_run'] }, { role_id: (await roleNamed('Reader')).id }])
    assert.equal((await change(system, body)).status, 422);
  assert.equal((await change(system, { expires_at: later(1) }, system.value)).status, 409);
  assert.equal((await change(system, { name: 'Robot' }, system.value)).json.name, 'Robot');
  const brief = await make(id, { expires_at: later(1) });
  assert.equal((await change(brief, { expires_at: '' }, brief.value)).status, 409);

  const environment = (await me(admin)).json;
  assert.equal((await change(environment, { name: 'x' }, system.value)).status, 409);
  await query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [brief.id]);
  assert.equal((await change(brief, { expires_at: later(1) })).status, 409, 'an ended key stays ended');
  assert.equal((await call('DELETE', `${keysOf(id)}/${brief.id}`)).status, 200);
});

test('a changed key may do no more at once, on other nodes too', async () => {
  const { id } = await workspace();
  const made = await make(id, { permissions: ['agents_run'] });
  const database = (await query('select current_database() as name'))[0].name as string;
  const other = await makeApp(testConfig('/nowhere'), { ...testServer(), database }, makeLog('silent'));
  const elsewhere = async () =>
    (await other.server.inject({ url: '/v1/agents', headers: { 'x-api-key': made.value } })).statusCode;
  const here = async () => (await call('GET', '/v1/agents', undefined, { key: made.value })).status;
  try {
    assert.deepEqual([await here(), await elsewhere()], [200, 200]);
    await change(made, { permissions: ['tables_read'] });
    assert.equal(await here(), 403);
    let status = 0;
    for (let attempt = 0; attempt < 200 && status !== 403; attempt++) status = await elsewhere();
    assert.equal(status, 403);
  } finally {
    await other.close();
  }
});

test('tells which key or person made a key, by the present name', async () => {
  const { id } = await workspace();
  const parent = await make(id, { name: 'Parent' });
  assert.equal(parent.created_by.kind, 'api_key');
  const child = await make(id, {}, parent.value);
  assert.deepEqual(child.created_by, { id: parent.id, name: 'Parent', kind: 'api_key' });
  const shown = async (key: string) =>
    (await call('GET', keysOf(id))).json.find((row: { id: string }) => row.id === key).created_by;
  await change(parent, { name: 'Renamed' });
  assert.deepEqual((await shown(child.id)).name, 'Renamed');
  const rotated = (await call('POST', `${keysOf(id)}/${child.id}/rotate`)).json;
  assert.deepEqual(rotated.created_by, { ...child.created_by, name: 'Renamed' });
  await call('DELETE', `${keysOf(id)}/${parent.id}`);
  assert.deepEqual((await shown(child.id)).id, parent.id);
  assert.ok(!('created_by' in (await me(child.value)).json), 'its holder is not told');

  const bo = await people.aMember('Admin', id);
  const made = (await call('POST', keysOf(id), { name: 'of Bo' }, as(bo.cookie))).json;
  assert.deepEqual(made.created_by, { id: bo.id, name: 'Bo', kind: 'person' });
  await call('PATCH', `/v1/admin/users/${bo.id}`, { name: 'Bo Berg' });
  assert.deepEqual(await shown(made.id), { id: bo.id, name: 'Bo Berg', kind: 'person' });
  await query('update api_keys set created_by_id = null, created_by_kind = null where id = $1', [made.id]);
  assert.equal(await shown(made.id), null, 'a key from before this was stored');
});

test('lists the keys of all workspaces, those that end soonest first and ended ones last', async () => {
  const [one, two] = [await workspace(), await workspace()];
  const ended = await make(one.id, { expires_at: later(1) });
  await query("update api_keys set expires_at = now() - interval '1 day' where id = $1", [ended.id]);
  const second = await make(one.id, { expires_at: later(0.2) });
  const first = await make(two.id, { expires_at: later(0.1) });
  const ids = async (search: string) => {
    const { status, json } = await call('GET', `/v1/admin/api-keys?${search}`);
    assert.equal(status, 200);
    return json.items.map((key: { id: string }) => key.id) as string[];
  };
  const all = await ids('size=100');
  assert.deepEqual(all.slice(0, 2), [first.id, second.id]);
  assert.equal(all.at(-1), ended.id);
  assert.deepEqual((await ids(`group_id=${one.id}`)).slice(0, 1), [second.id]);
  assert.equal((await ids(`group_id=${one.id}`)).length, 3);
  assert.deepEqual(await ids(`expires_before=${later(0.15)}`), [first.id, ended.id]);
  const page = (await call('GET', '/v1/admin/api-keys?size=1&page=2')).json;
  assert.deepEqual([page.items[0].id, page.items.length, page.total], [second.id, 1, all.length]);
  assert.ok(!JSON.stringify(page).includes(second.value.slice(8)));
  assert.equal((await call('GET', '/v1/admin/api-keys', undefined, { key: one.key })).status, 403);
  assert.deepEqual(await ids(`group_id=${randomUUID()}`), []);
});

test('a person changes keys by the role of the workspace, and sees the list of permissions', async () => {
  const { id } = await workspace();
  const [plain, strong] = [
    await make(id, { permissions: ['agents_run'] }),
    await make(id, { permissions: ['org_read'] }),
  ];
  const by = async (role: string, key: { id: string }) => {
    const { cookie } = await people.aMember(role, id);
    const listed = await call('GET', '/v1/admin/permissions', undefined, as(cookie));
    assert.equal(listed.status, 200, listed.text);
    assert.equal((await call('GET', '/v1/admin/api-keys', undefined, as(cookie))).status, 403);
    return (await call('PATCH', `${keysOf(id)}/${key.id}`, { name: role }, as(cookie))).status;
  };
  assert.deepEqual([await by('Admin', plain), await by('Admin', strong), await by('Editor', plain)], [200, 403, 403]);
});
