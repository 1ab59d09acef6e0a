import { makeFailedTries } from './failed-tries.ts';
import type { Counters } from './ports.ts';
import { makeTimeWindows } from './time-windows.ts';
import { makeTokenBuckets } from './token-buckets.ts';
import { makeWrongKeys } from './wrong-keys.ts';

/** Counters in the memory of this process. */
export function makeCounters(now: () => number = () => Date.now()) {
  const tries = makeFailedTries(now);
  const wrongKeys = makeWrongKeys(now);
  return {
    takeToken: makeTokenBuckets(now),
    countInWindow: makeTimeWindows(now),
    countTry: tries.count,
    forgetTries: tries.forget,
    countWrongKey: wrongKeys.count,
    takeTurn: wrongKeys.takeTurn,
  } satisfies Counters;
}
