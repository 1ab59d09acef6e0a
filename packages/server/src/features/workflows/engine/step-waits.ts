/** One that is due sooner than this is waited for in memory: putting a run away and taking it up again costs more. */
const soon = 20_000;
const longestTimer = 2 ** 31 - 1;

/** What a step waits for: a time, somebody's word, or whichever is first. */
interface Wait {
  until: number | null;
  wake(decided: boolean): void;
  /** Nobody waits for it here any more. */
  drop(): void;
}

/**
 * Steps of a run that wait. When nothing else of the run is under way it is put away: `park` is told until when, and
 * nobody holds it in the meantime.
 */
export function makeStepWaits(park: (wakes_at: number | null) => void) {
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
  /** Nothing is put away any more, and no timer is left behind. */
  function end(): void {
    over = true;
    for (const { drop } of waits.values()) drop();
    // A word that comes while the run is put away must not set it going here: whoever takes it up hears of it.
    waits.clear();
  }
  // What follows from the end of a step begins before this is asked.
  const considerSoon = () => void setImmediate(consider);

  return {
    /** Something is under way for as long as this takes. */
    async during<T>(work: Promise<T>): Promise<T> {
      busy++;
      try {
        return await work;
      } finally {
        if (--busy === 0 && waits.size > 0) considerSoon();
      }
    },

    /** Resolves when the time has come (false) or somebody has decided (true). Never, when the run is put away. */
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

    /** Somebody has decided what this step waits for. */
    decided: (key: string) => waits.get(key)?.wake(true),
    /** The run is over. */
    end,
  };
}

export type Waiting = ReturnType<typeof makeStepWaits>;
