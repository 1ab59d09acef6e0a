import type { Attempt, MessageMetadata, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import type { ToolProgress } from '@atrium/contract/tools/tool-result.ts';
import type { ModelMessage, ModelRequest, ToolCallContent } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { makeAsyncQueue } from '../../../lib/async-queue.ts';
import type { OpenStep } from '../../approvals/ports.ts';
import type { ToolOutcome } from '../../tools/service.ts';
import type { CallBudget } from '../../usage/ports.ts';
import { ContextRefused } from '../models/call-model.ts';
import type { CallEvent, CallResult } from '../ports.ts';
import { addUsage, openStep, type Progress, settleResult, sourcesOfResult, stepMessages, waits } from './progress.ts';
import { plainSource, usedSources } from './used-sources.ts';

/** Everything the loop needs from outside. It does no I/O of its own: a test can run it on plain functions. */
export interface LoopDeps {
  /** Calls a model; retries and fallbacks happen inside. */
  call(
    said: Pick<ModelRequest, 'system' | 'system_covered' | 'messages' | 'tools'>,
    budget: CallBudget,
  ): AsyncGenerator<CallEvent, CallResult>;
  /**
   * Runs one tool, or returns the outcome of a decision. A failure is an outcome; throws only when the run cannot
   * continue.
   */
  runTool(call: ToolCallContent, open: OpenStep, told: (at: ToolProgress) => void): Promise<ToolOutcome>;
  /** Requests approval for the calls that need it, and records the decisions in the step. */
  consult(open: OpenStep): AsyncGenerator<RunEvent>;
  /** Checks a tool result before the model reads it. Throws when the model must not read it. */
  checkResult(step: number, text: string): AsyncGenerator<RunEvent>;
  /** The messages as they fit into the context window, for one call. Yields the events of the compaction. */
  compact(messages: ModelMessage[]): AsyncGenerator<RunEvent, ModelMessage[]>;
  /** Makes the next compaction leave less, since a model refused these messages as too long; false when it may not. */
  narrow(stated: number | null, sent: readonly ModelMessage[]): boolean;
  /** The room for the next call, within the limits of the conversation. */
  budget(messages: ModelMessage[]): CallBudget;
  priced(result: CallResult): Usage;
}

export interface LoopInput {
  run_id: string;
  message_id: string;
  prompt: Pick<ModelRequest, 'system' | 'system_covered'>;
  messages: ModelMessage[];
  tools: ModelRequest['tools'];
  /** Names of those that run at the client: a step that calls one is the last of the run. */
  client_tools: ReadonlySet<string>;
  parallel_tool_calls: boolean;
  /** The progress before a crash. */
  progress: Progress;
}

/** The newest message of the user, as text. */
function questionIn(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.role === 'user' ? last.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') : '';
}

const cutByLimit = () =>
  new RunFailure(
    'usage_limit_reached',
    'The reply was cut short: usage_limits_maximum_tokens left too few tokens for all of it',
  );

/** A step whose messages are refused as too long is asked again with less, until it has failed this often. */
const mostRefused = 3;

/** The warning on a reply that the model would have continued. */
export const replyCut = 'reply_cut: the reply ends where max_tokens was reached; raise max_tokens for longer replies';

/** The agent loop: calls the model and its tools until the model calls no more tools. Yields every event in order. */
export async function* runAgent(input: LoopInput, deps: LoopDeps): AsyncGenerator<RunEvent> {
  const started = Date.now();
  const { progress } = input;
  const attempts = [...progress.attempts];
  const warnings = [...progress.warnings];
  let { usage, model, finish_reason } = progress;
  const spent = { usage, brought: progress.brought, sources: [...progress.sources] };
  let { step: last, reply } = progress;
  let messages = [...input.messages, ...progress.messages];
  let open = progress.open;
  // An incomplete step is requested again; its text is retracted.
  let repeated = progress.step > 0 && !progress.answered;
  /** The failed attempts of a step whose messages were too long for the model. */
  let refused: readonly Attempt[] = [];

  for (let step = repeated ? progress.step : progress.step + 1; !progress.finished; step++) {
    if (open) {
      const done = yield* finishTools(open, input, spent, warnings, deps);
      // The run resumes at this point once people have answered.
      if (!done) return yield { type: 'run-pause' };
      usage = spent.usage;
      if (open.calls.some(({ name }) => input.client_tools.has(name))) break;
      messages = [...messages, ...stepMessages(open)];
      open = null;
    }
    const fitted = yield* deps.compact(messages);
    const budget = deps.budget(fitted);
    if (!repeated && refused.length === 0) yield { type: 'step-start', step, input_tokens: budget.input_tokens };

    let text = '';
    let calls: ToolCallContent[] = [];
    const saying = deps.call({ ...input.prompt, messages: fitted, tools: input.tools }, budget);
    let next = await saying.next();
    try {
      for (; !next.done; next = await saying.next()) {
        const part = next.value;
        if (part.type === 'attempt') {
          const discard: boolean = part.discard || (repeated && progress.said && part.attempt === 1);
          const attempt: number = part.attempt + refused.length + (repeated ? progress.attempt : 0);
          if (discard) [text, calls] = ['', []];
          yield { type: 'attempt-start', step, attempt, model: part.model, discard };
        } else if (part.type === 'text') {
          text += part.text;
          yield { type: 'text-delta', step, text: part.text };
        } else if (part.type === 'advice') yield { type: 'text-delta', step, text: part.text, advice: true };
        else if (part.type === 'reasoning') yield { type: 'reasoning-delta', step, text: part.text };
        else if (part.type === 'tool-call') {
          // Approvals and results are matched by call id, so duplicate ids are replaced.
          const taken = calls.some(({ id }) => id === part.id);
          const call: ToolCallContent = taken ? { ...part, id: `${part.id}-${calls.length + 1}` } : part;
          calls.push(call);
          yield { type: 'tool-call', step, id: call.id, name: call.name, input: call.input };
        } else if (!warnings.includes(part.message)) {
          warnings.push(part.message);
          yield { type: 'warning', code: part.code ?? 'setting_not_taken', message: part.message };
        }
      }
    } catch (error) {
      const isAskedAgain = error instanceof ContextRefused && refused.length < mostRefused;
      if (!isAskedAgain || !deps.narrow(error.window, fitted)) throw error;
      refused = [...refused, ...error.attempts];
      step--;
      continue;
    } finally {
      // A consumer that stops early ends the model call.
      if (!next.done) await saying.return(undefined as never);
    }
    repeated = false;

    const result = next.value;
    reply += `${text}\n`;
    last = step;
    const used = deps.priced(result);
    usage = addUsage(usage, used);
    spent.usage = usage;
    const tried = [...refused, ...result.attempts];
    refused = [];
    attempts.push(...tried);
    model = result.model;
    finish_reason = result.finish_reason;
    const { found_nothing } = result;
    yield {
      ...{ type: 'step-end', step, finish_reason, model, usage: used, attempts: tried },
      ...(found_nothing && { found_nothing }),
    };
    // Half a reply is no reply.
    if (result.lowered && finish_reason === 'length') throw cutByLimit();
    if (calls.length === 0) break;
    open = openStep(step, text, calls);
  }

  if (finish_reason === 'length' && !warnings.includes(replyCut)) {
    warnings.push(replyCut);
    yield { type: 'warning', code: 'reply_cut', message: replyCut };
  }
  for (const used of usedSources(reply, questionIn(input.messages), spent.sources)) {
    const { id, source } = used;
    const number = spent.sources.indexOf(used) + 1;
    if (!progress.cited.has(id)) yield { type: 'source', step: last, id, number, ...plainSource(source) };
  }
  const ms = Date.now() - started;
  const metadata: MessageMetadata = { run_id: input.run_id, model, attempts, usage, ms, warnings, finish_reason };
  yield { type: 'message-end', message_id: input.message_id, metadata };
  yield { type: 'run-end', status: 'completed', error: null };
}

/**
 * Runs the calls of a step that have no result yet, in sequence or in parallel, and records their results. Returns
 * false when calls wait for people; in sequence, later calls wait too. Calls of client tools are left to the client.
 */
async function* finishTools(
  open: OpenStep,
  { client_tools, parallel_tool_calls: parallel }: Pick<LoopInput, 'client_tools' | 'parallel_tool_calls'>,
  spent: Pick<Progress, 'usage' | 'brought' | 'sources'>,
  warnings: string[],
  deps: Pick<LoopDeps, 'runTool' | 'checkResult' | 'consult'>,
): AsyncGenerator<RunEvent, boolean> {
  for (;;) {
    yield* deps.consult(open);
    const done = new Set(open.results.map(({ id }) => id));
    const left = open.calls.filter(({ id, name }) => !done.has(id) && !client_tools.has(name));
    const held = left.findIndex((call) => waits(open, call));
    const ready = parallel ? left.filter((call) => !waits(open, call)) : left.slice(0, held < 0 ? undefined : held);
    if (ready.length === 0) return left.length === 0;
    for await (const next of runTools(ready, parallel, open, deps)) {
      if ('progress' in next) {
        yield { type: 'workflow-progress', step: open.step, progress: next.progress };
        continue;
      }
      const { call, outcome } = next;
      yield* deps.checkResult(open.step, outcome.text);
      const { output, is_error, account } = outcome;
      open.results.push({ id: call.id, name: call.name, output: outcome.text, is_error });
      settleResult(spent, open.step, account);
      const result = { step: open.step, id: call.id, name: call.name, output, is_error };
      const found = outcome.sources?.length ? { sources: outcome.sources } : {};
      spent.sources.push(...sourcesOfResult({ ...result, ...found }));
      yield { type: 'tool-result', ...result, ...found, ...account };
      for (const file of outcome.files ?? []) yield { type: 'file', step: open.step, file };
      for (const message of outcome.warnings ?? []) {
        if (warnings.includes(message)) continue;
        warnings.push(message);
        yield { type: 'warning', code: 'tool_warning', message };
      }
    }
  }
}

/** Yields results in the order of the calls, also when they run in parallel, and progress events in between. */
async function* runTools(
  calls: readonly ToolCallContent[],
  parallel: boolean,
  open: OpenStep,
  deps: Pick<LoopDeps, 'runTool'>,
): AsyncGenerator<{ call: ToolCallContent; outcome: ToolOutcome } | { progress: ToolProgress }> {
  const progressQueue = makeAsyncQueue<ToolProgress>();
  const run = (call: ToolCallContent) => deps.runTool(call, open, progressQueue.push);
  const running = parallel ? calls.map(run) : [];
  // When the run is stopped all of them fail, but only the first is awaited: an unhandled rejection ends the process.
  for (const one of running) one.catch(() => {});
  for (const [index, call] of calls.entries()) {
    const outcome = running[index] ?? run(call);
    for await (const progress of progressQueue.drainUntil(outcome)) yield { progress };
    yield { call, outcome: await outcome };
  }
}
