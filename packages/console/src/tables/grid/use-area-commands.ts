import { rowTexts } from '../../text/table-rows.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { readCell, writeCell } from './cell-values.ts';
import { readCells, writeCells } from './clipboard-text.ts';
import { type Area, cellsIn, type GridColumn } from './grid-types.ts';
import type { RowCache } from './row-cache.ts';
import type { RowWrite, RowWrites } from './use-row-writes.ts';

const most = 10_000;

interface Needs {
  cache: RowCache;
  writes: RowWrites;
  columns: readonly GridColumn[];
  rows: number;
}

/** What can be done with the chosen cells at once. */
export function useAreaCommands({ cache, writes, columns, rows }: Needs) {
  const columnsIn = ({ left, right }: Area) => columns.slice(left, right + 1);
  const writable = (area: Area) => columnsIn(area).filter(({ isId }) => !isId);
  const isTooMuch = ({ top, bottom }: Area) => {
    if (bottom - top < most) return false;
    sayToast({ text: rowTexts.tooMuch, bad: true });
    return true;
  };
  const textOf = (area: Area, seen: readonly { row: Record<string, unknown> }[]) =>
    writeCells(seen.map(({ row }) => columnsIn(area).map((column) => writeCell(column, row[column.name]))));

  /** The cells as text, when all of them are loaded. */
  function textNow(area: Area): string | undefined {
    const seen = Array.from({ length: Math.min(area.bottom - area.top + 1, most) }, (_, at) => cache.at(area.top + at));
    return seen.every((row) => row !== undefined) ? textOf(area, seen) : undefined;
  }

  async function copy(area: Area): Promise<void> {
    if (isTooMuch(area)) return;
    try {
      await navigator.clipboard.writeText(textNow(area) ?? textOf(area, await cache.load(area.top, area.bottom)));
      sayToast({ text: rowTexts.copied(cellsIn(area)) });
    } catch (error) {
      sayFailure(error);
    }
  }

  /** Writes pasted cells from a corner on; one value fills the whole area. Rows beyond the end are added. */
  async function paste(text: string, area: Area): Promise<Area | undefined> {
    const cells = readCells(text);
    const isOne = cells.length === 1 && cells[0]?.length === 1;
    const height = isOne ? area.bottom - area.top + 1 : cells.length;
    const width = isOne ? area.right - area.left + 1 : Math.max(...cells.map((row) => row.length));
    const to = { ...area, bottom: area.top + height - 1, right: Math.min(area.left + width, columns.length) - 1 };
    if (isTooMuch(to)) return undefined;
    const values: Record<string, unknown>[] = [];
    for (let at = 0; at < height; at++) {
      const row: Record<string, unknown> = {};
      for (const [place, column] of columnsIn(to).entries()) {
        const typed = (isOne ? cells[0]?.[0] : cells[at]?.[place]) ?? '';
        const read = column.isId ? { fault: rowTexts.faults.readOnly } : readCell(column, typed);
        if ('fault' in read) {
          const help = rowTexts.doesNotFit(area.top + at + 1, column.label, read.fault);
          sayToast({ text: rowTexts.nothingPasted, help, bad: true });
          return undefined;
        }
        row[column.name] = read.value;
      }
      values.push(row);
    }
    const present = await cache.load(to.top, Math.min(to.bottom, rows - 1));
    const kept = present.map((seen, at): RowWrite => ({ index: to.top + at, seen, cells: values[at] ?? {} }));
    const done = await writes.write(rowTexts.commands.paste(height * width), kept, values.slice(present.length));
    return done ? to : undefined;
  }

  /** Writes the same cells into all rows of an area. */
  async function spread(label: string, area: Area, cells: Record<string, unknown>): Promise<void> {
    if (isTooMuch(area) || Object.keys(cells).length === 0) return;
    const seen = await cache.load(area.top, area.bottom);
    await writes.write(
      label,
      seen.map((row, at) => ({ index: area.top + at, seen: row, cells })),
    );
  }

  /** Copies the first row of the area, or the cell above it, into the rest. */
  async function fill(area: Area): Promise<void> {
    const from = area.top === area.bottom ? area.top - 1 : area.top;
    const [source] = from < 0 ? [] : await cache.load(from, from);
    if (!source) return;
    const cells = Object.fromEntries(writable(area).map(({ name }) => [name, source.row[name] ?? null]));
    const rest = { ...area, top: from + 1 };
    await spread(rowTexts.commands.fill(cellsIn(rest)), rest, cells);
  }

  const empty = (area: Area) =>
    spread(
      rowTexts.commands.empty(cellsIn(area)),
      area,
      Object.fromEntries(writable(area).map(({ name }) => [name, null])),
    );

  return { textNow, copy, paste, fill, empty };
}
export type AreaCommands = ReturnType<typeof useAreaCommands>;
