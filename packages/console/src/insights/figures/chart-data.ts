import { currentTimeZone } from '../../lib/time.ts';
import type { Point, Series } from '../../ui/chart/series.ts';

interface Bar {
  label: string;
  value: number | null;
}
interface AgentRow {
  time: string;
  id: string | null;
  label: string;
  value: number | null;
}

/** Whether the bars stand for hours; else each is a day, which begins at midnight in UTC. */
export const isHourly = (times: readonly string[]): boolean =>
  times.length > 1 && Date.parse(times[1] ?? '') - Date.parse(times[0] ?? '') < 86_400_000;

function nameTime(time: string, hourly: boolean): Pick<Point, 'label' | 'name'> {
  const say = (options: Intl.DateTimeFormatOptions) =>
    new Date(time).toLocaleString('en-GB', { ...options, timeZone: hourly ? currentTimeZone() : 'UTC' });
  return hourly
    ? {
        label: say({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
        name: say({ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' }),
      }
    : {
        label: say({ day: 'numeric', month: 'short' }),
        name: say({ weekday: 'long', day: 'numeric', month: 'long' }),
      };
}

export function pointsOf(bars: readonly Bar[]): Point[] {
  const hourly = isHourly(bars.map(({ label }) => label));
  return bars.map(({ label, value }) => ({ ...nameTime(label, hourly), values: [value] }));
}

/** Series of the agents with the most, and one for all others together. */
export function stackByAgent(rows: readonly AgentRow[], most: number, others: string) {
  const totals = new Map<string, { label: string; sum: number }>();
  for (const { id, label, value } of rows) {
    const key = id ?? '';
    totals.set(key, { label, sum: (totals.get(key)?.sum ?? 0) + (value ?? 0) });
  }
  const ranked = [...totals].toSorted(([, one], [, other]) => other.sum - one.sum).filter(([, { sum }]) => sum > 0);
  const shown = ranked.length > most ? ranked.slice(0, most - 1) : ranked;
  const places = new Map(shown.map(([key], index) => [key, index]));
  const series: Series[] = shown.map(([key, { label }]) => ({ key, label }));
  if (ranked.length > shown.length) series.push({ key: 'others', label: others });
  const times = [...new Set(rows.map(({ time }) => time))].toSorted();
  const values = new Map(times.map((time) => [time, series.map(() => 0)]));
  for (const { time, id, value } of rows) {
    const own = values.get(time);
    const place = places.get(id ?? '') ?? series.length - 1;
    if (own && series.length > 0) own[place] = (own[place] ?? 0) + (value ?? 0);
  }
  const hourly = isHourly(times);
  const points: Point[] = times.map((time) => ({ ...nameTime(time, hourly), values: values.get(time) ?? [] }));
  return { series, points, hourly };
}
