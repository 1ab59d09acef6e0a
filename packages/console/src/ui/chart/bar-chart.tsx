import { scaleLinear } from 'd3-scale';
import { cx } from '../cx.ts';
import { fillOf } from './chart-colors.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartProps } from './series.ts';

/** Bars by time; the series of one moment stand on top of each other. */
export function BarChart(props: ChartProps) {
  const { points, series } = props;
  const most = Math.max(1, ...points.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)));
  const domain = scaleLinear().domain([0, most]).nice(4);
  const scale = (height: number) => domain.copy().range([height, 0]);
  return (
    <ChartFrame {...props} scale={scale}>
      {({ height, step, xOf }, shown) => {
        const y = scale(height);
        const width = Math.max(1, Math.min(32, step * 0.72));
        return points.map(({ name, values }, index) => {
          let below = 0;
          return (
            <g key={name} className={cx(shown !== undefined && shown !== index && 'opacity-55')}>
              {series.map(({ key }, place) => {
                const value = values[place] ?? 0;
                if (value <= 0) return null;
                const [top, bottom] = [y(below + value), y(below)];
                below += value;
                // A pixel of the ground keeps the parts of a bar apart.
                const gap = bottom - top > 3 ? 1 : 0;
                return (
                  <rect
                    key={key}
                    x={xOf(index) - width / 2}
                    y={top}
                    width={width}
                    height={Math.max(1, bottom - top - gap)}
                    rx={Math.min(2, width / 4)}
                    className={fillOf(place)}
                  />
                );
              })}
            </g>
          );
        });
      }}
    </ChartFrame>
  );
}
