import { Check } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { sayNumber } from '../../lib/numbers.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { cx } from '../../ui/cx.ts';
import { sayCell } from './cell-values.ts';
import { type GridColumn, numberWidth, type Row } from './grid-types.ts';

interface RowProps {
  gridId: string;
  index: number;
  top: number;
  height: number;
  width: number;
  row: Row | undefined;
  columns: readonly GridColumn[];
  /** The place of the first of these columns among all. */
  firstColumn: number;
  /** The active column, or -1. */
  active: number;
  /** The chosen columns; none when `from` is -1. */
  from: number;
  to: number;
  isTinted: boolean;
  editor: ReactNode;
}

/** One row of the grid. It is drawn again only when something of it has changed. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { gridId, index, top, height, width, row, columns, firstColumn, active, from, to, isTinted, editor } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual grid are placed one by one.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)`, height, width }}
      className={cx('absolute top-0 left-0 border-b border-line', isTinted && 'bg-accent-soft')}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see above. */}
      <div
        role="rowheader"
        aria-colindex={1}
        data-row-head={index}
        style={{ width: numberWidth }}
        className={cx(
          'num sticky left-0 z-[5] grid h-full place-items-center border-r border-line bg-bg text-caption text-text-3',
          from !== -1 && 'bg-selected',
        )}
      >
        {sayNumber(index + 1)}
      </div>
      {!row && !editor && active === -1 && (
        // biome-ignore lint/a11y/useSemanticElements: see above.
        // biome-ignore lint/a11y/useFocusableInteractive: see above.
        <div
          role="gridcell"
          aria-colindex={2}
          aria-colspan={columns.length}
          style={{ left: numberWidth + 12 }}
          className="absolute top-0 flex h-full items-center text-dense text-text-3"
        >
          {rowTexts.loading}
        </div>
      )}
      {(row || active !== -1 ? columns : []).map((column, at) => {
        const place = firstColumn + at;
        const isActive = place === active;
        const isChosen = from !== -1 && place >= from && place <= to;
        return (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          // biome-ignore lint/a11y/useFocusableInteractive: see above.
          <div
            key={column.name}
            role="gridcell"
            id={isActive ? `${gridId}-active` : undefined}
            aria-colindex={place + 2}
            aria-selected={isChosen}
            data-cell={`${index}.${place}`}
            style={{ left: numberWidth + column.left, width: column.width }}
            className={cx(
              'absolute top-0 flex h-full items-center border-r border-line px-3 text-dense select-none',
              isChosen && 'bg-accent-soft',
              isActive && 'z-[4] outline-2 -outline-offset-2 outline-accent',
              column.isNumeric && 'num justify-end',
              column.isId && 'text-text-2',
            )}
          >
            {isActive && editor}
            {!(isActive && editor) && row && contentOf(column, row)}
          </div>
        );
      })}
    </div>
  );
});

/** A function, not a component: a grid has thousands of cells. */
function contentOf(column: GridColumn, row: Row): ReactNode {
  const value = row[column.name];
  if (column.type === 'boolean' && typeof value === 'boolean')
    return (
      <span
        role="img"
        aria-label={value ? rowTexts.yes : rowTexts.no}
        className={cx(
          'grid size-4 place-items-center rounded-1 border',
          value ? 'border-accent bg-accent text-on-accent' : 'border-control',
        )}
      >
        {value && <Check size={12} strokeWidth={3} aria-hidden />}
      </span>
    );
  const text = sayCell(column, value);
  return (
    <span className={cx('truncate whitespace-pre', column.type === 'json' && 'font-mono text-code')}>
      {text.length > 300 ? `${text.slice(0, 300)}…` : text}
    </span>
  );
}
