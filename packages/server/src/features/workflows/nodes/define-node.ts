import type { Names } from '@atrium/contract/expressions/evaluate.ts';
import type { ConfigFields, ConfigOf } from '@atrium/contract/workflows/node-types/config-fields.ts';
import type { NodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SecretDestination } from '../../tools/ports.ts';
import type { StepWarning } from '../runs/journal-events.ts';
import type { EngineRequest, Resumed } from './engine-request.ts';
import type { RunInput } from './run-input.ts';

/**
 * A node's function gets its inputs as the connectors say (text as text, keyed ones as an object of keys) and returns a
 * value for each output. An output that it leaves out has no value: nodes that depend on it alone are skipped. Users see the
 * message of a `NodeFailure`; any other error is a defect of the node. How to add a node: `nodeType` in the contract.
 */

/** Values by the name of the output, or of the input, that they belong to. */
export type Outputs = Record<string, unknown>;

/** What a node's function gets besides its inputs and its config. */
export interface NodeContext {
  /** The actor and permissions of the run; services that get it check these permissions. */
  scope: Scope;
  run_id: string;
  workflow_id: string;
  node_id: string;
  /** Identifies this step; the same at every try, also after a crash. Makes effects unique. */
  key: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the run is stopped or the time limit of the node is reached. */
  signal: AbortSignal;
  /** The input of the run as it was sent. */
  input: Readonly<Record<string, unknown>>;
  /** The result of the node's request; set when the node is called again after one. */
  resumed: Resumed | undefined;
  /** Adds a line to the log of this node; every caller that may read the run sees it. */
  log(line: string): void;
  /** Adds a warning to the run, and its text to the log of this node. */
  warn(warning: StepWarning): void;
  /**
   * Fills ((Key)) from the given values and {{variable}} from the variables of the workspace; secrets stay handles.
   * `as` converts values to text and escapes them.
   */
  render(text: string, values: Names, as?: (value: unknown) => string): Promise<string>;
  /** Evaluates an expression. Besides the given names it may use `inputs` (all of them) and `run` (`id`, `input`). */
  evaluate(expression: string, names: Names): unknown;
  /**
   * Replaces the handles {{secret.NAME}} by the secrets, right before the value is sent to this destination.
   * `isRestricted`: the destination is not part of the workflow, and the caller that saved it lacked variables_read.
   */
  reveal<T>(value: T, to: SecretDestination, isRestricted?: boolean): Promise<T>;
  /** Replaces revealed secrets by their handles again, in everything that comes back from a destination. */
  scrub<T>(value: T): T;
}

/** A node type with its function, as the engine runs it. */
export interface ExecutableNode extends NodeType {
  /** Templates that only a model reads: values that are filled into them are marked, and then anonymized. */
  prompts: readonly string[];
  run(context: NodeContext, inputs: Outputs, config: Record<string, unknown>): Promise<Outputs | EngineRequest>;
  /** Set for nodes whose value comes from the start of a run. */
  runInput?: RunInput;
}

/** Checks `run` against the config of its node type, then drops the exact types, so that all nodes fit in one list. */
export function defineNode<F extends ConfigFields>(
  nodeType: NodeType<F>,
  run: (context: NodeContext, inputs: Outputs, config: ConfigOf<F>) => Promise<Outputs | EngineRequest>,
  { prompts = [], runInput }: { prompts?: readonly (keyof F & string)[]; runInput?: RunInput } = {},
): ExecutableNode {
  return { ...nodeType, prompts, run: run as ExecutableNode['run'], ...(runInput && { runInput }) };
}
