import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeToolNames } from './service.ts';

test('names are made of what people wrote, and no two are the same', () => {
  const name = makeToolNames();
  assert.equal(name('mcp', 'My Wiki!', 'pages/search'), 'mcp_My_Wiki_pages_search');
  assert.match(name('mcp', 'My_Wiki', 'pages search'), /^mcp_My_Wiki_pages_search_[0-9a-f]{8}$/);
  assert.match(name('mcp', 'x'.repeat(80), 'y'), /^mcp_x{51}_[0-9a-f]{8}$/);
  assert.equal(name('mcp', 'Zürich', '検索'), 'mcp_Zurich_x');
});

test('every name is accepted by providers and unique', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'A!', 'x'.repeat(90)), fc.string({ maxLength: 2 }))),
      (pairs) => {
        const name = makeToolNames();
        const names = pairs.map(([server, tool]) => name('mcp', server, tool));
        for (const one of names) assert.match(one, /^[\w-]{1,64}$/);
        assert.equal(new Set(names).size, names.length);
      },
    ),
  );
});
