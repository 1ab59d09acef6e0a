import type { ScaleLinear } from 'd3-scale';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { cx } from '../cx.ts';
import { groundOf } from './chart-colors.tsx';
import { type ChartProps, margin, pickTicks, usualHeight } from './series.ts';
import { useWidth } from './use-width.ts';

export interface Plot {
  width: number;
  height: number;
  /** The middle of a point, from the left. */
  xOf: (index: number) => number;
  step: number;
}

interface ChartFrameProps extends ChartProps {
  scale: (height: number) => ScaleLinear<number, number>;
  children: (plot: Plot, shown: number | undefined) => ReactNode;
}

/** The axes of a chart, what its colours mean, and the figures of the moment that is pointed at. */
export function ChartFrame(props: ChartFrameProps) {
  const { sentence, series, points, format, height: outer = usualHeight, scale, children } = props;
  const { frame, width: outerWidth } = useWidth();
  const [shown, setShown] = useState<number>();
  const width = Math.max(0, outerWidth - margin.left - margin.right);
  const height = outer - margin.top - margin.bottom;
  const step = points.length ? width / points.length : width;
  const plot: Plot = { width, height, step, xOf: (index) => step * (index + 0.5) };
  const y = scale(height);
  const point = (event: PointerEvent) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = Math.floor(left / step);
    setShown(index >= 0 && index < points.length ? index : undefined);
  };
  const moment = shown === undefined ? undefined : points[shown];
  return (
    <div ref={frame} className="relative" style={{ height: outer }} onPointerLeave={() => setShown(undefined)}>
      {width > 0 && (
        <svg role="img" aria-label={sentence} width={outerWidth} height={outer} onPointerMove={point}>
          <g transform={`translate(${margin.left} ${margin.top})`}>
            {y.ticks(4).map((tick) => (
              <g key={tick} transform={`translate(0 ${y(tick)})`}>
                <line x2={width} className="stroke-line" />
                <text x={width + 10} dy="0.32em" className="num fill-text-2 text-[11px]">
                  {format(tick)}
                </text>
              </g>
            ))}
            {children(plot, shown)}
            {pickTicks(points.length, width).map((index) => (
              <text
                key={index}
                x={plot.xOf(index)}
                y={height + 18}
                textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
                className="fill-text-2 text-[11px]"
              >
                {points[index]?.label}
              </text>
            ))}
          </g>
        </svg>
      )}
      {moment && shown !== undefined && (
        <div
          aria-hidden
          className={cx(
            'pointer-events-none absolute top-2 z-10 w-max max-w-60 rounded-3 border border-line bg-surface px-3 py-2 text-dense shadow-2',
            plot.xOf(shown) > width / 2 ? '-translate-x-[calc(100%+14px)]' : 'translate-x-3.5',
          )}
          style={{ left: margin.left + plot.xOf(shown) }}
        >
          <p className="text-text-2">{moment.name}</p>
          {series.map(({ key, label }, index) => (
            <p key={key} className="flex items-center gap-2">
              <span className={cx('size-2 flex-none rounded-1', groundOf(index))} />
              <span className="min-w-0 flex-1 truncate">{label}</span>
              <span className="num font-medium">{sayValue(moment.values[index], format)}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

export const sayValue = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value);
