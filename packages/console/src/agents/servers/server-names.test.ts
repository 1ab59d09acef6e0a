import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfServer, toggleTool } from './server-names.ts';

test('a server is named after its host, apart from the others', () => {
  assert.equal(nameOfServer('https://mcp.wiki.example/mcp', []), 'wiki');
  assert.equal(nameOfServer('https://wiki.example/mcp', ['wiki']), 'wiki-2');
  assert.equal(nameOfServer('http://127.0.0.1:9/mcp', []), 'server');
  assert.equal(nameOfServer('no address', []), 'server');
});

test('switching one of all tools off names the others', () => {
  assert.deepEqual(toggleTool(undefined, ['a', 'b'], 'a', false), ['b']);
  assert.deepEqual(toggleTool(['b'], ['a', 'b'], 'a', true), ['b', 'a']);
  assert.deepEqual(toggleTool(['a'], ['a', 'b'], 'a', false), []);
});
