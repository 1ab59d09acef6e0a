import { setTimeout as sleep } from 'node:timers/promises';
import { evaluateText, type Names } from '@atrium/contract/expressions/evaluate.ts';
import { ExpressionError, UnknownName } from '@atrium/contract/expressions/tokens.ts';
import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { type Connector, isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import type { GraphNode } from '../definition/graph.ts';
import type { ExecutableNode, NodeContext, Outputs } from '../nodes/define-node.ts';
import { EngineRequest, type Resumed } from '../nodes/engine-request.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { StepEnd, StepWarning } from '../runs/journal-events.ts';
import type { RunRow } from '../runs/run-store.ts';
import { timed } from './call-with-timeout.ts';
import type { Instance } from './frame.ts';
import type { Past } from './journal-state.ts';
import type { JournalWriter } from './journal-writer.ts';
import { makeLimiter } from './limiter.ts';
import { describeStepError, StepFailed } from './step-failure.ts';
import type { StepWaits } from './step-waits.ts';

/** The engine's part of a node's context; the rest is made here. */
export type StepContext = Omit<NodeContext, 'render' | 'evaluate'> & {
  /** Fills ((Key)) and {{variable}} into a text; `marked`: values of the run are marked. */
  fill(text: string, values: Names, as?: (value: unknown) => string, marked?: boolean): Promise<string>;
  /** The inputs of the run by their labels; templates may name them besides the node's own inputs. */
  labels: Names;
};

/** Converts a value to the data type of the connector that takes it. */
function coerceToConnector({ definition: { data_type, is_list } }: Connector, value: unknown): unknown {
  if (is_list || data_type === 'list') return Array.isArray(value) ? value : [value];
  if (data_type !== 'str' || typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The inputs of a node with the data types of its connectors. Keyed inputs are objects by key. */
function inputsFor(node: ExecutableNode, came: Outputs): Outputs {
  const inputs: Outputs = {};
  for (const connector of node.inputs) {
    const value = came[connector.name];
    if (isKeyed(connector)) inputs[connector.name] = value ?? {};
    else if (value !== undefined) inputs[connector.name] = coerceToConnector(connector, value);
  }
  return inputs;
}

/** The names that templates and expressions of a node can use: keyed inputs by key, plain inputs by name. */
function namesOf(node: ExecutableNode, inputs: Outputs): Record<string, unknown> {
  const names: Record<string, unknown> = {};
  for (const connector of node.inputs) {
    if (isKeyed(connector)) Object.assign(names, inputs[connector.name]);
    else if (inputs[connector.name] !== undefined) names[connector.name] = inputs[connector.name];
  }
  return names;
}

async function filledConfig(
  node: ExecutableNode,
  config: Record<string, unknown>,
  fill: (text: string, marked: boolean) => Promise<string>,
) {
  const filled = { ...config };
  for (const [name, { text }] of Object.entries(fieldsOf(node))) {
    const value = filled[name];
    if (text === 'template' && typeof value === 'string') filled[name] = await fill(value, node.prompts.includes(name));
  }
  return filled;
}

/** Runs a node once with its templates filled in. */
export async function runStep(
  node: ExecutableNode,
  { fill, labels, ...context }: StepContext,
  came: Outputs,
  config: Record<string, unknown>,
): Promise<Outputs | EngineRequest> {
  const inputs = inputsFor(node, came);
  const names = namesOf(node, inputs);
  const known = { ...labels, ...names };
  const filled = await filledConfig(node, config, (text, marked) => fill(text, known, undefined, marked));
  const whole: NodeContext = {
    ...context,
    render: (text, values, as) => fill(text, { ...labels, ...values }, as),
    evaluate(expression, values) {
      try {
        const run = { id: context.run_id, input: context.input };
        return evaluateText(expression, { ...names, ...values, inputs: names, run });
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        if (error instanceof UnknownName) context.log(`Known here: ${[...Object.keys(names), 'run'].join(', ')}`);
        throw new NodeFailure('expression_failed', error.message, { passing: false });
      }
    },
  };
  return node.run(whole, inputs, filled);
}

/** How many steps of one run are under way at once, and how many a run may have. */
const atOnce = 10;
const mostSteps = 100_000;

export interface StepExecutorDeps {
  run: RunRow;
  signal: AbortSignal;
  writer: JournalWriter;
  waiting: StepWaits;
  past: Past;
  /** Serves a request of a node: rounds of a loop, another workflow, an approval, a time. */
  serve(request: EngineRequest, node: GraphNode, at: Instance, path: string): Promise<Resumed>;
  /** Refuses an effect of a run that a person has approved, when what lies beneath it was changed since. */
  requireApproved(): Promise<void>;
}

/** The log lines and warnings of a step, of all its tries. */
interface Notes {
  lines: string[];
  warnings: StepWarning[];
}

/** Executes the steps of one run and journals their beginning and end. */
export function makeStepExecutor(deps: StepExecutorDeps) {
  const { run, signal, writer, waiting, past } = deps;
  const limited = makeLimiter(atOnce);
  let { steps } = past;

  function call(
    node: GraphNode,
    at: Instance,
    path: string,
    came: Outputs,
    attempt: number,
    { lines, warnings }: Notes,
    resumed?: Resumed,
  ) {
    const { max_retries: _, retry_delay: __, timeout_seconds, ...config } = node.config;
    const { scope, variables, workflow_id, input, labels } = at.frame;
    const seconds = typeof timeout_seconds === 'number' ? timeout_seconds : node.type.timeout;
    const log = (line: string) => void (lines.length < 100 && lines.push(variables.scrub(line.slice(0, 2000))));
    const once = (own: AbortSignal) =>
      runStep(
        node.type,
        {
          scope: { ...scope, signal: own, within: { run_id: run.id, step_id: path } },
          run_id: run.id,
          workflow_id,
          node_id: node.id,
          key: `${run.effects_of ?? run.id}:${path}`,
          attempt,
          signal: own,
          input,
          resumed,
          log,
          warn: (warning) => {
            log(warning.message);
            if (warnings.length < 20) warnings.push(variables.scrub(warning));
          },
          reveal: variables.reveal,
          scrub: variables.scrub,
          labels,
          fill: variables.fill,
        },
        came,
        config,
      );
    return waiting.during(limited(() => timed(signal, seconds, once)));
  }

  /** Calls the node until it returns outputs, and serves its requests in between. */
  async function tried(node: GraphNode, at: Instance, path: string, came: Outputs, attempt: number, notes: Notes) {
    await at.frame.scope.requireLease?.();
    if (node.type.effects === 'outside') await waiting.during(deps.requireApproved());
    let result = await call(node, at, path, came, attempt, notes);
    while (result instanceof EngineRequest) {
      const resumed = await deps.serve(result, node, at, path);
      result = await call(node, at, path, came, attempt, notes, resumed);
    }
    return result;
  }

  /** A step with effects is journaled before it begins; after a crash it begins again only if it is repeatable. */
  async function announce(node: GraphNode, path: string, attempt: number): Promise<void> {
    if (node.type.effects === 'outside' && attempt === 1 && past.begun.has(path) && !node.type.repeatable)
      throw new NodeFailure(
        'interrupted',
        'The server was stopped while this step ran. It may or may not have had its effect, so it was not begun again; look before you retry.',
        { passing: false },
      );
    writer.add({ type: 'start', node: path, attempt, at: Date.now() });
    if (node.type.effects === 'outside') await waiting.during(writer.flush());
  }

  async function end(node: GraphNode, event: StepEnd): Promise<void> {
    writer.add(event);
    if (node.type.effects === 'outside') await waiting.during(writer.flush());
  }

  return async function step(node: GraphNode, at: Instance, came: Outputs): Promise<Outputs> {
    if (++steps > mostSteps)
      throw new StepFailed({ code: 'too_many_steps', message: `A run has at most ${mostSteps} steps` }, node.id);
    const path = at.path + node.id;
    const { scope, variables } = at.frame;
    const { max_retries, retry_delay } = node.config as { max_retries?: number; retry_delay?: number };
    const notes: Notes = { lines: [], warnings: [] };
    const noted = () => ({
      ...(notes.lines.length && { logs: notes.lines }),
      ...(notes.warnings.length && { warnings: notes.warnings }),
    });
    const since = Date.now();
    const traced = run.tracing ? { inputs: came } : {};
    for (let attempt = 1; ; attempt++) {
      try {
        await announce(node, path, attempt);
        // Secrets in the outputs become handles again before they are journaled or reach another node.
        const outputs = variables.scrub(await tried(node, at, path, came, attempt, notes));
        const ms = Date.now() - since;
        await end(node, {
          type: 'end',
          node: path,
          status: 'completed',
          outputs,
          ms,
          at: since + ms,
          ...(attempt > 1 && { attempt }),
          ...noted(),
          ...traced,
        });
        return outputs;
      } catch (thrown) {
        if (thrown instanceof LeaseLost || isDatabaseOutage(thrown)) throw thrown;
        signal.throwIfAborted();
        const { passing, ...raw } = describeStepError(thrown, scope, run.id, node.type.type);
        const error = variables.scrub(raw);
        if (passing && attempt <= (max_retries ?? 0)) {
          writer.add({ type: 'retry', node: path, attempt, error });
          await waiting.during(sleep((retry_delay ?? 1) * 1000 * 2 ** (attempt - 1), undefined, { signal }));
          continue;
        }
        const ms = Date.now() - since;
        const failed = {
          type: 'end',
          node: path,
          status: 'failed',
          error,
          ms,
          at: since + ms,
          ...(attempt > 1 && { attempt }),
          ...noted(),
          ...traced,
        } as const;
        if (!node.caught) {
          await end(node, failed);
          throw new StepFailed(error, thrown instanceof StepFailed ? thrown.node_id : node.id);
        }
        const outputs = { on_error: { ...error, node_id: node.id, label: node.label } };
        await end(node, { ...failed, outputs });
        return outputs;
      }
    }
  };
}
