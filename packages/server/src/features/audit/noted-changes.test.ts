import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { auditOf } from './testing.ts';

const testing = await testApp();
const { call } = testing;
const { home, aMember, roleNamed } = await makePeopleIn(testing);
const { entries, entryOf } = auditOf(testing);

const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};
/** What the only audit row of a request says. */
async function changeOf(...asked: Parameters<typeof call>) {
  const answer = await done(...asked);
  const { before, after, target } = await entryOf(answer);
  return { before, after, name: target?.name, json: answer.json };
}

test('says before and after of a service account', async () => {
  const at = `/v1/admin/groups/${home}/service-accounts`;
  const made = await changeOf('POST', at, { name: 'Sync', permissions: ['agents_run'] });
  assert.deepEqual([made.after.permissions, made.name], [['agents_run'], 'Sync']);
  const id = made.json.id;
  const changed = await changeOf('PATCH', `${at}/${id}`, { permissions: ['agents_run', 'files_read'] });
  assert.deepEqual(
    [changed.before, changed.after],
    [{ permissions: ['agents_run'] }, { permissions: ['agents_run', 'files_read'] }],
  );
  const removed = await changeOf('DELETE', `${at}/${id}`);
  assert.deepEqual([removed.before.name, removed.after], ['Sync', null]);
});

test('says before and after of a user group, its people and its roles', async () => {
  const { id: person_id } = await aMember('Reader');
  const made = await changeOf('POST', '/v1/admin/user-groups', { name: 'Support' });
  const at = `/v1/admin/user-groups/${made.json.id}`;
  const renamed = await changeOf('PATCH', at, { name: 'Help' });
  assert.deepEqual([renamed.before, renamed.after, renamed.name], [{ name: 'Support' }, { name: 'Help' }, 'Help']);
  const added = await changeOf('PUT', `${at}/members/${person_id}`);
  assert.deepEqual(added.after, { person_id });
  const roleAt = `/v1/admin/groups/${home}/member-groups/${made.json.id}`;
  await done('PUT', roleAt, { role_id: roleNamed('Reader') });
  const given = await changeOf('PUT', roleAt, { role_id: roleNamed('Editor') });
  assert.deepEqual([given.before, given.after], [{ role_id: roleNamed('Reader') }, { role_id: roleNamed('Editor') }]);
  assert.deepEqual((await changeOf('DELETE', roleAt)).before, { role_id: roleNamed('Editor') });
  assert.deepEqual((await changeOf('DELETE', `${at}/members/${person_id}`)).before, { person_id });
  assert.deepEqual((await changeOf('DELETE', at)).before, { name: 'Help' });
});

test('says before and after of a budget, without what is used of it', async () => {
  const made = await changeOf('POST', '/v1/admin/budgets', { name: 'All', max_tokens: 1000, period: 'month' });
  assert.deepEqual([made.after.max_tokens, made.after.scope, made.name], [1000, 'organization', 'All']);
  assert.ok(!('used' in made.after) && !('state' in made.after));
  const at = `/v1/admin/budgets/${made.json.id}`;
  const changed = await changeOf('PATCH', at, { max_tokens: 2000 });
  assert.deepEqual([changed.before, changed.after], [{ max_tokens: 1000 }, { max_tokens: 2000 }]);
  assert.equal((await changeOf('DELETE', at)).before.max_tokens, 2000);
});

test('says before and after of an identity provider, and of its secret only that it changed', async () => {
  const mapping = { claim: 'groups', value: 'editors', group_id: home, role_id: roleNamed('Editor') };
  const made = await changeOf('POST', '/v1/admin/identity-providers', {
    ...{ name: 'Login', issuer: 'https://login.example.com', client_id: 'atrium', client_secret: 'first-secret' },
    mappings: [mapping],
  });
  assert.deepEqual(made.after.mappings, [`groups=editors: ${mapping.role_id} in ${home}`]);
  const at = `/v1/admin/identity-providers/${made.json.id}`;
  const changed = await changeOf('PATCH', at, { client_secret: 'second-secret', mappings: [], enabled: false });
  assert.deepEqual(changed.before, { ...{ enabled: true, client_secret: '[changed]' }, mappings: made.after.mappings });
  assert.deepEqual(changed.after, { enabled: false, client_secret: '[changed]', mappings: [] });
  assert.equal((await changeOf('DELETE', at)).before.issuer, 'https://login.example.com');
  const rows = JSON.stringify(await testing.query('select * from audit_log'));
  assert.ok(!rows.includes('first-secret') && !rows.includes('second-secret'));
});

test('says who could see a document and a folder before and after', async () => {
  const { id: person_id } = await aMember('Reader');
  const { id: base } = (await done('POST', '/v1/knowledge-bases', { name: 'Papers' })).json;
  const at = `/v1/knowledge-bases/${base}/document`;
  const visible_to = [{ kind: 'person', id: person_id }];
  const made = await changeOf('POST', at, { name: 'Pay', visible_to });
  assert.deepEqual(made.after.visible_to, [`person:${person_id}`]);
  const opened = await changeOf('PATCH', `${at}/${made.json.id}`, { visible_to: [{ kind: 'everybody' }] });
  assert.deepEqual([opened.before, opened.after], [{ visible_to: [`person:${person_id}`] }, { visible_to: null }]);
  const folder = await changeOf('PUT', `/v1/knowledge-bases/${base}/folder-rights`, { prefix: '/pay/', visible_to });
  assert.deepEqual([folder.before, folder.after], [{ '/pay/': null }, { '/pay/': [`person:${person_id}`] }]);
});

test('says what columns of a table were before and after', async () => {
  const columns = [{ name: 'city', type: 'text' }];
  const { id } = (await done('POST', '/v1/tables', { name: 'Places', columns })).json;
  const at = `/v1/tables/${id}/columns`;
  const added = await changeOf('POST', at, { name: 'people', type: 'integer', indexed: true });
  assert.deepEqual([added.before, added.after, added.name], [{}, { people: 'integer; indexed' }, 'Places']);
  const labelled = await changeOf('PATCH', `${at}/city`, { label: 'Town' });
  assert.deepEqual([labelled.before, labelled.after], [{ city: 'text' }, { city: 'text; label Town' }]);
  const dropped = await changeOf('DELETE', `${at}/people`);
  assert.deepEqual([dropped.before, dropped.after], [{ people: 'integer; indexed' }, {}]);
});

test('has one row for each trigger and deployment that a deactivation pauses', async () => {
  const ada = await aMember('Admin');
  const mine = as(ada.cookie);
  const agent = (await done('POST', '/v1/agents', { name: 'Desk' }, mine)).json.id;
  const definition = { type: 'webhook' };
  const trigger = (await done('POST', `/v1/agents/${agent}/triggers`, { definition }, mine)).json.id;
  const deployment = (await done('POST', `/v1/agents/${agent}/deployments`, { channel: 'webhook' }, mine)).json.id;
  for (let round = 0; round < 2; round++) await done('PATCH', `/v1/admin/users/${ada.id}`, { active: false });
  for (const [operation, id] of [
    ['triggers.pause', trigger],
    ['deployments.pause', deployment],
  ]) {
    const found = await entries({ operation });
    assert.deepEqual(
      found.map(({ target, actor, after, group_id }) => [target.id, actor.kind, after, group_id]),
      [[id, 'system', { paused_reason: 'owner_inactive' }, home]],
    );
  }
});
