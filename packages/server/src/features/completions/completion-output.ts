import type { ClientToolCall, FinishReason } from '@atrium/contract/completions/schema.ts';
import type { RunError, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import { callId } from './call-ids.ts';

/** What a client of this protocol can be told of a run: words, calls of its own tools, and how it ended. */
export type Said =
  | { type: 'text'; text: string }
  | { type: 'tool-calls'; calls: ClientToolCall[] }
  | { type: 'end'; finish_reason: FinishReason; usage: Usage | null }
  | { type: 'error'; error: RunError };

const finishReasons: Record<string, FinishReason> = { length: 'length', 'content-filter': 'content_filter' };

const restarted: RunError = {
  code: 'answer_restarted',
  message: 'The connection to the model broke off and its new answer differs from what was sent; ask again',
};

/** What of a run a client is told, besides its words. */
export interface OutputOptions {
  /** The ids of calls are made of it. */
  run_id?: string;
  /** The names of the client's tools; what the agent's own do is not told. */
  client_tools?: ReadonlySet<string>;
  /** The answer is JSON: words beside it, between steps or in a footer, would spoil it. */
  json?: boolean;
}

const argumentsText = (input: unknown) => (typeof input === 'string' ? input : JSON.stringify(input));

/**
 * The events of a run, one by one, as what this protocol can say.
 *
 * It can't take words back, and a model whose connection breaks starts over. Holding every step back until it has ended
 * would be safe and no stream at all, for the sake of a rare case; so words go out as they come. A break before the
 * first word costs nothing. After it, what the new attempt says is compared with what was sent: as long as it says the
 * same nothing is sent, from there on it goes on; where it differs the stream ends with an error. No client ever reads
 * a text twice, or half of one and half of another.
 */
export function makeCompletionOutput({ run_id, client_tools, json }: OutputOptions = {}): (event: RunEvent) => Said[] {
  let calls: ClientToolCall[] = [];
  /** Whether the step calls any tool; its words are then no answer yet. */
  let called = false;
  let sent = '';
  let now = '';
  let spoken = false;
  let repeats = false;
  let over = false;
  let finish_reason: FinishReason = 'stop';
  let usage: Usage | null = null;

  const end = (said: Said): Said[] => {
    over = true;
    return [said];
  };
  const fail = (error: RunError) => end({ type: 'error', error });
  /** A guardrail's refusal is an answer: clients show it in place of what was asked for. */
  const refuse = (text: string): Said[] => [
    { type: 'text', text: `${spoken ? '\n\n' : ''}${text}` },
    ...end({ type: 'end', finish_reason: 'content_filter', usage }),
  ];

  function speak(text: string): Said[] {
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
    return [{ type: 'text', text: gap + fresh }];
  }

  return (event) => {
    if (over) return [];
    if (event.type === 'step-start') [sent, now, repeats, calls, called] = ['', '', false, [], false];
    else if (event.type === 'attempt-start' && event.discard)
      [now, repeats, calls, called] = ['', sent !== '', [], false];
    else if (event.type === 'text-delta') {
      if (!json) return speak(event.text);
      // Whether this is the answer is known when the step has ended.
      now += event.text;
    } else if (event.type === 'tool-call') {
      called = true;
      const { name, input } = event;
      const id = run_id ? callId(run_id, calls.length) : event.id;
      if (client_tools?.has(name))
        calls.push({ id, type: 'function', function: { name, arguments: argumentsText(input) } });
    }
    // Words that were not sent yet are simply not said.
    else if (event.type === 'guardrail' && event.retracts && json) now = '';
    // Words that were sent can't be taken back here: nothing is added to them, and the reason says why.
    else if (event.type === 'guardrail' && event.retracts && sent !== '')
      return end({ type: 'end', finish_reason: 'content_filter', usage });
    else if (event.type === 'step-end') {
      finish_reason = finishReasons[event.finish_reason] ?? 'stop';
      // The new attempt ended where the one before had gone on.
      if (repeats) return fail(restarted);
      if (json && !called && now) return [{ type: 'text', text: now }];
    } else if (event.type === 'footer')
      return json ? [] : [{ type: 'text', text: `${spoken ? '\n\n' : ''}${event.text}` }];
    else if (event.type === 'message-end') usage = event.metadata.usage;
    // A person is to answer, which this protocol has no word for.
    else if (event.type === 'run-pause') return end({ type: 'end', finish_reason: 'content_filter', usage });
    else if (event.type === 'run-end') {
      if (event.error?.code === 'guardrail_violation') return refuse(event.error.message);
      if (event.error) return fail(event.error);
      if (event.status === 'stopped') return fail({ code: 'run_stopped', message: 'The answer was stopped' });
      // Told at the very end: until then an attempt may break off, and a guardrail may object.
      if (calls.length)
        return [{ type: 'tool-calls', calls }, ...end({ type: 'end', finish_reason: 'tool_calls', usage })];
      return end({ type: 'end', finish_reason, usage });
    }
    return [];
  };
}

/** A run that is over, less what was said in vain: whoever reads it whole need not hear that an attempt broke off. */
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
