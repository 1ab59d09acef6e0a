import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { fillOf, strokeOf } from './chart-colors.tsx';

const [width, height, inset] = [96, 28, 4];

/** A line without axes beside a figure. It says nothing that the figure and its chart do not. */
export function Spark({ values, color = 0 }: { values: readonly (number | null)[]; color?: number }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const x = scaleLinear()
    .domain([0, values.length - 1])
    .range([inset, width - inset]);
  const y = scaleLinear()
    .domain([Math.min(...known), Math.max(...known)])
    .range([height - inset, inset]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x(index))
    .y((value) => y(value ?? 0));
  const last = values.findLastIndex((value) => value !== null);
  return (
    <svg aria-hidden width={width} height={height} className="flex-none">
      <path d={path(values) ?? ''} fill="none" strokeWidth={1.5} className={strokeOf(color)} />
      <circle cx={x(last)} cy={y(values[last] ?? 0)} r={2.5} className={fillOf(color)} />
    </svg>
  );
}
