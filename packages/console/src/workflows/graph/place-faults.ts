import { sayFault } from '../../forms/field-faults.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import type { Fault } from '../queries.ts';
import type { Catalogue, Graph } from './graph-types.ts';
import { stepFields } from './step-fields.ts';

/** A fault with the step, the field or the connection that it belongs to. */
export interface PlacedFault {
  text: string;
  step: string | undefined;
  /** The key of the field in the step's config. */
  field: string | undefined;
  /** The input of the step that lacks a value. */
  input: string | undefined;
  edge: string | undefined;
}

const plain = (msg: string) => msg.replace(/^Value error, /, '');

/** The validation errors of a definition at their places. */
export function placeFaults(faults: readonly Fault[], graph: Graph, catalogue: Catalogue): PlacedFault[] {
  return faults.map((fault) => {
    const edge = fault.edge === null ? undefined : graph.edges[fault.edge];
    const step = graph.nodes.find(({ id }) => id === fault.node_id);
    const at = fault.loc.indexOf('nodes');
    const [part, name] = at < 0 ? [] : fault.loc.slice(at + 2);
    const type = step && catalogue.get(step.type);
    const field = part === 'node_config' ? name : undefined;
    const described = field && type ? stepFields(type).find(({ key }) => key === field) : undefined;
    const input = part === 'inputs' ? type?.inputs.find((one) => one.name === name) : undefined;
    const msg = { ...fault, msg: plain(fault.msg) };
    return {
      text: input
        ? flowTexts.faults.needsInput(input.label)
        : described
          ? sayFault(msg, described)
          : `${msg.msg.charAt(0).toUpperCase()}${msg.msg.slice(1).replace(/\.$/, '')}.`,
      ...{ step: step?.id ?? edge?.to_id.node_id, field, input: input?.name, edge: edge?.id },
    };
  });
}
