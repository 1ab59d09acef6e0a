import type { Names } from '@atrium/contract/expressions/evaluate.ts';
import type { ConfigFields, ConfigOf } from '@atrium/contract/workflows/node-types/config-fields.ts';
import type { NodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SecretDestination } from '../../tools/ports.ts';
import type { EngineRequest, Resumed } from './engine-request.ts';

/**
 * A node's function gets its inputs as the connectors say (text as text, keyed ones as an object of keys) and returns a
 * value for each output. An output that it leaves out has no value: nodes that depend on it alone are skipped. Users see the
 * message of a `NodeFailure`; any other error is a defect of the node. How to add a node: `nodeType` in the contract.
 */

/** Values by the name of the output, or of the input, that they belong to. */
export type Outputs = Record<string, unknown>;

/** What a node is given besides its inputs and its config. */
export interface NodeContext {
  /** Who the run acts for; services that are called with it check what that one may do. */
  scope: Scope;
  run_id: string;
  workflow_id: string;
  node_id: string;
  /** The same whenever this very step is tried, in this process or after a crash: what effects are made unique by. */
  key: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the run is stopped or the node's time is up. */
  signal: AbortSignal;
  /** What the run was started with, as it was sent. */
  input: Readonly<Record<string, unknown>>;
  /** Set when the node is called again: what came of what it asked for. */
  resumed: Resumed | undefined;
  /** A line in the run's log of this node; shown to whoever may see the run. */
  log(line: string): void;
  /**
   * Fills ((Key)) from the given values and {{variable}} from the workspace's; secrets stay handles. `as` makes texts of
   * the values that are safe where they stand.
   */
  render(text: string, values: Names, as?: (value: unknown) => string): Promise<string>;
  /** Carries out an expression. Besides the names it may use `inputs` (all of them) and `run` (`id`, `input`). */
  evaluate(expression: string, names: Names): unknown;
  /**
   * A value with the handles {{secret.NAME}} in it filled in: for the last hop out of the platform, to this destination.
   * `isRestricted`: the destination is not the workflow's own, and its saver lacked variables_read.
   */
  reveal<T>(value: T, to: SecretDestination, isRestricted?: boolean): Promise<T>;
  /** A value with whatever was revealed replaced by its handle again: for everything that comes back from there. */
  scrub<T>(value: T): T;
}

/** A node type with its function, as the engine runs it. */
export interface ExecutableNode extends NodeType {
  run(context: NodeContext, inputs: Outputs, config: Record<string, unknown>): Promise<Outputs | EngineRequest>;
}

/** Checks `run` against the config of its node type, then drops the exact types, so that all nodes fit in one list. */
export function defineNode<F extends ConfigFields>(
  nodeType: NodeType<F>,
  run: (context: NodeContext, inputs: Outputs, config: ConfigOf<F>) => Promise<Outputs | EngineRequest>,
): ExecutableNode {
  return { ...nodeType, run: run as ExecutableNode['run'] };
}
