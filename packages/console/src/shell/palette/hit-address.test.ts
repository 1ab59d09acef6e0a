import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfHit } from './hit-address.ts';

test('leads to the place in what was found', () => {
  const at = (...args: Parameters<typeof addressOfHit>) => addressOfHit(...args);
  assert.equal(at('messages', { conversation_id: 'c', message_id: 'm' }, 'w'), '/w/w/chat/c?message=m');
  assert.equal(
    at('passages', { knowledge_base_id: 'k', document_id: 'd', passage_id: 'p' }, 'w'),
    '/w/w/knowledge/k/documents?doc=d&passage=p',
  );
  assert.equal(at('columns', { table_id: 't', column: 'refunded' }, 'w'), '/w/w/tables/t?column=refunded');
  assert.equal(
    at('settings', { form: 'agents', setting: 'temperature' }, 'w', 'a'),
    '/w/w/agents/a/build?setting=temperature',
  );
  assert.equal(at('settings', { form: 'agents', setting: 'temperature' }, 'w'), '/w/w/agents?setting=temperature');
});

test('writes ids and names so that they stay one part of the address', () => {
  assert.equal(addressOfHit('agents', { agent_id: '../../x?y#z' }, 'w'), '/w/w/agents/..%2F..%2Fx%3Fy%23z/build');
  assert.equal(addressOfHit('columns', { table_id: 't', column: 'a&b=c' }, 'w'), '/w/w/tables/t?column=a%26b%3Dc');
});
