interface Forecast {
  /** Parts of the whole budget, from 0 to 1: what is used, and what the rest of the period would add. */
  used: number;
  more: number;
  /** What will have been used when the period ends, if it goes on like this. */
  end: number;
  /** When the budget is used up, if that is within the period. */
  overAt: number | undefined;
}

/** Goes on as the period has begun. In the first hundredth of a period nothing is said of its end. */
export function forecastOf(
  budget: { used: number; most: number; start: string; end: string },
  now = Date.now(),
): Forecast {
  const { used, most } = budget;
  const start = Date.parse(budget.start);
  const length = Date.parse(budget.end) - start;
  const passed = Math.min(1, Math.max(0, (now - start) / length));
  const end = passed < 0.01 ? used : used / passed;
  const part = most === 0 ? 1 : Math.min(1, used / most);
  const whole = most === 0 ? 1 : Math.min(1, end / most);
  const isOver = end > most && used < most;
  return {
    ...{ used: part, more: whole - part, end },
    overAt: isOver ? start + passed * length * (most / used) : undefined,
  };
}
