import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countResults, describeTool } from './describe-step.ts';

const words = {
  searching: 'Searching',
  searched: 'Searched',
  counted: (kind: string, count: number) => `${count} ${kind}`,
};

test('describes a search of a knowledge base by its name, its query and what was found', () => {
  const call = { type: 'tool-kb_staff_handbook_search', input: { query: 'broken' } };
  const running = describeTool({ ...call, state: 'input-available' }, words);
  assert.deepEqual(running, { verb: 'Searching', object: 'Staff handbook', detail: 'broken', result: '' });
  const done = describeTool({ ...call, state: 'output-available', output: { results: [1, 2] } }, words);
  assert.deepEqual([done.verb, done.result], ['Searched', '2 passages']);
});

test('says what the agent is set to say of a tool', () => {
  const part = { type: 'tool-x', toolMetadata: { icon: null, message: 'Asking the warehouse' } };
  assert.deepEqual(describeTool(part, words), { verb: 'Asking the warehouse', object: '', detail: '', result: '' });
});

test('names any other tool by its title or its name', () => {
  assert.equal(describeTool({ type: 'tool-clock_now' }, words).object, 'Clock now');
  assert.equal(describeTool({ type: 'tool-clock_now', title: 'The time' }, words).object, 'The time');
});

test('counts lists and lists within results', () => {
  assert.deepEqual([countResults([1]), countResults({ rows: [] }), countResults('text')], [1, 0, undefined]);
});
