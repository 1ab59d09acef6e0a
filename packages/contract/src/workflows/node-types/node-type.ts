import { type ConfigFields, type ConfigOf, c } from './config-fields.ts';
import type { Connector } from './connectors.ts';

/**
 * How to add a node:
 *
 * 1. Its data: one file in a room of this folder (`text/`, `logic/`, `data/`, `integrations/`) with
 *    `export const textSplitterNodeType = nodeType({ … })`, and one line in `all-node-types.ts`. Inputs and outputs are connectors
 *    (`plain`, `keyed`), the config is fields (`c.text`, `c.template`, `c.expression`, `c.int`, …). The catalogue, docs/nodes.md,
 *    the check on save and the types of the node's function come from these. Retries, a timeout and the output `on_error`
 *    are added to every node that can fail.
 * 2. Its function: the file of the same name in the server's `features/workflows/nodes/`, with `defineNode(textSplitterNodeType, run)`,
 *    and one line in `all-nodes.ts` there.
 * 3. A test of the function, and an example of a workflow that uses the node in docs/workflows.md.
 */

export const categories = [
  'io',
  'sources',
  'data',
  'logic',
  'ai_sound',
  'ai_image',
  'ai_text',
  'integrations',
  'agents',
  'other',
  'admin',
  'agent_flow',
] as const;

/** A kind of node as data: what the catalogue shows, what a definition is checked against, how the engine treats the node. */
export interface NodeType<F extends ConfigFields = ConfigFields> {
  type: string;
  title: string;
  description: string;
  category: (typeof categories)[number];
  inputs: readonly Connector[];
  /** Its own outputs; `outputsOf` adds `on_error` for nodes that can fail. */
  outputs: readonly Connector[];
  config: F;
  /** `outside`: the node changes something outside of the run, so the engine journals it before and after. */
  effects: 'none' | 'outside';
  /** Of a node with effects: whether a step with an unknown result may be tried again with the same key. */
  repeatable: boolean;
  /** The nodes behind the outputs `starts` run once for each item; the values that reach the input `result` are collected. */
  body?: { starts: readonly string[]; result: string };
  /** Its outputs are part of the output of the run. */
  gives?: true;
  /** The node and those behind it run only after another node has failed. */
  handles_errors?: true;
  /** The types of workflow that may contain it. */
  used_in: readonly ('flow' | 'agent_flow')[];
  /** False for nodes that can't fail by themselves: they have no retries, no timeout and no `on_error`. */
  fails: boolean;
  /** Seconds that a step may take unless its config says otherwise. */
  timeout: number;
  /** A `node_config` that docs/nodes.md shows. */
  example: Record<string, unknown>;
}

type Defaulted = 'effects' | 'repeatable' | 'used_in' | 'fails' | 'timeout' | 'example';

/** Fills in the defaults and keeps the exact fields, which the node's function is checked against. */
export function nodeType<const F extends ConfigFields>(
  given: Omit<NodeType<F>, Defaulted> & Partial<Pick<NodeType, Defaulted>>,
): NodeType<F> {
  return {
    effects: 'none',
    repeatable: given.effects !== 'outside',
    used_in: ['flow', 'agent_flow'],
    fails: true,
    timeout: 300,
    example: {},
    ...given,
  };
}

/** The config of a node type as the node's function gets it. */
export type NodeConfig<T extends NodeType> = ConfigOf<T['config']>;

/** Fields of every node that can fail. */
export const commonFields = {
  max_retries: c.int({
    min: 0,
    max: 10,
    default: 0,
    advanced: true,
    description: 'How often it is tried again when it fails',
  }),
  retry_delay: c.number({
    min: 0,
    max: 3600,
    default: 1,
    advanced: true,
    description: 'Seconds before it is tried again; doubled each time',
  }),
  timeout_seconds: c.number({
    min: 0.1,
    max: 86_400,
    optional: true,
    advanced: true,
    description: 'Seconds it may take before it counts as failed',
  }),
} as const;
