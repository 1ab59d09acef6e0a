export const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How far the wall clock of a zone is ahead of UTC at a moment, in milliseconds. */
export type Offsets = (time: number) => number;

const keepDays = 20_000;

/** Throws RangeError when there is no such zone. */
export function offsetsOf(timezone: string): Offsets {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: timezone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  function ask(time: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
  }
  // Formatting is slow, and on most days the offset does not change: the offset is computed per call only on days on
  // which it does.
  const days = new Map<number, number | undefined>();
  return (time) => {
    const day = Math.floor(time / dayMs);
    if (!days.has(day)) {
      const [first, last] = [ask(day * dayMs), ask((day + 1) * dayMs)];
      if (days.size >= keepDays) days.clear();
      days.set(day, first === last ? first : undefined);
    }
    return days.get(day) ?? ask(time);
  };
}

/** The moment at which the clock first shows this; where it never does, the moment at which it jumps over it. */
export function momentOf(wall: number, offsets: Offsets): number {
  const guesses = [offsets(wall - dayMs), offsets(wall + dayMs)].map((offset) => wall - offset);
  const shown = guesses.filter((time) => time + offsets(time) === wall);
  if (shown.length) return Math.min(...shown);
  let [before, after] = [Math.min(...guesses) - minuteMs, Math.max(...guesses)];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (middle + offsets(middle) > wall) after = middle;
    else before = middle;
  }
  return after;
}
