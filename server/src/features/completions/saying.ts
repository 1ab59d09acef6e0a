import type { RunError, RunEvent, Usage } from '../runs/events.ts';
import type { FinishReason } from './schema.ts';

/** What a client of this protocol can be told of a run: words, and how it ended. */
export type Said =
  | { type: 'text'; text: string }
  | { type: 'end'; finish_reason: FinishReason; usage: Usage | null }
  | { type: 'error'; error: RunError };

const finishReasons: Record<string, FinishReason> = { length: 'length', 'content-filter': 'content_filter' };

const restarted: RunError = {
  code: 'answer_restarted',
  message: 'The connection to the model broke off and its new answer differs from what was sent; ask again',
};

/**
 * The events of a run, one by one, as what this protocol can say.
 *
 * It can't take words back, and a model whose connection breaks starts over. Holding every step back until it has ended
 * would be safe and no stream at all, for the sake of a rare case; so words go out as they come. A break before the
 * first word costs nothing. After it, what the new attempt says is compared with what was sent: as long as it says the
 * same nothing is sent, from there on it goes on; where it differs the stream ends with an error. No client ever reads
 * a text twice, or half of one and half of another.
 */
export function makeSaying(): (event: RunEvent) => Said[] {
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
    if (event.type === 'step-start') [sent, now, repeats] = ['', '', false];
    else if (event.type === 'attempt-start' && event.discard) [now, repeats] = ['', sent !== ''];
    else if (event.type === 'text-delta') return speak(event.text);
    // Words that were sent can't be taken back here: nothing is added to them, and the reason says why.
    else if (event.type === 'guardrail' && event.retracts && sent !== '')
      return end({ type: 'end', finish_reason: 'content_filter', usage });
    else if (event.type === 'step-end') {
      finish_reason = finishReasons[event.finish_reason] ?? 'stop';
      // The new attempt ended where the one before had gone on.
      if (repeats) return fail(restarted);
    } else if (event.type === 'footer') return [{ type: 'text', text: `${spoken ? '\n\n' : ''}${event.text}` }];
    else if (event.type === 'message-end') usage = event.metadata.usage;
    // A person is to answer, which this protocol has no word for.
    else if (event.type === 'run-pause') return end({ type: 'end', finish_reason: 'content_filter', usage });
    else if (event.type === 'run-end') {
      if (event.error) return fail(event.error);
      if (event.status === 'stopped') return fail({ code: 'run_stopped', message: 'The answer was stopped' });
      return end({ type: 'end', finish_reason, usage });
    }
    return [];
  };
}

/** A run that is over, less what was said in vain: whoever reads it whole need not hear that an attempt broke off. */
export function withoutDiscarded(events: readonly RunEvent[]): RunEvent[] {
  let kept: RunEvent[] = [];
  for (const event of events) {
    const restarts = event.type === 'attempt-start' && event.discard;
    if (restarts) kept = kept.filter((one) => one.type !== 'text-delta' || one.step !== event.step);
    else kept.push(event);
  }
  return kept;
}
