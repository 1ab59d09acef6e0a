/** How often words that come one by one are passed on: 50 times a second looks like all the time. */
const interval_ms = 20;

export interface Clock {
  now(): number;
  /** Calls back once, after some milliseconds. */
  later(work: () => void, wait_ms: number): void;
}

/**
 * Calls back now if the last tick is long enough ago, else at the next, together with all others that wait. What many
 * answers bring is then worked on and written at once: a wake-up costs more than the words it brings.
 */
export function makeTicks({ now, later }: Clock): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  let last = Number.NEGATIVE_INFINITY;

  function tick(): void {
    const due = waiting;
    waiting = [];
    last = now();
    for (const work of due) work();
  }

  return (work) => {
    if (waiting.push(work) > 1) return;
    const wait = last + interval_ms - now();
    if (wait <= 0) tick();
    else later(tick, wait);
  };
}

/** The ticks that all answers of this process share. What is called must not throw. */
export const atCommonTick = makeTicks({ now: () => performance.now(), later: setTimeout });
