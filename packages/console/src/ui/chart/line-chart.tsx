import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { ChartFrame } from './chart-frame.tsx';
import { type ChartProps, fillOf, strokeOf } from './series.ts';

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
          const isAlone = (index: number) => own[index - 1] === null && own[index + 1] === null;
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
                  (index === shown || isAlone(index) || own.length === 1) && (
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
