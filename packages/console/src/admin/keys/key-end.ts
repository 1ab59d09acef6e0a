import { endOfDay } from '../../lib/calendar.ts';

const day = 86_400_000;

/** A key that ends within this many days is shown as soon over. */
const soonDays = 14;

interface KeyEnd {
  state: 'never' | 'over' | 'soon' | 'later';
  /** Days until then, rounded. */
  days: number;
}

export function keyEnd(expiresAt: string | null, now = Date.now()): KeyEnd {
  if (expiresAt === null) return { state: 'never', days: 0 };
  const left = new Date(expiresAt).getTime() - now;
  const days = Math.round(left / day);
  if (left <= 0) return { state: 'over', days: 0 };
  return { state: days < soonDays ? 'soon' : 'later', days };
}

/** The end of a key that is to work for some days from now, or through a chosen day in the person's zone. */
export function endAfter(choice: string, date: string, now = Date.now()): string | undefined {
  if (choice === 'never') return undefined;
  if (choice !== 'date') return new Date(now + Number(choice) * day).toISOString();
  return endOfDay(date);
}
