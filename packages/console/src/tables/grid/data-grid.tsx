import { useVirtualizer } from '@tanstack/react-virtual';
import { type ClipboardEvent, type MouseEvent, type RefObject, useEffect, useId, useRef } from 'react';
import { CellEditor } from './cell-editor.tsx';
import { GridHead } from './grid-head.tsx';
import { pressGridKey } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import { type GridColumn, headHeight, numberWidth, type Place, type Row } from './grid-types.ts';
import type { AreaCommands } from './use-area-commands.ts';
import { useColumnWindow } from './use-column-window.ts';
import type { Selection } from './use-selection.ts';

interface GridProps {
  label: string;
  columns: readonly GridColumn[];
  rows: number;
  rowHeight: number;
  rowAt: (index: number) => Row | undefined;
  /** Called with the rows in view, so that their pages are loaded. */
  onView: (from: number, to: number) => void;
  tinted: ReadonlySet<string>;
  sort: string;
  onSort: (column: string) => void;
  selection: Selection;
  commands: AreaCommands;
  onEdit: (index: number, column: GridColumn, value: unknown) => void;
  isReadOnly: boolean;
  frame: RefObject<HTMLDivElement | null>;
}

const cellOf = (target: EventTarget): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  const [row, column] = cell?.dataset['cell']?.split('.').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
};

