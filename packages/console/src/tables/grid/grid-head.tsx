import {
  ArrowDown,
  ArrowUp,
  Braces,
  Calendar,
  Clock,
  Fingerprint,
  Hash,
  Link2,
  List,
  ToggleLeft,
  Type,
} from 'lucide-react';
import { memo } from 'react';
import { rowTexts } from '../../text/table-rows.ts';
import { cx } from '../../ui/cx.ts';
import { type GridColumn, headHeight, numberWidth } from './grid-types.ts';

const icons = {
  ...{ text: Type, integer: Hash, number: Hash, boolean: ToggleLeft, date: Calendar, datetime: Clock },
  ...{ json: Braces, uuid: Fingerprint, reference: Link2 },
};

interface HeadProps {
  columns: readonly GridColumn[];
  firstColumn: number;
  width: number;
  /** The columns of the order, with `-` before those whose largest come first. */
  sort: string;
  onSort: (column: string) => void;
}

/** The titles of the columns. A click sorts; the toolbar does the same for the keyboard. */
export const GridHead = memo(function GridHead({ columns, firstColumn, width, sort, onSort }: HeadProps) {
  const [first = ''] = sort.split(',');
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual grid are placed one by one.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
    <div
      role="row"
      aria-rowindex={1}
      style={{ height: headHeight, width }}
      className="sticky top-0 z-10 border-b border-line-2 bg-bg"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see above. */}
      <div
        role="columnheader"
        aria-colindex={1}
        style={{ width: numberWidth }}
        className="sticky left-0 z-[5] h-full border-r border-line bg-bg"
      >
        <span className="sr-only">{rowTexts.rowNumber}</span>
      </div>
      {columns.map((column, at) => {
        const Icon = column.choices ? List : icons[column.type];
        const direction = first === column.name ? 'ascending' : first === `-${column.name}` ? 'descending' : undefined;
        return (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          // biome-ignore lint/a11y/useFocusableInteractive: see above.
          <div
            key={column.name}
            role="columnheader"
            aria-colindex={firstColumn + at + 2}
            aria-sort={direction ?? 'none'}
            style={{ left: numberWidth + column.left, width: column.width }}
            className="absolute top-0 h-full border-r border-line"
          >
            <button
              type="button"
              tabIndex={-1}
              title={rowTexts.sort.ofColumn(column.label)}
              onClick={() => onSort(column.name)}
              className={cx(
                'flex size-full items-center gap-1.5 px-3 text-dense font-medium text-text-2 hover:text-text',
                column.isNumeric && 'justify-end',
              )}
            >
              <Icon size={13} aria-hidden className="flex-none text-text-3" />
              <span className="truncate">{column.label}</span>
              {direction === 'ascending' && <ArrowUp size={13} aria-hidden className="flex-none" />}
              {direction === 'descending' && <ArrowDown size={13} aria-hidden className="flex-none" />}
            </button>
          </div>
        );
      })}
    </div>
  );
});
