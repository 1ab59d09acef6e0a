import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupParts } from './group-parts.ts';

const kinds = (...types: (string | { type: string; [key: string]: unknown })[]) =>
  groupParts(types.map((part) => (typeof part === 'string' ? { type: part, text: 'x' } : part))).map((block) =>
    block.kind === 'work' ? `work ${block.steps.length}` : block.kind === 'part' ? block.slot : 'text',
  );

test('makes one group of reasoning and tools that follow each other, also across steps', () => {
  assert.deepEqual(kinds('step-start', 'reasoning', 'tool-search', 'step-start', 'tool-read', 'step-start', 'text'), [
    ...['work 3', 'text'],
  ]);
});

test('begins a new group after words', () => {
  assert.deepEqual(kinds('tool-a', 'text', 'tool-b', 'text'), ['work 1', 'text', 'work 1', 'text']);
});

test('shows a call that waits for a person as a card after its step', () => {
  const asked = { type: 'tool-send', approval: { id: 'a' } };
  assert.deepEqual(kinds('reasoning', asked, 'text'), ['work 2', 'approval', 'text']);
  assert.deepEqual(kinds({ type: 'data-approval', id: 'a' }), ['approval']);
});

test('leaves out sources, marks and empty words', () => {
  assert.deepEqual(kinds('data-chain-of-thought', { type: 'text', text: '' }, 'source-url', 'source-document'), []);
});

test('hands parts that it does not know to the registry', () => {
  assert.deepEqual(kinds('file', 'data-human-request', 'hologram'), ['file', 'data-human-request', 'hologram']);
});
