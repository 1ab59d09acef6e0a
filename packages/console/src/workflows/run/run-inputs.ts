import type { Graph, Step } from '../graph/graph-types.ts';

const inputTypes = new Set(['InputNode', 'FileInputNode', 'ImageInputNode']);

/** The steps whose value a run is started with. */
export const inputStepsOf = ({ nodes }: Graph): Step[] => nodes.filter(({ type }) => inputTypes.has(type));

export interface RunInput {
  id: string;
  label: string;
  kind: string;
  isRequired: boolean;
  begin: string;
}

export function runInputsOf(graph: Graph): RunInput[] {
  return inputStepsOf(graph).map(({ id, name, type, node_config: config }) => {
    const { label, fixed_value, value, type: kind } = config ?? {};
    const isFixed = fixed_value === true;
    return {
      id,
      label: String(label || name || id),
      kind: type === 'InputNode' ? String(kind ?? 'str') : 'File',
      isRequired: !isFixed,
      begin: isFixed && value !== undefined && value !== null ? textOf(value) : '',
    };
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A typed text as the value of a kind: texts stay, others are JSON where they can be read as such. */
export function readInput(kind: string, text: string): unknown {
  if (kind === 'str') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
