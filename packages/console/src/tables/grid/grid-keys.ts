import type { KeyboardEvent } from 'react';
import { isApple } from '../../lib/shortcuts.ts';
import type { GridColumn, Place } from './grid-types.ts';
import type { Selection } from './use-selection.ts';

interface GridCommands {
  edit: (text?: string) => void;
  toggle: () => void;
  empty: () => void;
  fill: () => void;
}

interface Keys {
  selection: Selection;
  rows: number;
  columns: readonly GridColumn[];
  /** How many rows are in view. */
  page: number;
  commands: GridCommands;
}

/** Where a key leads from a cell; undefined when it does not move. */
function target(key: string, { row, column }: Place, far: boolean, { rows, columns, page }: Keys): Place | undefined {
  const [lastRow, lastColumn] = [rows - 1, columns.length - 1];
  switch (key) {
    case 'ArrowUp':
      return { row: far ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: far ? lastRow : row + 1, column };
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: far ? lastColumn : column + 1 };
    case 'Home':
      return { row: far ? 0 : row, column: 0 };
    case 'End':
      return { row: far ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: row - page, column };
    case 'PageDown':
      return { row: row + page, column };
    default:
      return undefined;
  }
}

/** The keys of a grid, by the ARIA pattern. Tab is left alone. Says whether the key was one of them. */
export function pressGridKey(event: KeyboardEvent, keys: Keys): boolean {
  const { selection, commands, columns, rows } = keys;
  const { active, area, act, within } = selection;
  const held = isApple ? event.metaKey : event.ctrlKey;
  if (event.altKey || event.nativeEvent.isComposing) return false;
  const to = target(event.key, active, held, keys);
  if (to) {
    act({ do: 'go', to: within(to), extend: event.shiftKey });
    return true;
  }
  const isChosen = area.top !== area.bottom || area.left !== area.right;
  if (held) {
    if (event.key.toLowerCase() === 'd') commands.fill();
    else if (event.key.toLowerCase() === 'a')
      act({ do: 'choose', from: { row: 0, column: 0 }, to: { row: rows - 1, column: columns.length - 1 } });
    else return false;
    return true;
  }
  if (event.key === 'Enter' || event.key === 'F2') commands.edit();
  else if (event.key === 'Delete' || event.key === 'Backspace') commands.empty();
  else if (event.key === 'Escape' && isChosen) act({ do: 'go', to: active });
  else if (event.key === ' ' && event.shiftKey)
    act({ do: 'choose', from: { ...active, column: 0 }, to: { ...active, column: columns.length - 1 } });
  else if (event.key === ' ' && columns[active.column]?.type === 'boolean') commands.toggle();
  else if (event.key.length === 1) commands.edit(event.key);
  else return false;
  return true;
}
