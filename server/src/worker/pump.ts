import type { Bell } from '../db/bell.ts';
import type { Clock } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { PumpWork } from '../lib/pump-work.ts';

export interface Pump {
  stop(): Promise<void>;
}

const afterTrouble = 1000;

/** Looks at the start, whenever the bell rings and whenever something is due, until stopped. */
export function startPump({ topic, work, over }: PumpWork, deps: { clock: Clock; bell: Bell; log: Log }): Pump {
  const { clock, bell, log } = deps;
  const stopping = new AbortController();
  let woken = new AbortController();
  const wake = () => woken.abort();
  stopping.signal.addEventListener('abort', wake);
  const unheard = bell.on(topic, wake);

  async function turn(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before looking: a bell that rings in the meantime is not overheard.
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
