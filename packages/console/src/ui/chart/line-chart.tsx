import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { fillOf, strokeOf } from './chart-colors.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartProps } from './series.ts';

/** Lines by time. A moment without a figure leaves a gap. */
export function LineChart(props: ChartProps) {
  const { points, series } = props;
  const values = points.flatMap((point) => point.values.filter((value) => value !== null));
  const domain = scaleLinear()
    .domain([0, Math.max(Number.EPSILON, ...values)])
    .nice(4);
  const scale = (height: number) => domain.copy().range([height, 0]);
  return (
    <ChartFrame {...props} scale={scale}>
      {({ height, xOf }, shown) => {
        const y = scale(height);
        return series.map(({ key }, place) => {
          const own = points.map((point) => point.values[place] ?? null);
          const path = line<number | null>()
            .defined((value) => value !== null)
            .x((_, index) => xOf(index))
            .y((value) => y(value ?? 0));
          const isAlone = (index: number) => (own[index - 1] ?? own[index + 1] ?? null) === null;
          return (
            <g key={key}>
              <path
                d={path(own) ?? ''}
                fill="none"
                strokeWidth={2}
                strokeLinejoin="round"
                className={strokeOf(place)}
              />
              {own.map(
                (value, index) =>
                  value !== null &&
                  (index === shown || isAlone(index)) && (
                    <circle key={points[index]?.name} cx={xOf(index)} cy={y(value)} r={3.5} className={fillOf(place)} />
                  ),
              )}
            </g>
          );
        });
      }}
    </ChartFrame>
  );
}
