import { type ReactNode, useState } from 'react';
import { chartTexts } from '../../text/charts.ts';
import { t } from '../../text/en.ts';
import { cx } from '../cx.ts';
import { Segmented } from '../segmented.tsx';
import { useAfter } from '../states.tsx';
import { groundOf } from './chart-colors.tsx';
import { sayValue } from './chart-frame.tsx';
import { type ChartProps, usualHeight } from './series.ts';

interface ChartCardProps extends ChartProps {
  title: string;
  /** What a row of the table stands for. */
  rowLabel: string;
  draw: (props: ChartProps) => ReactNode;
  beside?: ReactNode;
  /** Its figures are still asked for: their room is kept. */
  isLoading?: boolean;
}

/** A chart with its title and colours, and the same figures as a table behind it. */
export function ChartCard({ title, rowLabel, draw, beside, isLoading, ...chart }: ChartCardProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { series, points, height = usualHeight } = chart;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-3 border border-line bg-surface p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="mr-auto text-section">{title}</h2>
        {series.length > 1 && (
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-dense text-text-2">
            {series.map(({ key, label }, index) => (
              <li key={key} className="flex max-w-48 items-center gap-1.5">
                <span aria-hidden className={cx('size-2.5 flex-none rounded-1', groundOf(index))} />
                <span className="truncate">{label}</span>
              </li>
            ))}
          </ul>
        )}
        {beside}
        <Segmented
          label={chartTexts.view(title)}
          value={view}
          options={[
            { value: 'chart', label: chartTexts.chart },
            { value: 'table', label: chartTexts.table },
          ]}
          onChange={setView}
        />
      </header>
      {view === 'table' ? (
        <ChartTable rowLabel={rowLabel} title={title} {...chart} />
      ) : isLoading ? (
        <Room height={height} />
      ) : points.length === 0 ? (
        <p className="grid place-items-center text-dense text-text-2" style={{ height }}>
          {chartTexts.nothing}
        </p>
      ) : (
        draw(chart)
      )}
    </section>
  );
}

function Room({ height }: { height: number }) {
  const isVisible = useAfter(200);
  return (
    <div role="status" style={{ height }} className={cx('rounded-2', isVisible && 'pulse bg-sunken')}>
      <span className="sr-only">{t.ui.loading}</span>
    </div>
  );
}

function ChartTable({ title, rowLabel, series, points, format }: ChartProps & { title: string; rowLabel: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled with the keyboard.
    <section tabIndex={0} aria-label={title} className="max-h-72 overflow-auto">
      <table className="num w-full text-dense">
        <thead className="sticky top-0 bg-surface text-left text-text-2">
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-3 font-medium">
              {rowLabel}
            </th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col" className="px-3 py-1.5 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ name, values }) => (
            <tr key={name} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal whitespace-nowrap">
                {name}
              </th>
              {series.map(({ key }, index) => (
                <td key={key} className="px-3 py-1.5 text-right">
                  {sayValue(values[index], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
