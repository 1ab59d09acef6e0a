import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import { type Attempt, noUsage, type RunEvent, type Usage } from '@atrium/contract/runs/events.ts';
import type { Taint, ToolAccount } from '@atrium/contract/tools/tool-result.ts';
import type { ModelMessage, ToolCallContent } from '../../../drivers/models/driver.ts';
import type { OpenStep } from '../../approvals/ports.ts';
import { toolText } from '../../tools/service.ts';
import { passageOf, type RetrievedSource } from './used-sources.ts';

export const openStep = (step: number, text: string, calls: ToolCallContent[]): OpenStep => ({
  ...{ step, text, calls, results: [], asked: new Map(), covered: new Map(), resumed: false },
});

/** Whether the call waits for people. After a resume, a call with an unanswered request waits for its own answer. */
export const waits = ({ asked, resumed }: OpenStep, { id }: ToolCallContent) =>
  asked.has(id) && (!resumed || asked.get(id)?.answer === null);

/** How far a run has come, read from its log, so that finished steps are not repeated. */
export interface Progress {
  begun: boolean;
  /** The newest step in the log; 0 before the first. */
  step: number;
  /** Whether the model answer of that step is complete; an incomplete one is requested again. */
  answered: boolean;
  /** Whether the incomplete answer has emitted text, which then has to be retracted. */
  said: boolean;
  /** The estimated input of that step. */
  input_tokens: number;
  attempt: number;
  open: OpenStep | null;
  /** The model has given a complete answer without tool calls. */
  finished: boolean;
  /** The messages of the finished steps. */
  messages: ModelMessage[];
  usage: Usage;
  attempts: Attempt[];
  model: string | null;
  /** Why the newest complete answer of the model ended. */
  finish_reason: FinishReason | null;
  warnings: string[];
  /** The guardrails have passed the user message. */
  input_passed: boolean;
  /** The taint of tool results, with the first step of each kind. */
  brought: Map<Taint, number>;
  /** The texts of the finished steps. */
  reply: string;
  /** The sources in the results of tools, and the ids of those that were emitted. */
  sources: RetrievedSource[];
  cited: Set<string>;
  /** The message is stored already, because the run has waited for people. */
  stored: boolean;
  /** A guardrail has ended the run, and only its end is not written yet. */
  stopped: Pick<Extract<RunEvent, { type: 'guardrail' }>, 'stage' | 'objections'> | null;
}

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  cached_tokens: a.cached_tokens + b.cached_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  // One call whose price is not known makes the sum unknown, not cheaper.
  cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
});

export const startOfRun = (): Progress => ({
  begun: false,
  step: 0,
  answered: true,
  said: false,
  input_tokens: 0,
  attempt: 0,
  open: null,
  finished: false,
  messages: [],
  usage: noUsage,
  attempts: [],
  model: null,
  finish_reason: null,
  warnings: [],
  input_passed: false,
  brought: new Map(),
  reply: '',
  sources: [],
  cited: new Set(),
  stored: false,
  stopped: null,
});

/** Adds a cost; an unknown cost stays unknown. */
const withCost = (usage: Usage, cost: number): Usage => addUsage(usage, { ...noUsage, cost });

/** Records the cost and the taint of a result. */
export function settleResult(
  progress: Pick<Progress, 'usage' | 'brought'>,
  step: number,
  account: Partial<ToolAccount>,
) {
  for (const kind of account.brings ?? []) if (!progress.brought.has(kind)) progress.brought.set(kind, step);
  progress.usage = withCost(progress.usage, account.cost ?? 0);
}

/** Converts a step to history messages: its text and calls in one, the results in the next. */
export function stepMessages({ text, calls, results }: Pick<OpenStep, 'text' | 'calls' | 'results'>): ModelMessage[] {
  const said: ModelMessage = { role: 'assistant', parts: text ? [{ type: 'text', text }, ...calls] : calls };
  return calls.length ? [said, { role: 'tool', results }] : [];
}

type Result = Pick<Extract<RunEvent, { type: 'tool-result' }>, 'step' | 'id' | 'output' | 'sources'>;

/** The sources of a result, each with the text that the model read of it. */
export const sourcesOfResult = ({ step, id, output, sources = [] }: Result): RetrievedSource[] =>
  sources.map((source, at) => ({ id: `${step}-${id}-${at + 1}`, source, passage: passageOf(output, source) }));

export function progressFromEvents(events: readonly RunEvent[]): Progress {
  const progress = startOfRun();
  let text = '';
  let calls: ToolCallContent[] = [];
  for (const event of events) {
    if (event.type === 'run-start') progress.begun = true;
    else if (event.type === 'warning') progress.warnings.push(event.message);
    else if (event.type === 'guardrail') {
      if (event.action !== null && event.action !== 'warn') progress.stopped = event;
      else if (!event.failed) progress.input_passed ||= event.stage === 'input';
    } else if (event.type === 'step-start') {
      const { step, input_tokens = 0 } = event;
      Object.assign(progress, { step, input_tokens, answered: false, said: false, attempt: 0 });
      [text, calls] = ['', []];
    } else if (event.type === 'attempt-start') {
      progress.attempt = event.attempt;
      if (event.discard) {
        progress.said = false;
        [text, calls] = ['', []];
      }
    } else if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      progress.said = true;
      if (event.type === 'text-delta' && !event.advice) text += event.text;
    } else if (event.type === 'tool-call') {
      progress.said = true;
      calls.push({ type: 'tool-call', id: event.id, name: event.name, input: event.input });
    } else if (event.type === 'step-end') {
      progress.answered = true;
      progress.reply += `${text}\n`;
      progress.model = event.model;
      progress.finish_reason = event.finish_reason;
      progress.usage = addUsage(progress.usage, event.usage);
      progress.attempts.push(...(event.attempts ?? []));
      progress.finished = calls.length === 0;
      progress.open = calls.length ? openStep(event.step, text, calls) : null;
    } else if (event.type === 'source') progress.cited.add(event.id);
    else if (event.type === 'run-pause') progress.stored = true;
    else if (event.type === 'approval-request')
      progress.open?.asked.set(event.call_id, { id: event.id, definition: event.definition, answer: null });
    else if (event.type === 'human-request') progress.open?.asked.set(event.call_id, { id: event.id, answer: null });
    else if (event.type === 'approval-decision' || event.type === 'human-answer') {
      const asked = progress.open?.asked.get(event.call_id ?? '');
      if (asked) asked.answer = event;
    } else if (event.type === 'run-resume') {
      if (progress.open) progress.open.resumed = true;
    } else if (event.type === 'tool-result' && progress.open) {
      const { id, name, output, is_error } = event;
      settleResult(progress, event.step, event);
      progress.sources.push(...sourcesOfResult(event));
      progress.open.results.push({ id, name, output: toolText(output), is_error });
      if (progress.open.results.length === progress.open.calls.length) {
        progress.messages.push(...stepMessages(progress.open));
        progress.open = null;
      }
    }
  }
  return progress;
}
