import { isCompatible } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { Catalogue, Connector, Graph, Link, Step } from './graph-types.ts';

type Shape = Parameters<typeof isCompatible>[0];

export const makeCatalogue = (types: readonly (Catalogue extends ReadonlyMap<string, infer T> ? T : never)[]) =>
  new Map(types.map((type) => [type.type, type])) satisfies Catalogue;

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** What a step is called: its own name, its label, else its kind. */
export const nameOf = (step: Step, catalogue: Catalogue): string =>
  textOf(step.name) || textOf(step.node_config?.['label']) || catalogue.get(step.type)?.title || step.type;

export const isKeyed = ({ type }: Pick<Connector, 'type'>): boolean => type.startsWith('variable_connector');
/** Inputs that edges can lead to; those of input steps come from the caller of the run. */
export const inputsOf = (step: Step, catalogue: Catalogue): Connector[] =>
  (catalogue.get(step.type)?.inputs ?? []).filter(({ type }) => !type.endsWith('input'));

/** The outputs of a step; of a switch those that its config names, and `on_error` last. */
export function outputsOf(step: Step, catalogue: Catalogue): Connector[] {
  const all = catalogue.get(step.type)?.outputs ?? [];
  const ways = step.node_config?.[step.type === 'SwitchNode' ? 'cases' : 'choices'];
  const count = Array.isArray(ways) ? ways.length : 1;
  return all.filter(({ name }) => {
    const [, number] = /^(?:case|choice)_(\d+)$/.exec(name) ?? [];
    return number === undefined || Number(number) <= Math.max(1, count);
  });
}

export const fits = (output: Connector, input: Connector): boolean =>
  isCompatible(output.definition as Shape, input.definition as Shape);

/** A name for a keyed input that templates and expressions can use. */
export function keyFor(graph: Graph, to: string, connector: string, name: string): string {
  const taken = new Set(
    graph.edges
      .filter(({ to_id }) => to_id.node_id === to && to_id.connector_name === connector)
      .map(({ to_id }) => to_id.key),
  );
  const word =
    name
      .normalize('NFKD')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
      .replaceAll(/^_+|_+$/g, '') || 'value';
  const base = /^\d/.test(word) ? `_${word}` : word;
  let key = base;
  for (let number = 2; taken.has(key); number++) key = `${base}_${number}`;
  return key;
}

/** The connection that most likely is meant between two steps: the first free output that fits a free input. */
export function usualLink(graph: Graph, catalogue: Catalogue, from: string, to: string): Link | undefined {
  const [source, target] = [from, to].map((id) => graph.nodes.find((step) => step.id === id));
  if (!source || !target || source === target) return undefined;
  const outputs = outputsOf(source, catalogue);
  const plain = outputs.filter(({ name }) => name !== 'on_error');
  const isUsed = (name: string) =>
    graph.edges.some(({ from_id }) => from_id.node_id === from && from_id.connector_name === name);
  const isFilled = (name: string) =>
    graph.edges.some(({ to_id }) => to_id.node_id === to && to_id.connector_name === name);
  const inputs = inputsOf(target, catalogue).toSorted(
    (one, other) =>
      Number(one.optional) - Number(other.optional) || Number(isFilled(one.name)) - Number(isFilled(other.name)),
  );
  for (const output of [...plain.filter(({ name }) => !isUsed(name)), ...plain, ...outputs])
    for (const input of inputs) {
      if (!fits(output, input) || (isFilled(input.name) && !isKeyed(input))) continue;
      const key = isKeyed(input) ? keyFor(graph, to, input.name, nameOf(source, catalogue)) : undefined;
      return {
        from_id: { node_id: from, connector_name: output.name },
        to_id: { node_id: to, connector_name: input.name, ...(key && { key }) },
      };
    }
  return undefined;
}
