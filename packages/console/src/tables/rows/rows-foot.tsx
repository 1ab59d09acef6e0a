import { sayNumber } from '../../lib/numbers.ts';
import { sayKeys } from '../../lib/shortcuts.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { tableTexts } from '../../text/tables.ts';
import { type Area, cellsIn, type GridColumn, mostRows } from '../grid/grid-types.ts';

interface FootProps {
  count: number | undefined;
  all: number | undefined;
  column: GridColumn | undefined;
  sum: number | null | undefined;
  area: Area;
  isEditing: boolean;
}

/** How many rows there are, what the active column holds, and the keys that work here. */
export function RowsFoot({ count, all, column, sum, area, isEditing }: FootProps) {
  const cells = cellsIn(area);
  return (
    <footer className="flex min-h-9 flex-none flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-2 px-5 py-1 text-caption text-text-3 max-narrow:px-3">
      <span role="status" className="num">
        {count !== undefined &&
          (all !== undefined && all !== count ? rowTexts.shownOf(count, all) : rowTexts.count(count))}
      </span>
      {count !== undefined && count > mostRows && <span>{rowTexts.mostShown(mostRows)}</span>}
      {column && <span>{rowTexts.mayBeEmpty(column.label, tableTexts.types[column.type].toLowerCase())}</span>}
      {cells > 1 && <span className="num">{rowTexts.chosen(cells)}</span>}
      <span className="ml-auto flex items-center gap-3 max-narrow:hidden">
        <span>
          <kbd>↵</kbd> {isEditing ? rowTexts.keys.save : rowTexts.keys.edit}
        </span>
        {isEditing && (
          <span>
            <kbd>Esc</kbd> {rowTexts.keys.leave}
          </span>
        )}
        <span>
          <kbd>{sayKeys('mod+z')}</kbd> {rowTexts.keys.undo}
        </span>
      </span>
      {column && sum !== null && sum !== undefined && (
        <span className="num">
          {rowTexts.sum(column.label)} <strong className="text-text">{sayNumber(sum)}</strong>
        </span>
      )}
    </footer>
  );
}
