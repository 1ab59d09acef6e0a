import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../graph/graph-types.ts';
import type { Loaded, Workflow } from '../queries.ts';
import { makeWorkflowStore } from './workflow-store.ts';

const step = (id: string, x = 0) => ({ id, type: 'ComposeTextNode', display: { position: { x, y: 0 } } });
const graphOf = (...ids: string[]): Graph => ({ nodes: ids.map((id) => step(id)), edges: [], comments: [] });
const workflowOf = (etag: string) => ({ id: 'w', etag, name: 'Flow', draft: null }) as unknown as Workflow;
const loaded = (etag: string, graph: Graph): Loaded => ({
  workflow: workflowOf(etag),
  definition: graph as unknown as Workflow['definition'],
});

/** A server that keeps one graph, and a browser that keeps one text. */
function world(first: Graph = graphOf('a')) {
  let [etag, stored, kept] = ['1-1', first, ''];
  const failures: unknown[] = [];
  const saves: Graph[] = [];
  const ports = {
    pause: 5,
    async save(graph: Graph, match: string) {
      const failure = failures.shift();
      if (failure) throw failure;
      if (match !== etag) throw { status: 409, code: 'etag_mismatch', body: { updated_by_actor: { name: 'Ines' } } };
      [stored, etag] = [graph, `1-${Number(etag.split('-')[1]) + 1}`];
      saves.push(graph);
      return workflowOf(etag);
    },
    load: async () => loaded(etag, stored),
    keep: (text: string) => {
      kept = text;
    },
    kept: () => kept,
  };
  return {
    ...{ ports, failures, saves },
    open: () => makeWorkflowStore(loaded(etag, stored), ports),
    kept: () => kept,
    writeElsewhere(graph: Graph) {
      [stored, etag] = [graph, `2-${Number(etag.split('-')[1]) + 1}`];
      return loaded(etag, stored);
    },
    stored: () => stored,
  };
}

test('keeps a change in the browser at once and saves it within the pause', async () => {
  const { open, kept, stored, saves } = world();
  const store = open();
  store.change('Add b', graphOf('a', 'b'));
  assert.ok(kept().includes('"b"'));
  store.change('Add c', graphOf('a', 'b', 'c'));
  await store.flush();
  assert.equal(saves.length, 1);
  assert.equal(stored().nodes.length, 3);
  assert.equal(kept(), '');
  assert.equal(store.getState().status, 'saved');
});

test('saves the state before when a saved change is undone', async () => {
  const { open, stored } = world();
  const store = open();
  store.change('Add b', graphOf('a', 'b'));
  await store.flush();
  assert.equal(store.undo(), 'Add b');
  await store.flush();
  assert.equal(stored().nodes.length, 1);
  assert.equal(store.redo(), 'Add b');
  await store.flush();
  assert.equal(stored().nodes.length, 2);
});

test('offers what was not saved after a reload', async () => {
  const { open, failures, stored } = world();
  failures.push({ status: 0 });
  const store = open();
  store.change('Add b', graphOf('a', 'b'));
  await store.flush();
  assert.equal(store.getState().status, 'offline');
  const again = open();
  assert.equal(again.getState().graph.nodes.length, 2);
  await again.flush();
  assert.equal(stored().nodes.length, 2);
});

test('shows both sides when another person saved meanwhile, and overwrites nothing before the choice', async () => {
  const { open, writeElsewhere, stored } = world();
  const store = open();
  writeElsewhere(graphOf('a', 'theirs'));
  store.change('Add mine', graphOf('a', 'mine'));
  await store.flush();
  const { status, conflict } = store.getState();
  assert.equal(status, 'conflict');
  assert.equal(conflict?.by, 'Ines');
  assert.equal(stored().nodes[1]?.id, 'theirs');
  await store.resolve('mine');
  assert.equal(stored().nodes[1]?.id, 'mine');
});

test('takes a newer state of the server while nothing waits here, and leaves an older one', () => {
  const { open, writeElsewhere } = world();
  const store = open();
  store.choose(['a']);
  store.adopt(writeElsewhere(graphOf('b')));
  assert.deepEqual(store.getState().chosen, []);
  assert.equal(store.getState().graph.nodes[0]?.id, 'b');
  store.adopt(loaded('1-1', graphOf('old')));
  assert.equal(store.getState().graph.nodes[0]?.id, 'b');
});
