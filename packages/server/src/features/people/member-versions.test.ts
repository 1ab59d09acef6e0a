import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from './testing.ts';

const app = await testApp();
const { call } = app;
const { home, roleNamed, aMember } = await makePeopleIn(app);
const members = `/v1/admin/groups/${home}/members`;
const set = (person_id: string, role: string, etag: string | undefined, cookie?: string) => {
  const { key, headers } = cookie ? as(cookie) : { key: app.admin, headers: {} };
  const body = { role_id: roleNamed(role) };
  return call('PUT', `${members}/${person_id}`, body, {
    key,
    headers: { ...headers, ...(etag !== undefined && { 'if-match': etag }) },
  });
};
const listed = async (person_id: string) =>
  (await call('GET', members)).json.find((member: { person_id: string }) => member.person_id === person_id);

test('refuses a role that was chosen for an older one, and says who has changed it', async () => {
  const [person, boss] = [await aMember('Reader'), await aMember('Admin')];
  const { etag } = await listed(person.id);
  const first = await set(person.id, 'Editor', etag, boss.cookie);
  assert.equal(first.status, 200, first.text);
  assert.deepEqual([first.json.etag, first.headers['etag']], [(await listed(person.id)).etag, `"${first.json.etag}"`]);
  const late = await set(person.id, 'Admin', etag);
  assert.deepEqual([late.status, late.json.code, late.json.etag], [409, 'etag_mismatch', first.json.etag], late.text);
  assert.equal(late.json.updated_by_actor.id, boss.id);
  assert.equal((await listed(person.id)).role_name, 'Editor');
  assert.equal((await set(person.id, 'Admin', late.json.etag)).status, 200);
  assert.equal((await set(person.id, 'Reader', undefined)).status, 200);
});

test('a person who was removed and added again has another version', async () => {
  const person = await aMember('Reader');
  const { etag } = await listed(person.id);
  assert.equal((await call('DELETE', `${members}/${person.id}`)).status, 200);
  assert.equal((await set(person.id, 'Editor', etag)).json.code, 'etag_mismatch');
  assert.equal(await listed(person.id), undefined);
  assert.equal((await set(person.id, 'Editor', undefined)).status, 200);
  assert.notEqual((await listed(person.id)).etag, etag);
});

test('lets one of two administrators win who add a person at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await aMember('Reader');
    assert.equal((await call('DELETE', `${members}/${person.id}`)).status, 200);
    const answers = await Promise.all(['Reader', 'Editor', 'Admin'].map((role) => set(person.id, role, '0')));
    const codes = answers.map(({ status, json }) => json.code ?? status).sort();
    assert.deepEqual(codes, [200, 'etag_mismatch', 'etag_mismatch'], answers.map(({ text }) => text).join());
  }
});
