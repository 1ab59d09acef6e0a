import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastUserText, replaceLastUserText } from './last-user-text.ts';

const messages = [
  { role: 'user', parts: [{ type: 'text', text: 'First' }] },
  { role: 'assistant', parts: [{ type: 'text', text: 'Answer' }] },
  {
    role: 'user',
    parts: [
      { type: 'file', filename: 'a.png' },
      { type: 'text', text: 'Second' },
    ],
  },
  { role: 'tool', results: [{ id: '1', name: 'find', output: '{}' }] },
];

test('finds and replaces the last words of the user, and leaves all else as it is', () => {
  assert.equal(lastUserText(messages), 'Second');
  const changed = replaceLastUserText(messages, 'Third');
  assert.equal(lastUserText(changed), 'Third');
  assert.deepEqual([changed[0], changed[1], changed[3]], [messages[0], messages[1], messages[3]]);
  assert.deepEqual((changed[2] as (typeof messages)[2]).parts?.[0], { type: 'file', filename: 'a.png' });
});

test('finds nothing when a prompt has no words of a user', () => {
  assert.equal(lastUserText([{ role: 'tool', results: [] }, null, 'text']), undefined);
});
