import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

describe('keys hold at most what their owner holds', async () => {
  const app = await testApp();
  const { call } = app;
  const { home, roleNamed, aMember } = await makePeopleIn(app);
  const keysPath = `/v1/admin/groups/${home}/api-keys`;
  const makeKey = async (cookie: string, body: object = {}) => {
    const made = await call('POST', keysPath, { name: 'k', ...body }, as(cookie));
    assert.equal(made.status, 200, made.text);
    return made.json as { id: string; value: string };
  };
  const statusOf = async (key: string, path = `/v1/admin/groups/${home}/api-keys`) =>
    (await call('GET', path, undefined, { key })).status;

  test('a key of a person loses what the person loses, and gets it back with the role', async () => {
    const person = await aMember('Admin');
    const { value } = await makeKey(person.cookie);
    assert.equal(await statusOf(value), 200);
    const setRole = (name: string) =>
      call('PUT', `/v1/admin/groups/${home}/members/${person.id}`, { role_id: roleNamed(name) });
    assert.equal((await setRole('Reader')).status, 200);
    assert.equal(await statusOf(value), 403);
    assert.equal(await statusOf(value, '/v1/agents'), 200);
    assert.equal((await setRole('Admin')).status, 200);
    assert.equal(await statusOf(value), 200);
    assert.equal((await call('DELETE', `/v1/admin/groups/${home}/members/${person.id}`)).status, 200);
    assert.equal(await statusOf(value), 403);
    assert.equal(await statusOf(value, '/v1/agents'), 403);
  });

  test('a key made by a key of a person belongs to that person', async () => {
    const person = await aMember('Admin');
    const first = await makeKey(person.cookie);
    const second = await call('POST', keysPath, { name: 'second' }, { key: first.value });
    assert.equal(second.status, 200, second.text);
    assert.equal((await call('DELETE', `/v1/admin/groups/${home}/members/${person.id}`)).status, 200);
    assert.equal(await statusOf(second.json.value), 403);
  });
});
