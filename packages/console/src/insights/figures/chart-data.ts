import { currentTimeZone } from '../../lib/time.ts';
import type { Point, Series } from '../../ui/chart/series.ts';
import type { Range } from './range.ts';

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

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The start of each hour or day of a range: hours for up to three days, as the server has them. */
function timesOf({ start, end }: Pick<Range, 'start' | 'end'>): string[] {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const step = to - from > 3 * dayMs ? dayMs : hourMs;
  const first = Math.floor(from / step) * step;
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, index) =>
    new Date(first + index * step).toISOString(),
  );
}

/** Series of the agents with the most, and one for all others together. */
export function stackByAgent(
  rows: readonly AgentRow[],
  range: Pick<Range, 'start' | 'end'>,
  most: number,
  others: string,
) {
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
  // Times without a conversation have no row.
  const times = [...new Set([...timesOf(range), ...rows.map(({ time }) => new Date(time).toISOString())])].toSorted();
  const values = new Map(times.map((time) => [time, series.map(() => 0)]));
  for (const { time, id, value } of rows) {
    const own = values.get(new Date(time).toISOString());
    const place = places.get(id ?? '') ?? series.length - 1;
    if (own && series.length > 0) own[place] = (own[place] ?? 0) + (value ?? 0);
  }
  const hourly = isHourly(times);
  const points: Point[] = times.map((time) => ({ ...nameTime(time, hourly), values: values.get(time) ?? [] }));
  return { series, points, hourly };
}
