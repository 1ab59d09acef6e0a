import { useState } from 'react';
import { sayNumber } from '../../lib/numbers.ts';
import { sqlTexts } from '../../text/table-columns.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { SqlAnswer } from './sql-result.tsx';

const most = 60;
const [width, height, foot, head] = [960, 280, 24, 16];
const numberOf = (value: unknown) => {
  const number = typeof value === 'boolean' || value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : 0;
};

/** Bars of one column of numbers, named by another. The rows behind them are one press away. */
export function ResultChart({ answer: { columns, items } }: { answer: SqlAnswer }) {
  const numbers = columns.filter(({ type }) => type === 'integer' || type === 'number').map(({ name }) => name);
  const names = columns.map(({ name }) => name);
  const [chosenValue, setValue] = useState('');
  const [chosenName, setName] = useState('');
  const value = numbers.includes(chosenValue) ? chosenValue : (numbers.at(-1) ?? '');
  const label = names.includes(chosenName) ? chosenName : (names.find((name) => name !== value) ?? value);
  if (!value) return <EmptyState title={sqlTexts.noChart} />;
  const bars = items.slice(0, most).map((row) => ({ name: String(row[label] ?? ''), value: numberOf(row[value]) }));
  const [low, high] = [Math.min(0, ...bars.map((bar) => bar.value)), Math.max(0, ...bars.map((bar) => bar.value))];
  const scale = (height - foot - head) / (high - low || 1);
  const y = (number: number) => head + (high - number) * scale;
  const step = width / bars.length;
  const everyName = Math.ceil(70 / step);
  const options = (of: readonly string[]) => of.map((name) => ({ value: name, label: name }));
  return (
    <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-5 py-3 max-narrow:px-3">
      <div className="flex flex-wrap gap-3">
        <Field label={sqlTexts.label_}>
          <Select value={label} options={options(names)} onChange={setName} className="w-44" />
        </Field>
        <Field label={sqlTexts.value}>
          <Select value={value} options={options(numbers)} onChange={setValue} className="w-44" />
        </Field>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={sqlTexts.chartOf(value, label, bars.length)}
        className="w-full max-w-240"
      >
        <line x1={0} x2={width} y1={y(0)} y2={y(0)} className="stroke-line-2" />
        {bars.map((bar, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice.
          <g key={at}>
            <rect
              x={at * step + step * 0.15}
              width={step * 0.7}
              y={Math.min(y(bar.value), y(0))}
              height={Math.abs(y(bar.value) - y(0))}
              className="fill-c1"
            >
              <title>{`${bar.name}: ${sayNumber(bar.value)}`}</title>
            </rect>
            {at % everyName === 0 && (
              <text x={at * step + step / 2} y={height - 8} textAnchor="middle" className="fill-text-3 text-[11px]">
                {bar.name.length > 14 ? `${bar.name.slice(0, 13)}…` : bar.name}
              </text>
            )}
            {step > 40 && (
              <text
                x={at * step + step / 2}
                y={Math.min(y(bar.value), y(0)) - 4}
                textAnchor="middle"
                className="num fill-text-2 text-[11px]"
              >
                {sayNumber(bar.value)}
              </text>
            )}
          </g>
        ))}
      </svg>
      {items.length > most && <p className="text-caption text-text-3">{sqlTexts.firstBars(most)}</p>}
    </div>
  );
}
