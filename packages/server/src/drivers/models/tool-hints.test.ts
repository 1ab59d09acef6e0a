import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { appendToolHints, readToolHints } from './tool-hints.ts';

test('writes hints as lines after the text and reads them back', () => {
  const text = appendToolHints('When is it due?', { tool: 'knowledge_search', kb_id: 'k1' });
  assert.equal(text, 'When is it due?\n\n[[tool: knowledge_search]]\n[[kb_id: k1]]');
  assert.deepEqual(readToolHints(text), {
    text: 'When is it due?',
    hints: { tool: 'knowledge_search', kb_id: 'k1' },
  });
});

test('a text without hints stays as it is', () => {
  for (const text of ['hello', 'a [[tool: b]] c', '[[tool: b]]\nhello', 'ends with a line\n\n', ''])
    assert.deepEqual(readToolHints(appendToolHints(text, {})), { text, hints: {} });
});

test('prefers the hint of the caller over one that the user typed', () => {
  const text = appendToolHints('hello\n[[tool: mine]]', { tool: 'theirs' });
  assert.deepEqual(readToolHints(text), { text: 'hello', hints: { tool: 'theirs' } });
});

test('reads back any text and hints, and no value makes a second hint', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (words, tool, kb_id) => {
      const read = readToolHints(appendToolHints(`${words}.`, { tool, kb_id }));
      assert.equal(read.text, `${words}.`);
      assert.equal(read.hints.workflow_id, undefined);
      if (/^[\w-]{1,200}$/.test(tool)) assert.equal(read.hints.tool, tool);
    }),
  );
});
