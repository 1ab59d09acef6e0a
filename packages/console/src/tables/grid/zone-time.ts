import { currentTimeZone } from '../../lib/time.ts';

/** "2026-11-30T09:00:00" in the person's zone, as fields for times take it. */
export function toZoned(time: string | number): string {
  const parts = new Date(time).toLocaleString('sv-SE', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZone: currentTimeZone(),
  });
  return parts.replace(',', '').replace(' ', 'T');
}

/** The moment that a time without a zone means to the person; undefined when it is none. */
export function fromZoned(text: string): string | undefined {
  const asUtc = Date.parse(`${text.trim().replace(' ', 'T')}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The distance of the zone from UTC is that of this very time, unless the clocks change within hours of it.
  const moment = 2 * asUtc - Date.parse(`${toZoned(asUtc)}Z`);
  return new Date(moment).toISOString();
}

export const hasZone = (text: string): boolean => /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.trim());
