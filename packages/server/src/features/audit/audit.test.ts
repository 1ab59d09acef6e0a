import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn, password } from '../people/testing.ts';
import { auditOf } from './testing.ts';

const testing = await testApp({ trusted_proxies: ['loopback'] });
const { call, query, workspace } = testing;
const { home, aMember, signIn, roleNamed } = await makePeopleIn(testing);
const { entries, entryOf } = auditOf(testing);

const agent = async (body: object = {}) => (await call('POST', '/v1/agents', { name: 'Support', ...body })).json;

test('says who published an agent, by which session and from where', async () => {
  const ada = await aMember('Admin');
  const { id } = await agent();
  const { json: version } = await call('POST', `/v1/agents/${id}/versions`, {
    name: 'v2',
    definition: { default_language: 'de' },
  });
  const published = await call('POST', `/v1/agents/${id}/versions/${version.id}/publish`, undefined, {
    ...as(ada.cookie, { 'user-agent': 'browser' }),
  });
  assert.equal(published.status, 200, published.text);
  const [entry] = await entries({ target_kind: 'agent', target_id: id, operation: 'agentVersions.publish' });
  assert.deepEqual(entry.actor, { kind: 'person', id: ada.id, name: 'Bo' });
  assert.deepEqual(entry.person, entry.actor);
  assert.deepEqual([entry.session_id, entry.api_key_id, entry.group_id], [ada.session_id, null, home]);
  assert.deepEqual([entry.address, entry.user_agent], ['127.0.0.1', 'browser']);
  assert.deepEqual([entry.target.id, entry.target.name, entry.parent.id], [version.id, 'v2', id]);
  assert.deepEqual(entry.parent, { kind: 'agent', id, name: 'Support' });
  assert.deepEqual(Object.keys(entry.after), ['published_version_id', 'definition.default_language']);
  assert.equal(entry.after['definition.default_language'], 'de');
});

test('shows only the fields that changed, and neither prompts nor secrets', async () => {
  const { id } = await agent({ description: 'old' });
  const mark = 'marked-value';
  const definition = {
    ...{ persona: `${mark} `.repeat(20), temperature: 0.5, max_tokens: 500 },
    tools: [{ type: 'clock', enabled: true }],
  };
  const changed = await call('PATCH', `/v1/agents/${id}`, { description: 'new', definition });
  assert.equal(changed.status, 200, changed.text);
  const { before, after } = await entryOf(changed);
  assert.deepEqual([before.description, after.description], ['old', 'new']);
  assert.deepEqual([after['definition.temperature'], after['definition.max_tokens']], [0.5, 500]);
  assert.equal(after['definition.persona'], '[changed: 1 entries]');
  assert.equal(after['definition.tools'], '[changed: 1 entries]');
  assert.ok(!('name' in after) && !('name' in before));
  const made = await call('POST', '/v1/variables', { name: 'marked', inline_value: mark });
  await call('PATCH', `/v1/variables/${made.json.id}`, { inline_value: `${mark}-2` });
  const webhook = await call('POST', '/v1/webhooks', {
    ...{
      url: `https://example.com/x/${mark}-${mark}/y?key=${mark}`,
      events: ['run'],
      secret: `whsec_${btoa(mark.repeat(3))}`,
    },
  });
  await call('POST', '/v1/admin/providers', {
    ...{ provider: 'openai', name: 'marked', api_key: mark },
  });
  const key = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k', permissions: ['agents_run'] });
  const rows = JSON.stringify(await query('select * from audit_log'));
  assert.ok(!rows.includes(mark), 'a value is in the log');
  assert.ok(!rows.includes(key.json.value) && !rows.includes(btoa(mark.repeat(3))), 'a secret is in the log');
  assert.deepEqual((await entryOf(made)).after.inline_value, '[changed]');
  assert.deepEqual((await entryOf(key)).after.permissions, ['agents_run']);
  assert.equal((await entryOf(webhook)).after.url, 'https://example.com/x/…/y');
});

test('has no name and no address of a person in a row, and joins names when read', async () => {
  const { id, email } = await aMember('Editor');
  const renamed = await call('PATCH', `/v1/admin/users/${id}`, { name: 'Grace Hopper' });
  const member = await call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: roleNamed('Reader') });
  const rows = JSON.stringify(await query('select * from audit_log'));
  assert.ok(!rows.includes('Grace') && !rows.includes(email) && !rows.includes('"Bo"'));
  const entry = await entryOf(renamed);
  assert.deepEqual([entry.target.name, entry.after], ['Grace Hopper', { name: '[changed]' }]);
  assert.deepEqual((await entryOf(member)).before, { role_id: roleNamed('Editor') });
  // Erasing a person deletes the name and no row.
  await query("delete from audit_names where kind = 'person' and id = $1", [id]);
  assert.equal((await entryOf(renamed)).target.name, null);
});

