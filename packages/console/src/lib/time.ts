const minute = 60_000;
const day = 86_400_000;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** The zone that the person chose; that of the device unless given. */
let timeZone: string | undefined;
export const setTimeZone = (zone: string | undefined) => {
  timeZone = zone;
};

export const currentTimeZone = (): string => timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "Mon 23 Nov, 09:00", for times to come. */
export const sayMoment = (time: string | number | Date) =>
  new Date(time).toLocaleString('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    timeZone: currentTimeZone(),
  });

/** "2 min. ago" up to a day, then the date. */
export function sayTime(time: string | number | Date, now = Date.now()): string {
  const at = new Date(time);
  const age = now - at.getTime();
  if (Math.abs(age) < minute) return 'now';
  if (Math.abs(age) < 60 * minute) return relative.format(-Math.round(age / minute), 'minute');
  if (Math.abs(age) < day) return relative.format(-Math.round(age / (60 * minute)), 'hour');
  const yearOf = (date: Date) => date.toLocaleDateString('en-GB', { year: 'numeric', timeZone: currentTimeZone() });
  const sameYear = yearOf(at) === yearOf(new Date(now));
  return at.toLocaleDateString('en-GB', {
    ...(timeZone && { timeZone }),
    day: 'numeric',
    month: 'long',
    ...(!sameYear && { year: 'numeric' }),
  });
}

/** "10:58", the time of day. */
export const sayClock = (time: string | number | Date) =>
  new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: currentTimeZone() });

/** "21 Nov", the day alone. */
export const sayDay = (time: string | number | Date) =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: currentTimeZone() });

/** The exact time, for tooltips. */
export const sayExactTime = (time: string | number | Date) =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium', ...(timeZone && { timeZone }) });
