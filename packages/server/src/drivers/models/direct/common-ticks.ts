/** How often words that come one by one are passed on: 50 times a second looks like all the time. */
const interval_ms = 20;

let waiting: (() => void)[] = [];
let last = 0;

function tick(): void {
  const due = waiting;
  waiting = [];
  last = performance.now();
  for (const work of due) work();
}

/**
 * Calls back now if the last tick is long enough ago, else at the next, together with all others that wait. What many
 * answers bring is then worked on and written at once: a wake-up costs more than the words it brings.
 */
export function atCommonTick(work: () => void): void {
  if (waiting.push(work) > 1) return;
  const wait = last + interval_ms - performance.now();
  if (wait <= 0) tick();
  else setTimeout(tick, wait);
}
