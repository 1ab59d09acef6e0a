/** The time. Tests pass a clock of their own, in which a year takes a second. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves at that time, or at once when the signal is aborted. May resolve early: the caller checks the time again.
   */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}

/**
 * The longest single wait: a lost notification, a changed system clock or a suspended machine is noticed after this.
 */
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
