const pad = (value: number) => String(value).padStart(2, '0');

/** The day of a time as a date field has it, where the person is; empty for none. */
export function dayOf(time: string | null): string {
  if (!time) return '';
  const at = new Date(time);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** The last moment of a day, where the person is. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The day after so many days, where the person is. */
export function inDays(days: number, now = new Date()): string {
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12).toISOString());
}

/** "18 December 2026" */
export const sayDay = (day: string): string =>
  new Date(`${day}T12:00:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
