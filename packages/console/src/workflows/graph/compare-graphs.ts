import { sameJson } from '../../forms/field-values.ts';
import type { Edge, Graph, Step } from './graph-types.ts';

export type Change = 'added' | 'removed' | 'changed' | 'moved';
export interface StepChange {
  id: string;
  change: Change;
  before: Step | undefined;
  after: Step | undefined;
  /** The values that differ, by their names in the config; `name`, `type` and `inputs` of the step itself. */
  fields: readonly { key: string; before: unknown; after: unknown }[];
}
interface EdgeChange {
  change: 'added' | 'removed';
  edge: Edge;
}
export interface GraphChanges {
  steps: readonly StepChange[];
  edges: readonly EdgeChange[];
}

function fieldsThatDiffer(before: Step, after: Step): StepChange['fields'] {
  const [old, now] = [before.node_config ?? {}, after.node_config ?? {}];
  const own = (['name', 'type', 'inputs'] as const).map((key) => ({ key, before: before[key], after: after[key] }));
  const config = Object.keys({ ...old, ...now }).map((key) => ({ key, before: old[key], after: now[key] }));
  return [...own, ...config].filter((field) => !sameJson(field.before ?? null, field.after ?? null));
}

const endsOf = ({ from_id, to_id }: Edge) =>
  JSON.stringify([from_id.node_id, from_id.connector_name, to_id.node_id, to_id.connector_name, to_id.key ?? null]);

/** What differs between two graphs. A step that was only moved counts as moved. */
export function compareGraphs(before: Graph, after: Graph): GraphChanges {
  const old = new Map(before.nodes.map((step) => [step.id, step]));
  const now = new Map(after.nodes.map((step) => [step.id, step]));
  const steps = [...new Map([...now, ...old]).keys()].flatMap((id): StepChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const fields = was && is ? fieldsThatDiffer(was, is) : [];
    const isMoved = was && is && !sameJson(was.display ?? null, is.display ?? null);
    const change = !was ? 'added' : !is ? 'removed' : fields.length ? 'changed' : isMoved ? 'moved' : undefined;
    return change ? [{ id, change, before: was, after: is, fields }] : [];
  });
  const [oldEdges, newEdges] = [before, after].map(
    ({ edges }) => new Map(edges.map((edge) => [endsOf(edge), edge])),
  ) as [Map<string, Edge>, Map<string, Edge>];
  const only = (of: Map<string, Edge>, without: Map<string, Edge>, change: EdgeChange['change']) =>
    [...of].filter(([ends]) => !without.has(ends)).map(([, edge]) => ({ change, edge }));
  return { steps, edges: [...only(newEdges, oldEdges, 'added'), ...only(oldEdges, newEdges, 'removed')] };
}

/** How many changes people would count: places alone do not. */
export const countChanges = ({ steps, edges }: GraphChanges): number =>
  steps.filter(({ change }) => change !== 'moved').length + edges.length;
