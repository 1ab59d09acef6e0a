/** The time, as whoever waits for it sees it. Tests bring one of their own, in which a year takes a second. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when that time has come, or at once when the signal is aborted. May be early: whoever cares looks again. */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}

/** No single wait is longer: a lost bell, a clock that is set anew or a machine that slept is noticed after this. */
const longest = 5000;

export const realClock: Clock = {
  now: () => Date.now(),
  sleepUntil: (time, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, Math.min(time - Date.now(), longest)));
      timer.unref();
      signal.addEventListener('abort', done, { once: true });
    }),
};
