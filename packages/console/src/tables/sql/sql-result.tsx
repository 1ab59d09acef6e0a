import type { AnswerOf } from '@atrium/sdk';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { sayDuration } from '../../lib/numbers.ts';
import { saveFile } from '../../lib/save-file.ts';
import { sqlTexts } from '../../text/table-columns.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ResultChart } from './result-chart.tsx';
import { writeCsv } from './result-csv.ts';

export type SqlAnswer = AnswerOf<'tables.query'> & { ms: number };
const isNumber = (type: string) => type === 'integer' || type === 'number';
const say = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The answer as rows or as a chart, to be exported. */
export function SqlResult({ answer }: { answer: SqlAnswer }) {
  const [view, setView] = useState<'rows' | 'chart'>('rows');
  const { columns, items, truncated, row_count, ms } = answer;
  const names = columns.map(({ name }) => name);
  return (
    <section aria-label={sqlTexts.result} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-none flex-wrap items-center gap-3 px-5 py-2 max-narrow:px-3">
        <p role="status" className="num text-dense text-text-2">
          {sqlTexts.count(row_count, sayDuration(ms))} {truncated && sqlTexts.truncated(row_count)}
        </p>
        <span className="ml-auto flex items-center gap-2">
          <Segmented
            label={sqlTexts.view}
            value={view}
            options={[
              { value: 'rows', label: sqlTexts.grid },
              { value: 'chart', label: sqlTexts.chart },
            ]}
            onChange={setView}
          />
          <Button
            size="small"
            icon={<Download size={14} />}
            disabled={items.length === 0}
            onClick={() => saveFile('result.csv', writeCsv(names, items), 'text/csv')}
          >
            {sqlTexts.export}
          </Button>
        </span>
      </div>
      {items.length === 0 ? (
        <EmptyState {...sqlTexts.none} />
      ) : view === 'chart' ? (
        <ResultChart answer={answer} />
      ) : (
        <ResultRows answer={answer} />
      )}
    </section>
  );
}

const rowHeight = 32;
const widthOf = (type: string) => (isNumber(type) ? 130 : type === 'boolean' ? 90 : 200);

function ResultRows({ answer: { columns, items } }: { answer: SqlAnswer }) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    ...{ count: items.length, overscan: 8, paddingStart: rowHeight },
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
  });
  const cell = (type: string) =>
    cx('flex-none truncate border-r border-line px-3 leading-[31px]', isNumber(type) && 'num text-right');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of the browser can't draw only what is in view.
    <div
      ref={frame}
      role="table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long result is scrolled with the keyboard.
      tabIndex={0}
      aria-label={sqlTexts.result}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length}
      className="min-h-0 flex-1 overflow-auto border-t border-line text-dense outline-offset-[-2px]"
    >
      <div
        role="presentation"
        style={{ height: virtual.getTotalSize(), width: columns.reduce((sum, { type }) => sum + widthOf(type), 0) }}
        className="relative"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: nothing of it can be pressed. */}
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 flex h-8 border-b border-line-2 bg-bg font-medium"
        >
          {columns.map(({ name, type }) => (
            // biome-ignore lint/a11y/useSemanticElements: see above.
            // biome-ignore lint/a11y/useFocusableInteractive: see above.
            <span key={name} role="columnheader" style={{ width: widthOf(type) }} className={cell(type)}>
              {name}
            </span>
          ))}
        </div>
        {virtual.getVirtualItems().map(({ index, start }) => (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          // biome-ignore lint/a11y/useFocusableInteractive: see above.
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute top-0 left-0 flex h-8 border-b border-line"
          >
            {columns.map(({ name, type }) => (
              // biome-ignore lint/a11y/useSemanticElements: see above.
              <span key={name} role="cell" style={{ width: widthOf(type) }} className={cell(type)}>
                {say(items[index]?.[name])}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
