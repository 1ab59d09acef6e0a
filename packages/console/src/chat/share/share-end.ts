import { addDays, dayOf } from '../../lib/calendar.ts';

/** The last day of a link, where the person is; empty for none. */
export const lastDayOf = (end: string | null): string => (end ? dayOf(end) : '');

/** The day after so many days, where the person is. */
export const inDays = (days: number, now = new Date()): string => addDays(dayOf(now), days);

/** "18 December 2026" */
export const sayDay = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
