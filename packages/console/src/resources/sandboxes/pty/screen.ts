import { blankCells, blankRow, plain, type Row, type Style } from './cells.ts';

/** Lines that have left the top of the screen. */
const mostHistory = 1000;
const isWide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u;
/** A letter with its marks. */
const mostInCell = 16;
const isMark = /^\p{M}/u;

/** What a terminal shows: the lines of its screen, the cursor, and the lines that have left it. */
export class Screen {
  rows: number;
  cols: number;
  grid: Row[];
  history: Row[] = [];
  x = 0;
  y = 0;
  style: Style = plain;
  isCursorShown = true;
  /** Programs ask for another form of the arrow keys, and for marks around what is pasted. */
  hasApplicationKeys = false;
  marksPaste = false;
  top = 0;
  bottom: number;
  #saved = { x: 0, y: 0, style: plain as Style };
  #main: Row[] | undefined;

  constructor(rows: number, cols: number) {
    [this.rows, this.cols, this.bottom] = [rows, cols, rows - 1];
    this.grid = Array.from({ length: rows }, () => blankRow(cols));
  }

  #row(): Row {
    const row = this.grid[this.y] as Row;
    row.version++;
    return row;
  }

  print(char: string): void {
    if (isMark.test(char)) {
      const cell = this.#row().cells[Math.max(0, this.x - 1)];
      if (cell && cell.char.length < mostInCell) cell.char += char;
      return;
    }
    const width = isWide.test(char) ? 2 : 1;
    if (this.x + width > this.cols) {
      this.x = 0;
      this.lineFeed();
    }
    const { cells } = this.#row();
    cells[this.x++] = { char, style: this.style };
    if (width === 2) cells[this.x++] = { char: '', style: this.style };
  }

  lineFeed(): void {
    if (this.y === this.bottom) this.scroll(1);
    else if (this.y < this.rows - 1) this.y++;
  }

  reverseLineFeed(): void {
    if (this.y === this.top) this.scroll(-1);
    else if (this.y > 0) this.y--;
  }

  /** Moves the lines of the region up, or down where the count is negative. */
  scroll(count: number): void {
    for (let step = 0; step < Math.min(Math.abs(count), this.rows); step++) {
      const [from, to] = count > 0 ? [this.top, this.bottom] : [this.bottom, this.top];
      const [gone] = this.grid.splice(from, 1);
      this.grid.splice(to, 0, blankRow(this.cols, this.style));
      if (gone && count > 0 && this.top === 0 && !this.#main) this.history.push(gone);
    }
    if (this.history.length > mostHistory) this.history.splice(0, this.history.length - mostHistory);
  }

  moveTo(y: number, x: number): void {
    this.y = Math.min(Math.max(y, 0), this.rows - 1);
    this.x = Math.min(Math.max(x, 0), this.cols - 1);
  }

  /** Lines are put in at the cursor, or taken away there where the count is negative. */
  shiftLines(count: number): void {
    if (this.y < this.top || this.y > this.bottom) return;
    const { top } = this;
    this.top = this.y;
    // Lines that are taken away by a program are not those that have left the screen.
    const { history } = this;
    this.history = [];
    this.scroll(-count);
    this.history = history;
    this.top = top;
  }

  shiftCells(count: number): void {
    const { cells } = this.#row();
    if (count > 0) cells.splice(this.x, 0, ...blankCells(Math.min(count, this.cols), this.style));
    else cells.splice(this.x, -count);
    cells.length = Math.min(cells.length, this.cols);
    cells.push(...blankCells(this.cols - cells.length, this.style));
  }

  eraseCells(from: number, to: number): void {
    const { cells } = this.#row();
    const end = Math.min(to, this.cols);
    if (end > from) cells.splice(from, end - from, ...blankCells(end - from, this.style));
  }

  eraseRows(from: number, to: number): void {
    for (let y = Math.max(0, from); y < Math.min(to, this.rows); y++) this.grid[y] = blankRow(this.cols, this.style);
  }

  setRegion(top: number, bottom: number): void {
    const isWhole = top >= bottom || top >= this.rows - 1;
    [this.top, this.bottom] = isWhole ? [0, this.rows - 1] : [top, Math.min(bottom, this.rows - 1)];
    this.moveTo(0, 0);
  }

  save(): void {
    this.#saved = { x: this.x, y: this.y, style: this.style };
  }

  restore(): void {
    this.moveTo(this.#saved.y, this.#saved.x);
    this.style = this.#saved.style;
  }

  /** The screen of programs that draw on all of it, beside that of the shell. */
  chooseOther(isOther: boolean): void {
    if (isOther === (this.#main !== undefined)) return;
    if (isOther) {
      this.save();
      this.#main = this.grid;
      this.grid = Array.from({ length: this.rows }, () => blankRow(this.cols));
    } else {
      this.grid = this.#main as Row[];
      this.#main = undefined;
      this.#fit(this.grid);
      this.restore();
    }
    [this.top, this.bottom] = [0, this.rows - 1];
  }

  reset(): void {
    Object.assign(this, new Screen(this.rows, this.cols));
    this.#main = undefined;
    this.#saved = { x: 0, y: 0, style: plain };
  }

  #fit(grid: Row[]): void {
    while (grid.length > this.rows) {
      // Empty lines below the cursor go first.
      if (this.y < grid.length - 1) grid.pop();
      else {
        this.history.push(grid.shift() as Row);
        this.y--;
      }
    }
    while (grid.length < this.rows) grid.push(blankRow(this.cols));
    for (const row of grid) {
      row.version++;
      row.cells.length = Math.min(row.cells.length, this.cols);
      row.cells.push(...blankCells(this.cols - row.cells.length, plain));
    }
  }

  resize(rows: number, cols: number): void {
    if (rows === this.rows && cols === this.cols) return;
    [this.rows, this.cols] = [rows, cols];
    this.#fit(this.grid);
    [this.top, this.bottom] = [0, rows - 1];
    this.moveTo(this.y, this.x);
  }
}