/** Any number of rows by the ARIA grid pattern: only those in view are drawn, the grid itself has the focus. */
export function DataGrid(props: GridProps) {
  const { label, columns, rows, rowHeight, rowAt, onView, tinted, sort, onSort, isReadOnly, frame } = props;
  const { selection, commands, onEdit } = props;
  const { active, area, editing, act, within } = selection;
  const gridId = useId();
  const width = numberWidth + (columns.at(-1)?.left ?? 0) + (columns.at(-1)?.width ?? 0);
  const virtual = useVirtualizer({
    ...{ count: rows, overscan: 4, paddingStart: headHeight, scrollPaddingStart: headHeight },
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
  });
  const shownColumns = useColumnWindow(frame, columns, active.column);
  const items = virtual.getVirtualItems();
  // Rows that leave the view lend their elements to those that enter it, which is far cheaper than making new ones.
  const slots = useRef(0);
  slots.current = Math.max(slots.current, items.length + 1);
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onView(from, to), [onView, from, to]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows get the other height.
  useEffect(() => virtual.measure(), [rowHeight]);

  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active cell is brought into view when it moves.
  useEffect(() => {
    const { current } = frame;
    if (!current || rows === 0) return;
    virtual.scrollToIndex(active.row, { align: 'auto' });
    const column = columns[active.column];
    if (!column) return;
    const end = numberWidth + column.left + column.width;
    if (column.left < current.scrollLeft) current.scrollLeft = column.left;
    else if (end > current.scrollLeft + current.clientWidth) current.scrollLeft = end - current.clientWidth;
  }, [active.row, active.column]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the grid takes the focus back when a cell is left.
  useEffect(() => {
    if (!editing && hasFocus.current && !frame.current?.contains(document.activeElement))
      frame.current?.focus({ preventScroll: true });
    hasFocus.current = editing !== undefined;
  }, [editing]);

  const activeColumn = columns[active.column];
  const edit = (text?: string) => {
    if (isReadOnly || !activeColumn || activeColumn.isId || !rowAt(active.row)) return;
    if (activeColumn.type === 'boolean' && text === undefined) toggle();
    else act({ do: 'edit', ...(text !== undefined && { text: activeColumn.type === 'boolean' ? '' : text }) });
  };
  const toggle = () => {
    const row = rowAt(active.row);
    if (row && activeColumn && !isReadOnly) onEdit(active.row, activeColumn, row[activeColumn.name] !== true);
  };
  const gridCommands = {
    ...{ edit, toggle },
    empty: () => !isReadOnly && void commands.empty(area),
    fill: () => !isReadOnly && void commands.fill(area),
  };
  const leave = () => {
    act({ do: 'leave' });
    frame.current?.focus({ preventScroll: true });
  };
  const commit = (value: unknown, move: boolean) => {
    if (activeColumn) onEdit(active.row, activeColumn, value);
    if (move) act({ do: 'go', to: within({ ...active, row: active.row + 1 }) });
    else act({ do: 'leave' });
    // A field that Tab or a click leads to keeps the focus.
    if (move || document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
  };
  const onCopy = (event: ClipboardEvent, cut: boolean) => {
    if (editing) return;
    event.preventDefault();
    const text = commands.textNow(area);
    if (text === undefined) void commands.copy(area);
    else event.clipboardData.setData('text/plain', text);
    if (cut) gridCommands.empty();
  };
  const onPaste = async (event: ClipboardEvent) => {
    if (editing || isReadOnly) return;
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    const pasted = text && (await commands.paste(text, area));
    if (pasted)
      act({
        ...{ do: 'choose', from: { row: pasted.top, column: pasted.left } },
        to: { row: pasted.bottom, column: pasted.right },
      });
  };
  const onMouseDown = (event: MouseEvent) => {
    const head = event.target instanceof Element && event.target.closest<HTMLElement>('[data-row-head]');
    if (head) {
      const row = Number(head.dataset['rowHead']);
      act({ do: 'choose', from: { row, column: 0 }, to: { row, column: columns.length - 1 } });
      return;
    }
    const cell = cellOf(event.target);
    if (!cell || (editing && cell.row === active.row && cell.column === active.column)) return;
    act({ do: 'go', to: cell, extend: event.shiftKey });
  };
  const onMouseMove = (event: MouseEvent) => {
    const cell = event.buttons === 1 && !editing ? cellOf(event.target) : undefined;
    if (cell && (cell.row !== active.row || cell.column !== active.column)) act({ do: 'go', to: cell, extend: true });
  };
  const isActiveShown = active.row >= from && active.row <= to && rows > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of the browser can't draw only what is in view.
    <div
      ref={frame}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-readonly={isReadOnly}
      aria-activedescendant={isActiveShown && !editing ? `${gridId}-active` : undefined}
      onKeyDown={(event) => {
        if (editing || event.target !== frame.current || rows === 0) return;
        const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2);
        if (pressGridKey(event, { ...{ selection, rows, columns, page }, commands: gridCommands })) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
      onCopy={(event) => onCopy(event, false)}
      onCut={(event) => onCopy(event, true)}
      onPaste={(event) => void onPaste(event)}
      onMouseDown={onMouseDown}
      onMouseMove={onMouseMove}
      onDoubleClick={(event) => cellOf(event.target) && edit()}
      className="group/grid relative min-h-0 flex-1 overflow-auto bg-surface outline-none focus-visible:outline-2 focus-visible:-outline-offset-2"
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), width }} className="relative">
        <GridHead
          columns={shownColumns.columns}
          firstColumn={shownColumns.first}
          width={width}
          sort={sort}
          onSort={onSort}
        />
        {items.map(({ index, start }) => {
          const row = rowAt(index);
          const isIn = index >= area.top && index <= area.bottom;
          const isActive = index === active.row;
          return (
            <GridRow
              key={index % slots.current}
              {...{ gridId, index, row, width, columns: shownColumns.columns, firstColumn: shownColumns.first }}
              top={start}
              height={rowHeight}
              active={isActive ? active.column : -1}
              from={isIn ? area.left : -1}
              to={isIn ? area.right : -1}
              isTinted={row !== undefined && tinted.has(String(row.id))}
              editor={
                isActive && editing && activeColumn && row ? (
                  <CellEditor
                    column={activeColumn}
                    value={row[activeColumn.name]}
                    typed={editing.text}
                    onCommit={commit}
                    onLeave={leave}
                  />
                ) : null
              }
            />
          );
        })}
      </div>
    </div>
  );
}
