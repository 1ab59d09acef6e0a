import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOfRow, withholdText } from './event-rows.ts';

const row = (type: string, data: object, seq = 9) => ({ seq, type, data: JSON.stringify(data) }) as never;

test('splits a stored text into the pieces that were sent, with their numbers', () => {
  const events = eventsOfRow(row('text-delta', { id: 't', text: 'abcdef', pieces: [1, 3, 2] }));
  assert.deepEqual(events, [
    { seq: 7, type: 'text-delta', id: 't', text: 'a' },
    { seq: 8, type: 'text-delta', id: 't', text: 'bcd' },
    { seq: 9, type: 'text-delta', id: 't', text: 'ef' },
  ]);
  assert.deepEqual(eventsOfRow(row('text-delta', { id: 't', text: 'abc' })), [
    { seq: 9, type: 'text-delta', id: 't', text: 'abc' },
  ]);
});

test('withholds every text and keeps the number of its pieces', () => {
  const withheld = (type: string, data: object) => JSON.parse(withholdText(row(type, data)));
  assert.deepEqual(withheld('text-delta', { id: 't', text: 'abc', pieces: [1, 2] }), {
    ...{ id: 't', text: '', withheld: true, pieces: [0, 0] },
  });
  assert.deepEqual(withheld('text-delta', { id: 't', text: 'abc' }), { id: 't', text: '', withheld: true });
  assert.deepEqual(withheld('tool-call', { id: 'c', name: 'n', input: { secret: 1 } }), {
    id: 'c',
    name: 'n',
    input: {},
  });
  assert.deepEqual(
    withheld('source', { id: 's', url: 'u', title: 't', quote: 'q', place: { page: 1 }, images: ['i'] }),
    { id: 's', url: null, title: '', quote: null },
  );
});
