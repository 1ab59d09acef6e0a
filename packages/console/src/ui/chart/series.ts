/** One line or one colour of bars. */
export interface Series {
  key: string;
  label: string;
}
/** The figures of one moment, in the order of the series. Null: there was nothing to measure. */
export interface Point {
  /** Below the axis, such as "6 Nov". */
  label: string;
  /** In full, such as "Friday 6 November". */
  name: string;
  values: readonly (number | null)[];
}
/** How high a chart is unless it says so. */
export const usualHeight = 260;

export interface ChartProps {
  /** What the chart shows, in one sentence: it is read out in place of the drawing. */
  sentence: string;
  series: readonly Series[];
  points: readonly Point[];
  format: (value: number) => string;
  height?: number;
}

/** The room around the drawing, in pixels. */
export const margin = { top: 8, right: 52, bottom: 24, left: 4 } as const;

/** Which labels of the time axis have room: the first, the last and evenly many between them. */
export function pickTicks(count: number, width: number): readonly number[] {
  const most = Math.max(2, Math.floor(width / 110));
  if (count <= most) return Array.from({ length: count }, (_, index) => index);
  const step = Math.ceil((count - 1) / (most - 1));
  const picked = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  const last = picked.at(-1) ?? 0;
  if (last !== count - 1 && count - 1 - last < step / 2) picked.pop();
  return picked.at(-1) === count - 1 ? picked : [...picked, count - 1];
}
