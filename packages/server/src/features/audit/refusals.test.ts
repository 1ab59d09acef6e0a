import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { makePeopleIn } from '../people/testing.ts';
import { auditOf } from './testing.ts';

const testing = await testApp({ trusted_proxies: ['loopback'] });
const { call, query, workspace } = testing;
const { home, aMember, signIn } = await makePeopleIn(testing);
const { entryOf } = auditOf(testing);
const from = (address: string) => ({ 'x-forwarded-for': address });

test('records a failed sign-in and a wrong key at once after a harmless refusal of the same network', async () => {
  const headers = from('203.0.113.20');
  const { email, id } = await aMember('Reader');
  const unknown = await signIn('nobody@example.com', 'a wrong password', headers);
  const failed = await signIn(email, 'a wrong password', headers);
  const wrong = await call('GET', '/v1/agents', undefined, { key: 'atr_wrong', headers });
  const deleting = await call('DELETE', `/v1/agents/${home}`, undefined, { key: 'atr_wrong', headers });
  assert.deepEqual(
    [unknown, failed, wrong, deleting].map(({ status }) => status),
    [401, 401, 401, 401],
  );
  assert.equal((await entryOf(unknown)).person, null);
  const ofPerson = await entryOf(failed);
  assert.deepEqual([ofPerson.person.id, ofPerson.reason, ofPerson.address], [id, 'sign_in_refused', '203.0.113.20']);
  assert.deepEqual((await entryOf(wrong)).operation, 'agents.list');
  assert.deepEqual((await entryOf(deleting)).operation, 'agents.delete');
  const rows = JSON.stringify(await query('select * from audit_log'));
  assert.ok(!rows.includes('a wrong password') && !rows.includes('atr_wrong') && !rows.includes('nobody@example.com'));
});

test('records each operation and each reason that one key is refused for', async () => {
  const { key } = await workspace(['agents_run']);
  const renamed = await call('PATCH', `/v1/agents/${home}`, { name: 'x' }, { key });
  const deleted = await call('DELETE', `/v1/agents/${home}`, undefined, { key });
  const other = await workspace();
  const missing = await call('DELETE', `/v1/agents/${home}`, undefined, { key: other.key });
  assert.deepEqual([renamed.status, deleted.status, missing.status], [403, 403, 404]);
  assert.deepEqual((await entryOf(renamed)).operation, 'agents.update');
  assert.deepEqual((await entryOf(deleted)).reason, 'forbidden');
  assert.deepEqual((await entryOf(missing)).reason, 'not_found');
});

test('writes few rows for wrong keys from many networks, and counts the rest', async () => {
  const flooded = await testApp({ trusted_proxies: ['loopback'] });
  const tries = 700;
  for (let n = 0; n < tries; n++) {
    const headers = from(`198.51.${n % 250}.${Math.floor(n / 250) + 1}`);
    const { status } = await flooded.call('GET', '/v1/agents', undefined, { key: 'atr_wrong', headers });
    assert.equal(status, 401);
  }
  const written = (await flooded.query("select 1 from audit_log where outcome = 'refused'")).length;
  assert.ok(written <= 301, `${written} rows`);
  // A failed sign-in is not hidden by the flood.
  const body = { email: 'nobody@example.com', password: 'a wrong password' };
  const failed = await flooded.call('POST', '/v1/auth/sign-in', body, { key: null, headers: from('192.0.2.1') });
  const ofSignIn = await flooded.query('select 1 from audit_log where request_id = $1', [
    failed.headers['x-request-id'],
  ]);
  assert.equal(ofSignIn.length, 1);
  await flooded.app.close();
  const [{ sum }] = await flooded.query(
    "select sum(count)::int from audit_log where outcome = 'refused' and operation = 'agents.list'",
  );
  assert.equal(sum, tries);
});
