import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { type DefinedNode, definitionShape } from '../definition/definition-shape.ts';
import { compile } from '../definition/graph.ts';
import { outputNode } from '../nodes/data/output.ts';
import { EngineRequest } from '../nodes/engine-request.ts';
import { conditionNode } from '../nodes/logic/condition.ts';
import { makeNodeRegistry } from '../nodes/node-registry.ts';
import type { JournalEvent } from '../runs/journal-events.ts';
import { makeRunProgressReader } from '../runs/run-progress-reader.ts';
import type { RunRow } from '../runs/run-store.ts';
import { aNode, anEdge } from '../testing.ts';
import { type EngineRequestDeps, makeEngineRequestHandler } from './engine-requests.ts';
import type { Frame, Instance } from './frame.ts';
import { readJournalState } from './journal-state.ts';
import { makeJournalWriter } from './journal-writer.ts';
import { type RegionDeps, runRegion } from './run-region.ts';
import { makeStepExecutor } from './step-executor.ts';
import { makeStepWaits } from './step-waits.ts';

/** A condition with a node behind each of its outputs. */
function fork(): Instance {
  const nodes = [
    aNode('if', 'ConditionNode', { expression: 'true' }),
    aNode('yes', 'OutputNode'),
    aNode('no', 'OutputNode'),
  ] as DefinedNode[];
  const edges = ['if.true -> yes.input', 'if.false -> no.input'].map(anEdge);
  const graph = compile(definitionShape.parse({ nodes, edges }), makeNodeRegistry([conditionNode, outputNode]));
  // The scope matters to steps only.
  const frame = { graph, workflow_id: '', input: {}, labels: {}, only: undefined, depth: 0 } as Partial<Frame> as Frame;
  return { frame, region: graph.top, parent: undefined, path: '', round: {}, ends: [] };
}

const deps = (more: Partial<RegionDeps>): RegionDeps => ({
  step: async ({ id }) => (id === 'if' ? { true: 1 } : { output: 1 }),
  known: () => undefined,
  pinned: () => undefined,
  skip: () => {},
  handled: () => {},
  failing: () => {},
  isEnding: () => false,
  ...more,
});

test('ends the region, not the process, when the journal accepts no more events', { timeout: 60_000 }, async () => {
  let skipped = 0;
  const skip = () => {
    skipped++;
    throw new LeaseLost();
  };
  await assert.rejects(runRegion(fork(), deps({ skip })), LeaseLost);
  assert.equal(skipped, 1);
});

test('ignores a decision while the run is being suspended', async () => {
  const parked = Promise.withResolvers<number | null>();
  const waiting = makeStepWaits(parked.resolve);
  let woken = false;
  void waiting.until('a', null, new AbortController().signal).then(() => {
    woken = true;
  });
  assert.equal(await parked.promise, null);
  waiting.decided('a');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(woken, false);
});

test('finds a decision that was made before the step listened, while other steps keep the run busy', {
  timeout: 60_000,
}, async () => {
  const asked = { id: 'asked', expires_at: null, decision: null, note: null, decided_by: null };
  const rows: object[] = [asked, { ...asked, decision: 'approve', note: 'yes', decided_by: 'Ada' }];
  const waiting = makeStepWaits(() => assert.fail('it is put away'));
  void waiting.during(new Promise(() => {}));
  const at = fork();
  const [node] = at.region.nodes;
  assert.ok(node);
  const row = async () => (rows.length > 1 ? rows.shift() : rows[0]);
  const deps = {
    approvals: { insertOnce: row, find: row },
    run: { id: 'run', group_id: '', principal: {} },
    signal: new AbortController().signal,
    waiting,
    asked: new Map(),
  };
  const serve = makeEngineRequestHandler(deps as unknown as EngineRequestDeps);
  const what = { for: 'approval', question: '?', details: null, seconds: null, needs: 'flows_run', four_eyes: false };
  const resumed = await serve(new EngineRequest('wait', what as never), node, at, 'ask');
  assert.deepEqual(resumed, { for: 'approval', decision: 'approve', note: 'yes', by: 'Ada' });
});

test('counts steps that another node has run', async () => {
  const events = Array.from({ length: 100_000 }, (_, index) => ({
    ...{ type: 'end' as const, node: `loop#${index}/x`, status: 'completed' as const },
  }));
  const at = fork();
  const [node] = at.region.nodes;
  assert.ok(node);
  const step = makeStepExecutor({
    run: { id: 'run', retry_of: null } as RunRow,
    signal: new AbortController().signal,
    writer: makeJournalWriter(async () => {}),
    waiting: makeStepWaits(() => {}),
    past: readJournalState([{ first_seq: 1, events }]),
    serve: async () => ({ for: 'time' }),
    requireApproved: async () => {},
  });
  await assert.rejects(step(node, at, {}), /at most 100000 steps/);
});

test('reads only newer events when the progress of a run is read again', async () => {
  const at = fork();
  const journal: JournalEvent[] = [{ type: 'run-start' }];
  const asked: number[] = [];
  const progressOf = makeRunProgressReader({
    graphs: async () => at.frame.graph,
    journal: {
      async all(_workspace, _run, from = 0) {
        asked.push(from);
        return journal.slice(from).map((event, index) => ({ first_seq: from + index + 1, events: [event] }));
      },
    },
  });
  const look = async () => {
    const row = { id: 'run', group_id: '', graph_id: '', last_seq: journal.length, finished_at: null } as RunRow;
    return (await progressOf(row)).progress;
  };
  assert.equal(await look(), 0);
  journal.push({ type: 'end', node: 'if', status: 'completed' });
  assert.deepEqual(await Promise.all([look(), look()]), [33, 33]);
  journal.push({ type: 'end', node: 'yes', status: 'completed' });
  assert.equal(await look(), 66);
  assert.deepEqual(asked, [0, 1, 2]);
});
