import { momentOf, type Offsets, offsetsOf } from '../../lib/timetable/wall-clock.ts';

export interface PeriodRule {
  period: 'day' | 'month';
  time_zone: string;
}

const zones = new Map<string, Offsets>();
const mostZones = 1000;

/** Throws RangeError when there is no such time zone. */
export function zoneOf(time_zone: string): Offsets {
  const known = zones.get(time_zone) ?? offsetsOf(time_zone);
  if (zones.size >= mostZones) zones.clear();
  zones.set(time_zone, known);
  return known;
}

/** Midnight of the first day on the wall clock, as if that were UTC. */
function wallStart({ period, time_zone }: PeriodRule, at: number): Date {
  const wall = new Date(at + zoneOf(time_zone)(at));
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), period === 'day' ? wall.getUTCDate() : 1));
}

/** The first day of the period that a moment is in: 2026-02-01. */
export const firstDayOf = (rule: PeriodRule, at: number): string => wallStart(rule, at).toISOString().slice(0, 10);

/** The moments at which the period begins and is over. */
export function boundsOf(rule: PeriodRule, at: number): { period_start: string; period_end: string } {
  const start = wallStart(rule, at);
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  const end = rule.period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  const offsets = zoneOf(rule.time_zone);
  const iso = (wall: number) => new Date(momentOf(wall, offsets)).toISOString();
  return { period_start: iso(start.getTime()), period_end: iso(end) };
}
