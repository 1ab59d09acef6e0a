import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountName, isEmbedder, isWriter, stepAfter, stepBefore } from './steps.ts';

test('goes through the steps in order and back to the model at most', () => {
  assert.deepEqual([stepAfter('model'), stepAfter('agent'), stepAfter('try')], ['agent', 'try', 'try']);
  assert.deepEqual([stepBefore('try'), stepBefore('agent'), stepBefore('model')], ['agent', 'model', 'model']);
});

test('tells models that write from those for vectors', () => {
  const names = ['qwen3-32b', 'nomic-embed-text', 'bge-reranker-v2', 'gpt-image-1', 'text-embedding-3-small'];
  assert.deepEqual(names.filter(isWriter), ['qwen3-32b']);
  assert.deepEqual(names.filter(isEmbedder), ['nomic-embed-text', 'text-embedding-3-small']);
});

test('names the account of a server by its host, as the API takes names', () => {
  assert.equal(accountName('http://localhost:11434/v1'), 'local');
  assert.equal(accountName('http://127.0.0.1:9/v1'), 'local');
  assert.equal(accountName('https://GPU.example.com/v1'), 'gpu.example.com');
  assert.equal(accountName('not an address'), 'server');
  for (const address of ['http://[fd00::1]/v1', 'http://é.example/'])
    assert.match(accountName(address), /^[a-z0-9][a-z0-9._-]{0,62}$/);
});
