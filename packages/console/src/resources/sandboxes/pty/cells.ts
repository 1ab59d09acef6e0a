/** How a character looks. Colours are the 16 of a terminal. */
export interface Style {
  readonly color?: number | undefined;
  readonly background?: number | undefined;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

interface Cell {
  /** Empty behind a character that is two columns wide. */
  char: string;
  style: Style;
}

/** A line of the screen. `version` moves on with each change. */
export interface Row {
  cells: Cell[];
  version: number;
}

export const plain: Style = {};
const blank = (style: Style): Cell => ({
  char: ' ',
  style: style.background === undefined ? plain : { background: style.background },
});
export const blankCells = (count: number, style: Style): Cell[] => Array.from({ length: count }, () => blank(style));
export const blankRow = (cols: number, style: Style = plain): Row => ({ cells: blankCells(cols, style), version: 0 });

/** Neighbours that look the same, for showing them as one. Blanks at the end are left out. */
export function runsOf(
  { cells }: Row,
  cursor: number | undefined,
): { text: string; style: Style; isCursor: boolean }[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1]?.char === ' ' && cells[length - 1]?.style === plain && length - 1 !== cursor)
    length--;
  const runs: { text: string; style: Style; isCursor: boolean }[] = [];
  for (let index = 0; index < length; index++) {
    const { char, style } = cells[index] as Cell;
    const last = runs.at(-1);
    const isCursor = index === cursor;
    if (last && last.style === style && !last.isCursor && !isCursor) last.text += char;
    else runs.push({ text: char, style, isCursor });
  }
  return runs;
}

/** One of the 256 colours of newer programs, as the nearest of the 16. */
export function nearestColor(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return index < 240 ? 8 : index < 248 ? 7 : 15;
  const cube = index - 16;
  return colorOf(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

export function colorOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  if (most < 48) return 0;
  const bits = [red, green, blue].reduce((sum, part, place) => sum + (part > most * 0.6 ? 1 << place : 0), 0);
  return bits + (most > 200 ? 8 : 0);
}
