const first = 500;
const longest = 15_000;

/** How long to wait before an attempt, counted from 0: longer each time. Windows that were cut off together do not come back together. */
export const reconnectDelay = (attempt: number, random = Math.random()): number =>
  Math.round(Math.min(first * 2 ** attempt, longest) * (0.75 + random / 4));

/** Whole seconds until a time, at least one. */
export const secondsUntil = (time: number, now: number): number => Math.max(1, Math.ceil((time - now) / 1000));
