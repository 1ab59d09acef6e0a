import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLost } from '../../runs/carried-run.ts';
import { type DefinedNode, definitionShape } from '../definition.ts';
import { compile } from '../graph.ts';
import { conditionNode } from '../nodes/condition.ts';
import { outputNode } from '../nodes/output.ts';
import { makeNodeRegistry } from '../registry.ts';
import { aNode, anEdge } from '../testing.ts';
import type { Frame, Instance } from './frame.ts';
import { type RegionDeps, runRegion } from './region.ts';
import { makeWaiting } from './waiting.ts';

/** A condition with something on both of its ways. */
function fork(): Instance {
  const nodes = [
    aNode('if', 'ConditionNode', { expression: 'true' }),
    aNode('yes', 'OutputNode'),
    aNode('no', 'OutputNode'),
  ] as DefinedNode[];
  const edges = ['if.true -> yes.input', 'if.false -> no.input'].map(anEdge);
  const graph = compile(definitionShape.parse({ nodes, edges }), makeNodeRegistry([conditionNode, outputNode]));
  // Whom it acts for is the steps' affair.
  const frame = { graph, workflow_id: '', input: {}, labels: {}, only: undefined, depth: 0 } as Partial<Frame> as Frame;
  return { frame, region: graph.top, parent: undefined, path: '', round: {}, ends: [] };
}

const deps = (more: Partial<RegionDeps>): RegionDeps => ({
  step: async ({ id }) => (id === 'if' ? { true: 1 } : { output: 1 }),
  known: () => undefined,
  skip: () => {},
  failing: () => {},
  isEnding: () => false,
  ...more,
});

test('a journal that takes no more ends the region, and not the process', { timeout: 5000 }, async () => {
  let skipped = 0;
  const skip = () => {
    skipped++;
    throw new LeaseLost();
  };
  await assert.rejects(runRegion(fork(), deps({ skip })), LeaseLost);
  assert.equal(skipped, 1);
});

test('what is decided while a run is put away sets nothing going in its old place', async () => {
  const parked = Promise.withResolvers<number | null>();
  const waiting = makeWaiting(parked.resolve);
  let woken = false;
  void waiting.until('a', null, new AbortController().signal).then(() => {
    woken = true;
  });
  assert.equal(await parked.promise, null);
  waiting.decided('a');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(woken, false);
});
