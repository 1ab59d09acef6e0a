/**
 * Waits that are due sooner than this (in milliseconds) stay in memory, since suspending and resuming a run costs
 * more.
 */
const soon = 20_000;
const longestTimer = 2 ** 31 - 1;

/** A step that waits for a time, for a decision, or for the first of both. */
interface Wait {
  until: number | null;
  wake(decided: boolean): void;
  /** Removes the timer; the step does not continue in this process. */
  drop(): void;
}

/**
 * The waiting steps of a run. When nothing else of the run is under way, `park` is called with the time of the next
 * wake-up, and the run is suspended.
 */
export function makeStepWaits(park: (wakes_at: number | null) => void): StepWaits {
  const waits = new Map<string, Wait>();
  let busy = 0;
  let over = false;

  function consider(): void {
    if (over || busy > 0 || waits.size === 0) return;
    const times = [...waits.values()].flatMap(({ until }) => until ?? []);
    const next = times.length ? Math.min(...times) : null;
    if (next !== null && next - Date.now() < soon) return;
    end();
    park(next);
  }
  /** Stops considering a suspension and removes all timers. */
  function end(): void {
    over = true;
    for (const { drop } of waits.values()) drop();
    // Ignore decisions while this run is being suspended; the node that resumes it reads them.
    waits.clear();
  }
  // Deferred, so that the steps behind a finished one have begun before a suspension is considered.
  const considerSoon = () => void setImmediate(consider);

  return {
    async during<T>(work: Promise<T>): Promise<T> {
      busy++;
      try {
        return await work;
      } finally {
        if (--busy === 0 && waits.size > 0) considerSoon();
      }
    },

    until(key: string, until: number | null, signal: AbortSignal): Promise<boolean> {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      let timer: NodeJS.Timeout | undefined;
      const drop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
      };
      const done = () => {
        drop();
        waits.delete(key);
      };
      const stopped = () => {
        done();
        reject(signal.reason);
      };
      const wake = (decided: boolean) => {
        done();
        resolve(decided);
      };
      const look = () => {
        const left = (until as number) - Date.now();
        if (left <= 0) wake(false);
        else timer = setTimeout(look, Math.min(left, longestTimer));
      };
      waits.set(key, { until, wake, drop });
      signal.addEventListener('abort', stopped, { once: true });
      if (signal.aborted) stopped();
      else if (until !== null) look();
      if (busy === 0) considerSoon();
      return promise;
    },

    decided: (key: string) => waits.get(key)?.wake(true),
    end,
  };
}

export interface StepWaits {
  /** Keeps the run from being suspended while the work is under way. */
  during<T>(work: Promise<T>): Promise<T>;
  /**
   * Resolves to false when the time has come and to true when a decision was made. Never resolves if the run is
   * suspended.
   */
  until(key: string, until: number | null, signal: AbortSignal): Promise<boolean>;
  /** Continues the step at this path, whose approval was decided. */
  decided(key: string): void;
  /** The run is over. */
  end(): void;
}
