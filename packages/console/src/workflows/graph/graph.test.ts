import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allNodeTypes } from '@atrium/contract/workflows/node-types/all-node-types.ts';
import { catalogueEntryOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { makeCatalogue } from './catalogue.ts';
import { compareGraphs, countChanges } from './compare-graphs.ts';
import { copySteps, pasteSteps } from './copy-steps.ts';
import { addStep, connect, moveAfter, moveSteps, removeSteps, setConfig } from './edit-graph.ts';
import type { Graph, StepType } from './graph-types.ts';
import { noHistory, stepBack, stepForth, withCommand } from './history.ts';
import { depthsOf, readGraph } from './read-graph.ts';
import { outlineOf, walk } from './walk.ts';

const catalogue = makeCatalogue(allNodeTypes.map(catalogueEntryOf) as unknown as StepType[]);
const nothing: Graph = { nodes: [], edges: [] };

/** Steps of these types, each behind the one before. */
function chain(...types: string[]): Graph {
  let graph = nothing;
  let after: string | undefined;
  for (const type of types) {
    const added = addStep(graph, catalogue, type, { after });
    [graph, after] = [added.graph, added.id];
  }
  return graph;
}
const ends = ({ edges }: Graph) =>
  edges.map(
    ({ from_id, to_id }) => `${from_id.node_id}.${from_id.connector_name}>${to_id.node_id}.${to_id.connector_name}`,
  );

test('connects a new step with the one before it by the output and input that fit', () => {
  const graph = chain('InputNode', 'ComposeTextNode', 'OutputNode');
  assert.deepEqual(ends(graph), ['input-1.output>compose-text-1.variables', 'compose-text-1.output>output-1.input']);
  assert.equal(graph.edges[0]?.to_id.key, 'Input');
  assert.deepEqual(
    graph.nodes.map(({ name }) => name),
    ['Input', 'Compose text', 'Output'],
  );
});

test('takes the next free output when a condition gets its second way', () => {
  const graph = chain('InputNode', 'ConditionNode', 'ComposeTextNode');
  const second = addStep(graph, catalogue, 'ComposeTextNode', { after: 'condition-1' });
  assert.equal(second.link?.from_id.connector_name, 'false');
  assert.equal(second.graph.nodes.at(-1)?.name, 'Compose text 2');
  assert.notDeepEqual(second.graph.nodes.at(-1)?.display, graph.nodes.at(-1)?.display, 'it stands elsewhere');
});

test('removes the edges of removed steps and leaves the others', () => {
  const graph = removeSteps(chain('InputNode', 'ComposeTextNode', 'OutputNode'), ['compose-text-1']);
  assert.equal(graph.nodes.length, 2);
  assert.deepEqual(graph.edges, []);
});

test('pastes copies with new ids and their own edges, also into another graph', () => {
  const graph = chain('InputNode', 'ComposeTextNode', 'OutputNode');
  const text = copySteps(graph, ['compose-text-1', 'output-1']);
  const here = pasteSteps(graph, text);
  assert.deepEqual(here?.ids, ['compose-text-2', 'output-2']);
  assert.ok(here && ends(here.graph).includes('compose-text-2.output>output-2.input'));
  assert.equal(new Set(here?.graph.edges.map(({ id }) => id)).size, 3, 'every edge has an id of its own');
  const elsewhere = pasteSteps(nothing, text);
  assert.deepEqual(elsewhere?.ids, ['compose-text-1', 'output-1']);
  assert.equal(pasteSteps(graph, 'just a text'), undefined);
  assert.equal(pasteSteps(graph, '{"format":"atrium.steps","nodes":[{}],"edges":[]}'), undefined);
});

test('moves a step behind another one with its edges', () => {
  const graph = moveAfter(chain('InputNode', 'ComposeTextNode', 'OutputNode'), catalogue, 'output-1', 'input-1');
  assert.deepEqual(ends(graph), ['input-1.output>compose-text-1.variables', 'input-1.output>output-1.input']);
});

test('undoes and redoes named commands and joins what is typed at one place', () => {
  const one = chain('ComposeTextNode');
  const two = setConfig(one, 'compose-text-1', 'template', 'H');
  const three = setConfig(two, 'compose-text-1', 'template', 'Hi');
  let history = withCommand(noHistory, { name: 'Add', before: nothing, after: one, place: undefined, at: 0 });
  history = withCommand(history, { name: 'Type', before: one, after: two, place: 'template', at: 10 });
  history = withCommand(history, { name: 'Type', before: two, after: three, place: 'template', at: 20 });
  assert.equal(history.past.length, 2);
  const back = stepBack(history);
  assert.equal(back?.graph, one);
  assert.equal(back && stepForth(back.history)?.graph, three);
});

test('walks along edges to the right and left, and by place up and down', () => {
  const graph = addStep(chain('InputNode', 'ConditionNode', 'ComposeTextNode'), catalogue, 'ComposeTextNode', {
    after: 'condition-1',
  }).graph;
  assert.equal(walk(graph, 'input-1', 'right'), 'condition-1');
  assert.equal(walk(graph, 'condition-1', 'right'), 'compose-text-1');
  assert.equal(walk(graph, 'compose-text-1', 'down'), 'compose-text-2');
  assert.equal(walk(graph, 'compose-text-2', 'left'), 'condition-1');
  assert.equal(walk(graph, 'input-1', 'left'), undefined);
});

test('lists every step once in the outline, branches one level deeper, circles too', () => {
  const branched = addStep(chain('InputNode', 'ConditionNode', 'ComposeTextNode'), catalogue, 'OutputNode', {
    after: 'condition-1',
  }).graph;
  assert.deepEqual(
    outlineOf(branched).map(({ step, depth }) => [step.id, depth]),
    [
      ['input-1', 0],
      ['condition-1', 0],
      ['compose-text-1', 1],
      ['output-1', 1],
    ],
  );
  const link = { node_id: 'compose-text-1', connector_name: 'variables', key: 'a' };
  const circle = connect(chain('ComposeTextNode'), { from_id: { ...link, connector_name: 'output' }, to_id: link });
  assert.equal(outlineOf(circle).length, 1);
  assert.equal(depthsOf(circle).get('compose-text-1'), 0);
});

test('gives places and edge ids to a definition that has none and keeps its other keys', () => {
  const graph = readGraph({
    nodes: [
      { id: 'a', type: 'InputNode', extra: 1 },
      { id: 'b', type: 'OutputNode', display: { position: { x: 7, y: 8 } } },
    ],
    edges: [{ from_id: { node_id: 'a', connector_name: 'output' }, to_id: { node_id: 'b', connector_name: 'input' } }],
    other: true,
  });
  assert.equal(graph.edges[0]?.id, '0');
  assert.deepEqual(graph.nodes[0], { id: 'a', type: 'InputNode', extra: 1, display: { position: { x: 0, y: 0 } } });
  assert.deepEqual(graph.nodes[1]?.display?.position, { x: 7, y: 8 });
  assert.equal((graph as { other?: boolean }).other, true);
  assert.deepEqual(readGraph(null).nodes, []);
});

test('names added, removed, changed and moved steps apart', () => {
  const before = chain('InputNode', 'ComposeTextNode', 'OutputNode');
  const moved = moveSteps(
    setConfig(before, 'compose-text-1', 'template', 'Hi'),
    new Map([['input-1', { x: 9, y: 9 }]]),
  );
  const after = addStep(removeSteps(moved, ['output-1']), catalogue, 'DelayNode').graph;
  const changes = compareGraphs(before, after);
  assert.deepEqual(Object.fromEntries(changes.steps.map(({ id, change }) => [id, change])), {
    ...{ 'input-1': 'moved', 'compose-text-1': 'changed', 'output-1': 'removed', 'delay-1': 'added' },
  });
  assert.deepEqual(changes.steps.find(({ id }) => id === 'compose-text-1')?.fields[0]?.after, 'Hi');
  assert.equal(countChanges(changes), 4, 'a place alone does not count');
});
