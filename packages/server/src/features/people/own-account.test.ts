import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from './testing.ts';

const testing = await testApp();
const { call } = testing;
const { aMember } = await makePeopleIn(testing);
const path = '/v1/auth/account';

test('lets a person change their own name, seen everywhere at once, and nothing else of the account', async () => {
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  for (const more of [{ tenant_admin: true }, { active: false }, { email: 'other@example.com' }])
    assert.equal((await call('PATCH', path, { name: 'Bo Diddley', ...more }, as(bo.cookie))).status, 422);
  const renamed = await call('PATCH', path, { name: 'Bo Diddley' }, as(bo.cookie));
  assert.equal(renamed.status, 200, renamed.text);
  assert.partialDeepStrictEqual(renamed.json, {
    ...{ id: bo.id, name: 'Bo Diddley', tenant_admin: false, active: true, email: bo.email },
  });
  const session = await call('GET', '/v1/auth/session', undefined, as(bo.cookie));
  assert.deepEqual([session.status, session.json.person.name], [200, 'Bo Diddley']);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cy.cookie))).json.person.name, 'Bo');
  const made = await call('POST', '/v1/conversations', { name: 'x' }, as(bo.cookie));
  assert.equal(made.json.created_by_actor.name, 'Bo Diddley');
});

test('writes an audit row for a changed name, without the name itself among its values', async () => {
  const bo = await aMember('Reader');
  await call('PATCH', path, { name: 'Zinnia Quux' }, as(bo.cookie));
  const { items } = (await call('GET', '/v1/admin/audit?size=20')).json;
  const row = items.find(({ operation }: { operation: string }) => operation === 'people.updateOwn');
  assert.deepEqual([row.target.kind, row.target.id, row.actor.id], ['person', bo.id, bo.id]);
  assert.ok(!JSON.stringify(row.changes ?? row).includes('"after":"Zinnia'));
});

test('refuses an old If-Match, an empty name, keys and callers who are not signed in', async () => {
  const bo = await aMember('Reader');
  const { etag } = (await call('PATCH', path, { name: 'One' }, as(bo.cookie))).json;
  assert.equal((await call('PATCH', path, { name: 'Two' }, as(bo.cookie, { 'if-match': etag }))).status, 200);
  const late = await call('PATCH', path, { name: 'Three' }, as(bo.cookie, { 'if-match': etag }));
  assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch']);
  assert.equal((await call('PATCH', path, { name: '' }, as(bo.cookie))).status, 422);
  assert.equal((await call('PATCH', path, { name: 'x' })).status, 403);
  assert.equal((await call('PATCH', path, { name: 'x' }, { key: null })).status, 401);
});
