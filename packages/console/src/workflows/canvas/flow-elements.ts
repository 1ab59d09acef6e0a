import { type Edge as FlowEdge, type Node as FlowNode, Position } from '@xyflow/react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { nameOf, outputsOf } from '../graph/catalogue.ts';
import { type Catalogue, type Edge, type Graph, type Remark, type Step, stepSize } from '../graph/graph-types.ts';
import { positionOf } from '../graph/read-graph.ts';

export type StepElement = FlowNode<
  { step: Step; name: string; kind: string; category: string; faults: number },
  'step'
>;
export type RemarkElement = FlowNode<{ remark: Remark }, 'remark'>;
export type Element = StepElement | RemarkElement;
export type EdgeElement = FlowEdge<{ label: string | undefined }, 'flow'>;

const words = flowTexts.canvas;
const middle = stepSize.height / 2;
/** Known beforehand, so that edges to steps out of view are drawn. The same goes for sizes: the canvas fits what has one. */
const handles = [
  { type: 'target' as const, position: Position.Left, x: 0, y: middle, width: 1, height: 1 },
  { type: 'source' as const, position: Position.Right, x: stepSize.width, y: middle, width: 1, height: 1 },
];

/** Of a remark of one line; a longer one is measured once it is drawn. */
const remarkSize = { width: 220, height: 64 };

export const stateId = (id: string) => `state-of-${id}`;

interface Looked {
  graph: Graph;
  chosen: readonly string[];
  faults: ReadonlyMap<string, number>;
  catalogue: Catalogue;
}

/** The elements of the canvas. One that has not changed stays the same object, so that it is not drawn again. */
export function elementsOf({ graph, chosen, faults, catalogue }: Looked, old: readonly Element[]): Element[] {
  const before = new Map(old.map((element) => [element.id, element]));
  const names = new Map(graph.nodes.map((step) => [step.id, nameOf(step, catalogue)]));
  const following = Map.groupBy(graph.edges, ({ from_id }) => from_id.node_id);
  const picked = new Set(chosen);
  // One step is in the way of the Tab key: the chosen one, else the first.
  const current = chosen[0] ?? graph.nodes[0]?.id;
  const reuse = <E extends Element>(next: E, same: (was: E) => boolean): E => {
    const was = before.get(next.id) as E | undefined;
    if (!was) return next;
    const isSame =
      same(was) &&
      was.selected === next.selected &&
      was.ariaLabel === next.ariaLabel &&
      was.domAttributes?.tabIndex === next.domAttributes?.tabIndex &&
      was.position.x === next.position.x &&
      was.position.y === next.position.y;
    return isSame ? was : { ...was, ...next, ...(was.measured && { measured: was.measured }) };
  };
  const steps = graph.nodes.map((step) => {
    const type = catalogue.get(step.type);
    const name = names.get(step.id) ?? step.id;
    const kind = type?.title ?? step.type;
    const targets = new Set((following.get(step.id) ?? []).map(({ to_id }) => names.get(to_id.node_id) ?? ''));
    const count = faults.get(step.id) ?? 0;
    return reuse<StepElement>(
      {
        ...{ id: step.id, type: 'step', position: positionOf(step), selected: picked.has(step.id) },
        ...{ ...stepSize, measured: stepSize, handles, focusable: true },
        data: { step, name, kind, category: type?.category ?? 'other', faults: count },
        ariaLabel: words.about(name, kind, words.leadsTo([...targets].filter(Boolean))),
        domAttributes: {
          tabIndex: step.id === current ? 0 : -1,
          'aria-roledescription': words.step,
          'aria-describedby': stateId(step.id),
        },
      },
      (was) => was.data.step === step && was.data.name === name && was.data.faults === count,
    );
  });
  const remarks = (graph.comments ?? []).map((remark) =>
    reuse<RemarkElement>(
      {
        ...{ id: remark.id, type: 'remark', position: remark.position, selected: picked.has(remark.id) },
        ...{
          width: remarkSize.width,
          measured: remarkSize,
          focusable: true,
          data: { remark },
          ariaLabel: words.remarkAbout(remark.text),
        },
        domAttributes: { tabIndex: remark.id === current ? 0 : -1, 'aria-roledescription': words.remark },
      },
      (was) => was.data.remark === remark,
    ),
  );
  return [...remarks, ...steps];
}

/** The word at an edge: which way it is, where there are several. */
function labelOf(edge: Edge, steps: ReadonlyMap<string, Step>, catalogue: Catalogue): string | undefined {
  const source = steps.get(edge.from_id.node_id);
  const outputs = source ? outputsOf(source, catalogue) : [];
  const output = outputs.find(({ name }) => name === edge.from_id.connector_name);
  const isOnly = outputs.filter(({ name }) => name !== 'on_error').length <= 1 && output?.name !== 'on_error';
  return isOnly ? undefined : (output?.label ?? edge.from_id.connector_name);
}

export function edgeElementsOf({ nodes, edges }: Graph, catalogue: Catalogue): EdgeElement[] {
  const steps = new Map(nodes.map((step) => [step.id, step]));
  return edges
    .filter(({ from_id, to_id }) => steps.has(from_id.node_id) && steps.has(to_id.node_id))
    .map((edge) => ({
      ...{ id: edge.id, type: 'flow', source: edge.from_id.node_id, target: edge.to_id.node_id },
      ...{ focusable: false, data: { label: labelOf(edge, steps, catalogue) } },
    }));
}
