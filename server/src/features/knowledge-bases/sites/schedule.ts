import { Cron } from 'croner';

const least_ms = 15 * 60_000;

/** When a schedule comes true next; undefined when it is none, or comes true more often than a site should be asked. */
export function nextTime(schedule: string, from: Date = new Date()): Date | undefined {
  if (schedule.trim().split(/\s+/).length !== 5) return undefined;
  try {
    const cron = new Cron(schedule, { timezone: 'UTC', paused: true });
    const [first, ...rest] = cron.nextRuns(50, from);
    let last = first;
    for (const next of rest) {
      if (last && next.getTime() - last.getTime() < least_ms) return undefined;
      last = next;
    }
    return first;
  } catch {
    return undefined;
  }
}
