import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allNodeTypes } from './all-node-types.ts';
import { nodesDocument } from './nodes-document.ts';
import { readConfig } from './read-node-config.ts';

test('docs/nodes.md matches the node types', () => {
  const stored = readFileSync(new URL('../../../../../docs/nodes.md', import.meta.url), 'utf8');
  assert.equal(stored, nodesDocument(), 'docs/nodes.md is stale: run `npm run docs`');
});

test('the example of every node type is a valid config', () => {
  for (const node of allNodeTypes) assert.deepEqual(readConfig(node, node.example).validationErrors, [], node.type);
});