test('records sign-ins, sign-outs, resets and failed sign-ins with the person', async () => {
  const { id, email, cookie } = await aMember('Reader');
  const signed = await signIn(email);
  const out = await call('POST', '/v1/auth/sign-out', {}, as(cookie));
  assert.deepEqual([signed.status, out.status], [200, 200]);
  const entry = await entryOf(signed);
  assert.deepEqual([entry.operation, entry.person.id, entry.group_id], ['sessions.signIn', id, null]);
  assert.equal(entry.session_id, signed.json.id);
  assert.equal((await entryOf(out)).actor.id, id);
  const link = await call('POST', `/v1/admin/users/${id}/password-reset`);
  const { token } = link.json;
  const reset = await call('POST', '/v1/auth/password-reset', { token, password: `${password} 2` }, { key: null });
  assert.equal(reset.status, 200, reset.text);
  assert.equal((await entryOf(link)).target.id, id);
  assert.equal((await entryOf(reset)).person.id, id);
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
  const failed = await signIn(email, 'a wrong password', elsewhere);
  assert.equal(failed.status, 401);
  const refusal = await entryOf(failed);
  assert.deepEqual([refusal.outcome, refusal.reason, refusal.person.id], ['refused', 'sign_in_refused', id]);
  assert.deepEqual([refusal.actor.kind, refusal.address], ['nobody', '203.0.113.7']);
  const texts = JSON.stringify(await query('select * from audit_log'));
  assert.ok(!texts.includes('a wrong password') && !texts.includes(email));
});

test('records a refused change in the log of the caller, not of the workspace that it names', async () => {
  const [own, other] = [await workspace(['agents_run']), await workspace()];
  const { id } = await agent();
  const refused = await call('PATCH', `/v1/agents/${id}`, { name: 'x' }, { key: own.key });
  assert.equal(refused.status, 403);
  const entry = await entryOf(refused);
  assert.deepEqual([entry.outcome, entry.reason, entry.group_id], ['refused', 'forbidden', own.id]);
  assert.deepEqual([entry.target.id, entry.before, entry.after], [id, null, null]);
  const foreign = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'x' }, { key: other.key });
  assert.equal(foreign.status, 404);
  assert.equal((await entryOf(foreign)).group_id, other.id);
});

test('records a wrong key, and nothing for a request without one', async () => {
  const options = { key: 'atr_wrong', headers: { 'x-forwarded-for': '203.0.113.8' } };
  const wrong = await call('GET', '/v1/agents', undefined, options);
  assert.deepEqual([wrong.status, (await entryOf(wrong)).reason], [401, 'unauthorized']);
  const none = await call('DELETE', `/v1/agents/${home}`, undefined, { key: null });
  assert.equal(none.status, 401);
  assert.equal((await entries()).filter(({ request_id }) => request_id === none.headers['x-request-id']).length, 0);
});

test('counts a flood of refusals from one address in one row for each reason', async () => {
  const flooded = await testApp({ trusted_proxies: ['loopback'] });
  const { email } = await (await makePeopleIn(flooded)).aMember('Reader');
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (let tries = 0; tries < 30; tries++) {
    const body = { email, password: `wrong password ${tries}` };
    const { status } = await flooded.call('POST', '/v1/auth/sign-in', body, { key: null, headers });
    assert.ok(status === 401 || status === 429);
  }
  const ofAddress = "from audit_log where address = '203.0.113.9'";
  // Wrong passwords, and then too many of them.
  assert.equal((await flooded.query(`select 1 ${ofAddress}`)).length, 2);
  await flooded.app.close();
  const rows = await flooded.query(`select count, reason, first_at, last_at, after ${ofAddress} order by at, id`);
  assert.equal(
    rows.reduce((sum, { count }) => sum + count, 0),
    30,
  );
  const counted = rows.filter(({ count }) => count > 1);
  assert.deepEqual([...new Set(counted.map(({ reason }) => reason))].length, counted.length);
  for (const { count, first_at, last_at, after } of counted) {
    assert.ok(first_at <= last_at);
    assert.deepEqual([after.operations, after.networks], [{ 'sessions.signIn': count }, ['203.0.113.9']]);
  }
});

test('writes no row when the change is rolled back, and one when an Idempotency-Key is repeated', async () => {
  await query(`create function no_agents() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
  await query('create trigger no_agents after insert on agents for each row execute function no_agents()');
  const failed = await call('POST', '/v1/agents', { name: 'never' });
  await query('drop trigger no_agents on agents');
  assert.equal(failed.status, 500);
  const headers = { 'idempotency-key': 'audited' };
  const first = await call('POST', '/v1/agents', { name: 'once' }, { headers });
  const again = await call('POST', '/v1/agents', { name: 'once' }, { headers });
  assert.deepEqual([again.headers['idempotent-replayed'], again.json.id], ['true', first.json.id]);
  const ids = [failed, again].map((answer) => answer.headers['x-request-id']);
  assert.deepEqual(await query('select 1 from audit_log where request_id = any($1)', [ids]), []);
  await entryOf(first);
});

test('writes nothing for messages', async () => {
  const { id } = await agent({ definition: { model: ['atrium/extractive'] } });
  const conversation = await call('POST', `/v1/conversations?assistant_id=${id}`, {});
  const before = (await query('select count(*) from audit_log'))[0].count;
  const sent = await call('POST', `/v1/conversations/${conversation.json.id}`, { content: 'hello' });
  assert.equal(sent.status, 200, sent.text);
  assert.equal((await query('select count(*) from audit_log'))[0].count, before);
});
