// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser can not draw only the rows in view.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect } from 'react';
import { traceTexts as words } from '../../text/traces.ts';
import { cx } from '../../ui/cx.ts';
import type { Row } from './build-rows.ts';
import { pickMoments, sayTick } from './time-axis.ts';
import { columnsOf, TraceRow, type View, type Whole } from './trace-row.tsx';

const rowHeight = 36;
const headHeight = 34;

interface WaterfallProps {
  grid: RefObject<HTMLDivElement | null>;
  rows: readonly Row[];
  endMs: number;
  view: View;
  whole: Whole;
  chosen: string | undefined;
  folded: ReadonlySet<string>;
  onChoose: (id: string) => void;
  onFold: (id: string) => void;
  /** Enter: the details get the focus. */
  onOpen: () => void;
}

/** The steps on one time axis. Only rows in view are in the page; arrows move, left and right fold. */
export function Waterfall(props: WaterfallProps) {
  const { grid, rows, endMs, view, whole, chosen, folded, onChoose, onFold, onOpen } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    useFlushSync: false,
  });
  const at = rows.findIndex(({ id }) => id === chosen);
  // The chosen row stays in view, also when the address names it.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const onKey = (event: KeyboardEvent) => {
    const row = rows[at];
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 2);
    const moves: Partial<Record<string, number>> = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 },
      ...{ PageDown: at + page, PageUp: at - page },
    };
    const to = moves[event.key];
    if (to !== undefined) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (next) onChoose(next.id);
    } else if (event.key === 'Enter') onOpen();
    else if (row && row.below > 0 && event.key === (folded.has(row.id) ? 'ArrowRight' : 'ArrowLeft')) onFold(row.id);
    else return;
    event.preventDefault();
  };
  const items = virtual.getVirtualItems();
  const isDrawn = items.some(({ index }) => index === at);
  return (
    <div
      ref={grid}
      role="treegrid"
      aria-label={words.steps}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isDrawn ? `row-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto [overflow-anchor:none] outline-offset-[-2px]"
    >
      <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-surface" style={{ height: headHeight }}>
        <div role="row" aria-rowindex={1} className={cx('h-full text-dense text-text-2', columnsOf(view))}>
          <div role="columnheader" className="pl-4 font-medium">
            {words.columns.step}
          </div>
          <div role="columnheader" className="px-2 text-right font-medium max-phone:hidden">
            {words.columns.tokens}
          </div>
          <div role="columnheader" className="px-2 text-right font-medium max-phone:hidden">
            {words.columns.cost}
          </div>
          <div role="columnheader" className="relative mx-3 h-full">
            <span className={cx('grid h-full place-items-center justify-end', view === 'timeline' && 'phone:sr-only')}>
              {words.columns.time}
            </span>
            {view === 'timeline' &&
              pickMoments(endMs).map((moment) => (
                <span
                  key={moment}
                  aria-hidden
                  className="num absolute top-1/2 -translate-y-1/2 text-caption whitespace-nowrap max-phone:hidden"
                  style={moment / endMs > 0.9 ? { right: 0 } : { left: `${(moment / endMs) * 100}%` }}
                >
                  {sayTick(moment)}
                </span>
              ))}
          </div>
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <TraceRow
                key={key}
                {...{ row, index, endMs, view, whole, onChoose, onFold }}
                top={start - headHeight}
                height={rowHeight}
                isChosen={index === at}
                isFolded={folded.has(row.id)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
