import type { Notifier } from '../db/notifier.ts';
import type { Clock } from '../lib/clock.ts';
import type { DueWork } from '../lib/due-work.ts';
import { errorFields, type Log } from '../lib/log.ts';

export interface DueWorkLoop {
  stop(): Promise<void>;
}

const afterTrouble = 1000;

/** Works at the start, at every notification and whenever something is due, until stopped. */
export function startDueWorkLoop(
  { topic, work, over }: DueWork,
  deps: { clock: Clock; notifier: Notifier; log: Log },
): DueWorkLoop {
  const { clock, notifier, log } = deps;
  const stopping = new AbortController();
  let woken = new AbortController();
  const wake = () => woken.abort();
  stopping.signal.addEventListener('abort', wake);
  const unheard = notifier.on(topic, wake);

  async function turn(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Reset before the work, so that a notification during it is not missed.
      woken = new AbortController();
      let next: number | undefined;
      try {
        next = await work(stopping.signal, wake);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn('What is due could not be done', { topic, ...errorFields(error) });
        next = clock.now() + afterTrouble;
      }
      if (!stopping.signal.aborted) await clock.sleepUntil(next ?? Number.POSITIVE_INFINITY, woken.signal);
    }
  }
  const turning = turn();

  return {
    async stop() {
      unheard();
      stopping.abort();
      await turning;
      await over?.();
    },
  };
}
