import type {
  FinishReason,
  ModelMessage,
  ModelRequest,
  ToolCallContent,
  ToolResultContent,
} from '../../drivers/models/driver.ts';
import type { ToolOutcome } from '../tools/run-tool.ts';
import type { CallEvent, CallResult } from './call-model.ts';
import type { Attempt, MessageMetadata, RunEvent, Usage } from './events.ts';

/** Everything the loop needs from outside. It does no I/O of its own: a test can run it on plain functions. */
export interface LoopDeps {
  /** Calls a model with what is to be said; retries and fallbacks are its own affair. */
  call(said: Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'max_tokens'>): AsyncGenerator<CallEvent, CallResult>;
  /** Runs one tool. Never throws: a failure is an outcome. */
  runTool(call: ToolCallContent): Promise<ToolOutcome>;
  /** Makes room when the context fills up, before a call. Yields what it has to say about it. */
  compact(messages: ModelMessage[]): AsyncGenerator<RunEvent, ModelMessage[]>;
  /** How long the next reply may be. Throws when the call would pass a limit. */
  reserve(messages: ModelMessage[]): { max_tokens: number };
  /** Told afterwards what was used. Throws when the limit cut the reply short. */
  settle(usage: Usage, finish_reason: FinishReason): void;
  priced(result: CallResult): Usage;
}

export interface LoopInput {
  run_id: string;
  message_id: string;
  system: string;
  messages: ModelMessage[];
  tools: ModelRequest['tools'];
  parallel_tool_calls: boolean;
}

const none: Usage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost: 0 };

const added = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  cached_tokens: a.cached_tokens + b.cached_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  // One call whose price is not known makes the sum unknown, not cheaper.
  cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
});

/** The agent: says, calls tools, says again, until it has nothing more to call. Every event comes out in order. */
export async function* runAgent(input: LoopInput, deps: LoopDeps): AsyncGenerator<RunEvent> {
  const started = Date.now();
  const attempts: Attempt[] = [];
  const warnings: string[] = [];
  let usage = none;
  let model: string | null = null;
  let messages = input.messages;

  for (let step = 1; ; step++) {
    messages = yield* deps.compact(messages);
    const { max_tokens } = deps.reserve(messages);
    yield { type: 'step-start', step };

    let text = '';
    let calls: ToolCallContent[] = [];
    const saying = deps.call({ system: input.system, messages, tools: input.tools, max_tokens });
    let next = await saying.next();
    for (; !next.done; next = await saying.next()) {
      const part = next.value;
      if (part.type === 'attempt') {
        if (part.discard) [text, calls] = ['', []];
        yield { type: 'attempt-start', step, attempt: part.attempt, model: part.model, discard: part.discard };
      } else if (part.type === 'text') {
        text += part.text;
        yield { type: 'text-delta', step, text: part.text };
      } else if (part.type === 'reasoning') yield { type: 'reasoning-delta', step, text: part.text };
      else if (part.type === 'tool-call') {
        calls.push(part);
        yield { type: 'tool-call', step, id: part.id, name: part.name, input: part.input };
      } else if (!warnings.includes(part.message)) {
        warnings.push(part.message);
        yield { type: 'warning', code: 'setting_not_taken', message: part.message };
      }
    }

    const result = next.value;
    const used = deps.priced(result);
    usage = added(usage, used);
    attempts.push(...result.attempts);
    model = result.model;
    yield { type: 'step-end', step, finish_reason: result.finish_reason, model, usage: used };
    deps.settle(used, result.finish_reason);
    if (calls.length === 0) break;

    const results: ToolResultContent[] = [];
    for await (const { call, outcome } of runTools(calls, input.parallel_tool_calls, deps)) {
      yield {
        type: 'tool-result',
        step,
        id: call.id,
        name: call.name,
        output: outcome.output,
        is_error: outcome.is_error,
      };
      results.push({ id: call.id, name: call.name, output: outcome.text, is_error: outcome.is_error });
    }
    const said = text ? [{ type: 'text' as const, text }, ...calls] : calls;
    messages = [...messages, { role: 'assistant', parts: said }, { role: 'tool', results }];
  }

  const metadata: MessageMetadata = {
    run_id: input.run_id,
    model,
    attempts,
    usage,
    ms: Date.now() - started,
    warnings,
  };
  yield { type: 'message-end', message_id: input.message_id, metadata };
  yield { type: 'run-end', status: 'completed', error: null };
}

/** Results in the order of the calls, whether they ran side by side or one after another. */
async function* runTools(calls: readonly ToolCallContent[], parallel: boolean, deps: Pick<LoopDeps, 'runTool'>) {
  const running = parallel ? calls.map((call) => deps.runTool(call)) : [];
  for (const [index, call] of calls.entries()) yield { call, outcome: await (running[index] ?? deps.runTool(call)) };
}
