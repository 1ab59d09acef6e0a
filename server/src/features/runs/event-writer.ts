import type { RunEvent } from './events.ts';

const gatherFor = 30;

type Delta = Extract<RunEvent, { type: 'text-delta' | 'reasoning-delta' }>;
const isDelta = (event: RunEvent): event is Delta => event.type === 'text-delta' || event.type === 'reasoning-delta';

/**
 * Writes events in order, gathering the small pieces of text a model sends into one every 30 ms: the log then costs a
 * few rows a second instead of one for each token. The first piece after a pause goes out at once.
 */
export function makeEventWriter(append: (events: RunEvent[]) => Promise<void>) {
  let pending: RunEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = 0;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = Date.now();
    if (pending.length === 0) return writing;
    const batch = pending;
    pending = [];
    writing = writing.then(() => append(batch));
    // Kept for the next write to throw; a rejection that nobody awaits would end the process.
    writing.catch((error) => {
      failure ??= error;
    });
    return writing;
  }

  return {
    async write(event: RunEvent): Promise<void> {
      if (failure) throw failure;
      const last = pending.at(-1);
      if (isDelta(event) && last && isDelta(last) && last.type === event.type && last.step === event.step)
        pending[pending.length - 1] = { ...last, text: last.text + event.text };
      else pending.push(event);
      if (!isDelta(event)) await flush();
      else if (Date.now() - lastFlush > gatherFor) void flush();
      else timer ??= setTimeout(flush, gatherFor);
    },
    /** Everything is stored when this resolves. */
    flush,
  };
}
