import type { Names } from '@atrium/contract/expressions/evaluate.ts';
import type { WorkspacePermission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SecretDestination } from '../../tools/ports.ts';
import { type ConfigFields, type ConfigOf, c } from './config-fields.ts';
import type { Connector } from './connectors.ts';

/**
 * How to add a node:
 *
 * 1. One file in `nodes/`, named after the node: `export const textSplitterNode = defineNode({ … })`, or
 *    `export const makeHttpNode = (deps) => defineNode({ … })` where it needs services. Its inputs and outputs are
 *    connectors (`plain`, `keyed`), its config is fields (`c.text`, `c.template`, `c.expression`, `c.int`, …); the
 *    catalogue's entry, the check on save and the types of `run` are all made from these. `on_error`, retries and a
 *    timeout come by themselves.
 * 2. One line in `nodes/all.ts`, and services that it needs in `app/workflows/workflows.ts`.
 * 3. A test beside it with `runNode` from `testing.ts`, which reads the config and the inputs as the engine does; and
 *    an example in docs/workflows.md. The catalogue's own test looks at every entry by itself.
 *
 * `run` gets its inputs as the connectors say (text as text, keyed ones as a dict of keys), and answers with a value
 * for each output that it gives. An output that is left out gives nothing: what hangs on it alone is skipped. What it
 * throws as `NodeFailure` is told to users; anything else is a fault of ours. A node that does something outside of
 * the run says `effects: 'outside'`: it is journalled before and after, and never begun twice unless `repeatable` says
 * that doing it again with the same `context.key` does no harm.
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

export type Outputs = Record<string, unknown>;

/** A failure in words for the user, with a code that flows can branch on. */
export class NodeFailure extends Error {
  readonly code: string;
  /** Whether another try may help: a timeout, a busy service. */
  readonly passing: boolean;

  constructor(code: string, message: string, options: { passing?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.passing = options.passing ?? true;
  }
}

/** What a node asks of the engine instead of giving outputs. It is then called again, with `context.resumed`. */
export class EngineRequest<K extends keyof Requests = keyof Requests> {
  readonly kind: K;
  readonly what: Requests[K];

  constructor(kind: K, what: Requests[K]) {
    this.kind = kind;
    this.what = what;
  }
}

/** A question to people, and who of them may answer it. */
interface Approval {
  question: string;
  details: unknown;
  seconds: number | null;
  /** What whoever decides must be allowed to. */
  needs: WorkspacePermission;
  /** Whoever started the run may not decide it. */
  four_eyes: boolean;
}

interface Requests {
  /** Until a time has come or somebody has decided. */
  wait: ({ for: 'approval' } & Approval) | { for: 'time'; until: number };
  /** What hangs on the outputs `item` and `index` is run for each item; what comes back into `result` is gathered. */
  each: { items: readonly unknown[]; at_once: number; continue_on_error: boolean };
  /** Another workflow, run inside of this run. */
  workflow: { workflow_id: string; version_id: string | null; input: Record<string, unknown> };
}

export const waitForApproval = (what: Approval) => new EngineRequest('wait', { for: 'approval', ...what });
export const waitUntil = (until: number) => new EngineRequest('wait', { for: 'time', until });
export const forEach = (what: Requests['each']) => new EngineRequest('each', what);
export const callWorkflow = (what: Requests['workflow']) => new EngineRequest('workflow', what);

/** What came of a request. */
export type Resumed =
  | { for: 'time' }
  /** Of each round what came back, or null; of those that failed the reason. */
  | { for: 'each'; results: unknown[]; errors: { index: number; code: string; message: string }[] }
  /** The other workflow's outputs by their labels. */
  | { for: 'workflow'; output: Record<string, unknown> }
  | { for: 'approval'; decision: 'approve' | 'reject' | 'timeout'; note: string | null; by: string | null };

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

/** One kind of node, as the engine, the catalogue and the checks know it. */
export interface NodeType {
  type: string;
  title: string;
  description: string;
  category: (typeof categories)[number];
  inputs: readonly Connector[];
  /** Its own; `on_error` is added for nodes that can fail. */
  outputs: readonly Connector[];
  config: ConfigFields;
  /** `outside`: it changes something that a second time would change again. */
  effects: 'none' | 'outside';
  /** Of a node with effects: whether it may be tried again, with the same key, when nobody knows how the first ended. */
  repeatable: boolean;
  /** What hangs on these outputs is run again and again; what comes back into `result` is gathered. */
  body?: { starts: readonly string[]; result: string };
  /** What it gives is part of the run's output. */
  gives?: true;
  /** Begins what is done when another node fails: it and what follows wait for that. */
  handles_errors?: true;
  /** Which workflows may have it. */
  used_in: readonly ('flow' | 'agent_flow')[];
  run(context: NodeContext, inputs: Outputs, config: Record<string, unknown>): Promise<Outputs | EngineRequest>;
  /** Input, output and handlers of errors can't fail by themselves. */
  fails: boolean;
  /** Seconds it may take unless its config says otherwise. */
  timeout: number;
}

/** Fields that every node has that can fail. */
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

type Optional = 'effects' | 'repeatable' | 'used_in' | 'fails' | 'timeout';

/** Checks `run` against its config, then forgets the types, so that all nodes fit in one list. */
export function defineNode<const F extends ConfigFields>(
  node: Omit<NodeType, 'config' | 'run' | Optional> &
    Partial<Pick<NodeType, Optional>> & {
      config: F;
      run(context: NodeContext, inputs: Outputs, config: ConfigOf<F>): Promise<Outputs | EngineRequest>;
    },
): NodeType {
  return {
    effects: 'none',
    repeatable: node.effects !== 'outside',
    used_in: ['flow', 'agent_flow'],
    fails: true,
    timeout: 300,
    ...node,
    run: node.run as NodeType['run'],
  };
}
