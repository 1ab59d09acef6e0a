import type { Annotation, ClientToolCall, FinishReason } from '@atrium/contract/completions/schema.ts';
import type { RunError, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import type { Display } from '../messages/ports.ts';
import { callId } from './call-ids.ts';

/** A piece of the output that this protocol can express: text, calls of the client's tools, the end of the run. */
export type OutputPiece =
  | { type: 'text'; text: string }
  | { type: 'tool-calls'; calls: ClientToolCall[] }
  | {
      type: 'end';
      finish_reason: FinishReason;
      usage: Usage | null;
      warnings: readonly string[];
      annotations: Annotation[];
    }
  | { type: 'error'; error: RunError };

const finishReasons: Record<string, FinishReason> = { length: 'length', 'content-filter': 'content_filter' };

export const restarted: RunError = {
  code: 'answer_restarted',
  message: 'The connection to the model broke off and its new answer differs from what was sent; ask again',
};

/** Which parts of a run the output has, besides text. */
export interface OutputOptions {
  /** The ids of calls contain it. */
  run_id?: string;
  /** The names of the client's tools; calls of the agent's own tools are left out. */
  client_tools?: ReadonlySet<string>;
  /** The answer is JSON, so text between steps and footers are left out. */
  json?: boolean;
  /** How the sources of the answer are shown; null: not at all. */
  sources?: Pick<NonNullable<Display['sources']>, 'unique' | 'quotes'> | null;
}

type Source = Extract<RunEvent, { type: 'source' }>;

/** A source in the form of this protocol; a document without an address is a file. */
function annotationOf({ url, title, quote }: Source, end_index: number, look: OutputOptions['sources']): Annotation {
  const quoted = quote !== null && look?.quotes && { quote };
  return url === null
    ? { type: 'file_citation', file_citation: { title, ...quoted } }
    : { type: 'url_citation', url_citation: { url, title, start_index: 0, end_index, ...quoted } };
}

const argumentsText = (input: unknown) => (typeof input === 'string' ? input : JSON.stringify(input));

/**
 * Converts the events of a run to output pieces, one by one.
 *
 * The protocol can't retract text, and a model whose connection breaks starts over. Text is sent as it comes, since holding
 * back every step would end streaming for a rare case. After a break the text of the new attempt is compared with the text
 * that was sent: the equal part is skipped, the rest is sent, and a difference ends the stream with an error.
 */
export function makeCompletionOutput({
  run_id,
  client_tools,
  json,
  sources: look = { unique: false, quotes: true },
}: OutputOptions = {}): (event: RunEvent) => OutputPiece[] {
  let calls: ClientToolCall[] = [];
  /** Whether the step calls a tool; its text is then not the answer yet. */
  let called = false;
  let sent = '';
  let now = '';
  let spoken = false;
  let repeats = false;
  let over = false;
  let finish_reason: FinishReason = 'stop';
  let usage: Usage | null = null;
  let warnings: readonly string[] = [];
  /** The characters of the answer; its sources are of all of it. */
  let length = 0;
  let sources: Source[] = [];
  /** It stands under all text, also under a refusal, which comes last. */
  let footer = '';

  const end = (piece: OutputPiece): OutputPiece[] => {
    over = true;
    return [piece];
  };
  const finish = (reason: FinishReason) => {
    const annotations = reason === 'content_filter' ? [] : sources.map((source) => annotationOf(source, length, look));
    return end({ type: 'end', finish_reason: reason, usage, warnings, annotations });
  };
  const fail = (error: RunError) => end({ type: 'error', error });
  /** A guardrail's refusal is sent as the answer. */
  const refuse = (text: string): OutputPiece[] => [
    { type: 'text', text: `${spoken ? '\n\n' : ''}${text}${footer && `\n\n${footer}`}` },
    ...finish('content_filter'),
  ];

  function speak(text: string): OutputPiece[] {
    now += text;
    let fresh = text;
    if (repeats) {
      if (!(now.length <= sent.length ? sent.startsWith(now) : now.startsWith(sent))) return fail(restarted);
      fresh = now.slice(sent.length);
      if (now.length >= sent.length) repeats = false;
    }
    if (!fresh) return [];
    const gap = spoken && sent === '' ? '\n\n' : '';
    sent = now;
    spoken = true;
    length += gap.length + fresh.length;
    return [{ type: 'text', text: gap + fresh }];
  }

  return (event) => {
    if (over) return [];
    if (event.type === 'step-start') [sent, now, repeats, calls, called] = ['', '', false, [], false];
    else if (event.type === 'attempt-start' && event.discard)
      [now, repeats, calls, called] = ['', sent !== '', [], false];
    else if (event.type === 'text-delta' && !event.advice) {
      if (!json) return speak(event.text);
      // Only the end of the step shows whether this text is the answer.
      now += event.text;
    } else if (event.type === 'tool-call') {
      called = true;
      const { name, input } = event;
      const id = run_id ? callId(run_id, calls.length) : event.id;
      if (client_tools?.has(name))
        calls.push({ id, type: 'function', function: { name, arguments: argumentsText(input) } });
    }
    // Text that was not sent yet is dropped.
    else if (event.type === 'guardrail' && event.retracts && json) now = '';
    // Text that was sent can't be retracted: the output ends, and finish_reason tells why.
    else if (event.type === 'guardrail' && event.retracts && sent !== '') return finish('content_filter');
    else if (event.type === 'step-end') {
      finish_reason = finishReasons[event.finish_reason] ?? 'stop';
      // The new attempt is shorter than the text that was sent.
      if (repeats) return fail(restarted);
      if (json && !called && now) {
        length = now.length;
        return [{ type: 'text', text: now }];
      }
    } else if (event.type === 'source' && look) {
      const isKnown = look.unique && event.url !== null && sources.some(({ url }) => url === event.url);
      if (!isKnown) sources = [...sources, event];
    } else if (event.type === 'footer') footer = json ? '' : event.text;
    else if (event.type === 'message-end') ({ usage, warnings } = event.metadata);
    // The protocol has no state for a run that waits for a person.
    else if (event.type === 'run-pause') return finish('content_filter');
    else if (event.type === 'run-end') {
      if (event.error?.code === 'guardrail_violation') return refuse(event.error.message);
      if (event.error) return fail(event.error);
      if (event.status === 'stopped') return fail({ code: 'run_stopped', message: 'The answer was stopped' });
      const below: OutputPiece[] = footer ? [{ type: 'text', text: `${spoken ? '\n\n' : ''}${footer}` }] : [];
      // Calls are sent at the very end: until then an attempt may break or a guardrail may object.
      if (calls.length === 0) return [...below, ...finish(finish_reason)];
      // At the limit the last call may be cut, which clients recognize by `length`.
      const reason = finish_reason === 'length' ? 'length' : 'tool_calls';
      return [...below, { type: 'tool-calls', calls }, ...finish(reason)];
    }
    return [];
  };
}

/** Removes the text and calls of discarded attempts from the events of a run that is over. */
export function dropDiscardedAttempts(events: readonly RunEvent[]): RunEvent[] {
  let kept: RunEvent[] = [];
  for (const event of events) {
    const restarts = event.type === 'attempt-start' && event.discard;
    const lost = (one: RunEvent) =>
      restarts && (one.type === 'text-delta' || one.type === 'tool-call') && one.step === event.step;
    if (restarts) kept = kept.filter((one) => !lost(one));
    else kept.push(event);
  }
  return kept;
}
