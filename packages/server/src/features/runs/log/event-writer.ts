import type { RunEvent } from '@atrium/contract/runs/events.ts';

const gatherFor = 30;

type Delta = Extract<RunEvent, { type: 'text-delta' | 'reasoning-delta' }>;
const isDelta = (event: RunEvent): event is Delta => event.type === 'text-delta' || event.type === 'reasoning-delta';

const isAdvice = (event: Delta) => event.type === 'text-delta' && event.advice === true;
const continues = (last: Delta, event: Delta) =>
  last.type === event.type && last.step === event.step && isAdvice(last) === isAdvice(event);

/**
 * Writes events in order, in batches of 30 ms: a few rows a second instead of one for each token. The first piece of a
 * text, also after a pause, is written at once. Side effects wait for the log: a tool starts once its call is stored,
 * and the run continues once the result is stored.
 */
export function makeEventWriter(append: (events: RunEvent[]) => Promise<void>) {
  let pending: RunEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = 0;
  let saying = false;
  let called = false;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = Date.now();
    if (pending.length === 0) return writing;
    const batch = pending;
    pending = [];
    writing = writing.then(() => append(batch));
    // Kept for the next write to throw: an unhandled rejection would end the process.
    writing.catch((error) => {
      failure ??= error;
    });
    return writing;
  }

  /** A text grows in a copy: the events belong to their sender. */
  function say(event: Delta): void {
    const last = pending.at(-1);
    if (last && isDelta(last) && continues(last, event)) last.text += event.text;
    else pending.push({ ...event });
    // All that came in one piece of network is one piece here too.
    if (!saying) setImmediate(flush);
    else if (Date.now() - lastFlush > gatherFor) void flush();
    else timer ??= setTimeout(flush, gatherFor);
    saying = true;
  }

  return {
    /** Takes an event; a promise when the next one has to wait until this one is stored. */
    write(event: RunEvent): Promise<void> | undefined {
      if (failure) throw failure;
      if (isDelta(event)) {
        say(event);
        return undefined;
      }
      saying = false;
      pending.push(event);
      if (event.type === 'step-start') called = false;
      else if (event.type === 'tool-call') called = true;
      if (event.type === 'tool-result' || event.type === 'run-resume' || (event.type === 'step-end' && called))
        return flush();
      timer ??= setTimeout(flush, gatherFor);
      return undefined;
    },
    /** Everything is stored when this resolves. */
    flush,
    /** Waits for the current write and returns the pending events, which are stored together with the end. */
    async rest(): Promise<RunEvent[]> {
      clearTimeout(timer);
      const rest = pending;
      pending = [];
      await writing;
      return rest;
    },
  };
}
