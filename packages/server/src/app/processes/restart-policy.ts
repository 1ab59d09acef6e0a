/** A process that has served for less than this time before it ended has failed to start. */
const soonMs = 10_000;
const mostFailures = 5;
const [firstPauseMs, longestPauseMs] = [200, 10_000];

/** Whether a process that has served for this time has failed to start. */
export const hasFailedToStart = (served_ms: number) => served_ms < soonMs;

/**
 * Says after how many milliseconds an ended process is started again; undefined: it can't be started. One that ends while
 * the database is away has not failed: it is started later, for as long as that lasts.
 */
export function makeRestartPolicy() {
  let failures = 0;
  return (served_ms: number, isOutage = false): number | undefined => {
    if (isOutage) return longestPauseMs;
    failures = hasFailedToStart(served_ms) ? failures + 1 : 0;
    if (failures >= mostFailures) return undefined;
    return failures === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
  };
}
