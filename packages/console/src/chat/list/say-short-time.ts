import { dayOf } from '../../lib/calendar.ts';
import { currentTimeZone, sayClock } from '../../lib/time.ts';

const minute = 60_000;
const day = 86_400_000;

/** "Now", "2 m", "11:20", "Tue", "3 Nov": short enough for a list. */
export function sayShortTime(time: string, now = new Date()): string {
  const at = new Date(time);
  const age = now.getTime() - at.getTime();
  if (age < minute) return 'Now';
  if (age < 60 * minute) return `${Math.floor(age / minute)} m`;
  const [itsDay, today] = [dayOf(at), dayOf(now)];
  if (itsDay === today) return sayClock(at);
  const timeZone = currentTimeZone();
  if (age < 7 * day) return at.toLocaleDateString('en-GB', { weekday: 'short', timeZone });
  const isOtherYear = itsDay.slice(0, 4) !== today.slice(0, 4);
  return at.toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'short', timeZone },
    ...(isOtherYear && { year: '2-digit' }),
  });
}
