import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeToolNames } from './tool-names.ts';

test('names are made of what people wrote, and no two are the same', () => {
  const name = makeToolNames();
  assert.equal(name('mcp', 'My Wiki!', 'pages/search'), 'mcp_My_Wiki_pages_search');
  assert.match(name('mcp', 'My_Wiki', 'pages search'), /^mcp_My_Wiki_pages_search_[0-9a-f]{8}$/);
  assert.match(name('mcp', 'x'.repeat(80), 'y'), /^mcp_x{51}_[0-9a-f]{8}$/);
  assert.equal(name('mcp', 'Zürich', '検索'), 'mcp_Zurich_x');
});

test('every name is one that providers take', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
      const name = makeToolNames();
      for (const [server, tool] of pairs) assert.match(name('mcp', server, tool), /^[\w-]{1,64}$/);
    }),
  );
});
