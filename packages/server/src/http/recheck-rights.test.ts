import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../test/support/test-app.ts';
import { as, makePeopleIn } from '../features/people/testing.ts';

const testing = await testApp();
const { call, query } = testing;
const { aMember } = await makePeopleIn(testing);

test('a repeated request with an Idempotency-Key does not answer what its caller has lost the right to', async () => {
  const [ada, bo] = [await aMember('Reader'), await aMember('Reader')];
  const headers = { 'idempotency-key': 'once' };
  const create = () => call('POST', '/v1/conversations', { name: 'private words' }, as(ada.cookie, headers));
  const first = await create();
  const again = await create();
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.text], [200, 'true', first.text]);
  await query('update conversations set owner_id = $2 where id = $1', [first.json.id, bo.id]);
  const lost = await create();
  assert.equal(lost.status, 404, lost.text);
  assert.ok(!lost.text.includes('private words'));
});
