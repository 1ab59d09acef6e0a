import { sayNumber } from '../../lib/numbers.ts';
import { isFigure } from '../../lib/read-csv.ts';
import { ui } from '../../text/ui.ts';
import { cx } from '../cx.ts';

interface RowsTableProps {
  name: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** How many rows there are, where some are left out. */
  count?: number;
}

/** Rows of a file under the names of their columns; figures stand to the right. */
export function RowsTable({ name, head, rows, count = rows.length }: RowsTableProps) {
  const figures = head.map((_, column) => rows.length > 0 && rows.every((row) => isFigure(row[column] || '0')));
  return (
    <div className="flex flex-col gap-2">
      <section
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard.
        tabIndex={0}
        className="max-h-[60dvh] overflow-auto rounded-2 border border-line"
      >
        <table className="w-full text-dense">
          <thead className="sticky top-0 bg-sunken text-left">
            <tr>
              {head.map((label, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places.
                <th key={column} scope="col" className={cx('px-3 py-2 font-medium', figures[column] && 'text-right')}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file keep their places.
              <tr key={place}>
                {head.map((_, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places.
                    key={column}
                    dir="auto"
                    className={cx('max-w-96 min-w-20 px-3 py-1.5 align-top', figures[column] && 'num text-right')}
                  >
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="text-caption text-text-3">
        {count > rows.length ? ui.file.firstRows(sayNumber(rows.length)) : ui.file.rows(rows.length)}
      </p>
    </div>
  );
}
