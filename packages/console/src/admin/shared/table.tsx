import { type ReactNode, useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { cx } from '../../ui/cx.ts';
import { useFocusNext } from './use-focus-next.ts';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The name of the row; the other cells stand below it on phones. */
  isName?: boolean;
  /** Figures stand to the right. */
  isFigure?: boolean;
  /** Its label is read out, not shown. */
  isBare?: boolean;
  /** On phones the name leaves room for its buttons. */
  isWide?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The chosen row, if the address names one. */
  chosen?: string | undefined;
}

/** Rows under named columns. Below 600 px each row is a short list. J and K move along the rows that can be opened. */
export function Table<Row>({ label, columns, rows, keyOf, chosen }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const room = columns.some(({ isWide }) => isWide) ? 'max-phone:pr-30' : 'max-phone:pr-10';
  useRowKeys(body);
  useFocusNext(body, rows.map(keyOf));
  return (
    <table aria-label={label} className="w-full text-dense max-phone:block">
      <thead className="max-phone:hidden">
        <tr className="border-b border-line text-left text-text-3">
          {columns.map((column) => (
            <th
              key={column.label}
              scope="col"
              className={cx('px-4 py-2 font-medium whitespace-nowrap', column.isFigure && 'text-right')}
            >
              {column.isBare ? <span className="sr-only">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} className="divide-y divide-line max-phone:block">
        {rows.map((row) => {
          const key = keyOf(row);
          return (
            <tr
              key={key}
              data-row={key}
              className={cx(
                'hover:bg-bg max-phone:relative max-phone:block max-phone:px-4 max-phone:py-2.5',
                key === chosen && 'bg-accent-soft',
              )}
            >
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} room={room} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row, room }: { column: Column<Row>; row: Row; room: string }) {
  const look = cx(
    'px-4 py-2 max-phone:px-0 max-phone:py-0.5',
    column.isFigure && 'num text-right max-phone:text-left',
    column.isName ? cx('text-left font-normal max-phone:block', room) : 'max-phone:flex max-phone:gap-2',
    column.isBare && 'text-right max-phone:absolute max-phone:top-1.5 max-phone:right-2',
  );
  if (column.isName)
    return (
      <th scope="row" className={look}>
        {column.cell(row)}
      </th>
    );
  return (
    <td className={look}>
      {!column.isBare && <span className="hidden w-24 flex-none text-text-3 max-phone:inline">{column.label}</span>}
      {column.cell(row)}
    </td>
  );
}

/** The name of a row with a second line under it. */
export const Named = ({ name, below, children }: { name: string; below?: ReactNode; children?: ReactNode }) => (
  <span className="block min-w-0">
    <span className="flex flex-wrap items-center gap-2 text-label font-medium">
      <span className="wrap-anywhere">{name}</span>
      {children}
    </span>
    {below && <span className="block text-caption text-text-3 wrap-anywhere">{below}</span>}
  </span>
);
