import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allNodes, type NodeDeps } from '../nodes/all-nodes.ts';
import { examples } from './node-examples.ts';
import { nodesDocument } from './nodes-document.ts';
import { readConfig } from './read-node-config.ts';

const nodes = allNodes({ toolCalls: {} } as NodeDeps);

test('docs/nodes.md is what the nodes say', () => {
  const stored = readFileSync(new URL('../../../../../../docs/nodes.md', import.meta.url), 'utf8');
  assert.equal(stored, nodesDocument(), 'docs/nodes.md is stale: run `npm run docs`');
});

test('every node has an example that its config takes', () => {
  assert.deepEqual(Object.keys(examples).sort(), nodes.map(({ type }) => type).sort());
  for (const node of nodes)
    assert.deepEqual(readConfig(node, examples[node.type] ?? {}).validationErrors, [], node.type);
});
