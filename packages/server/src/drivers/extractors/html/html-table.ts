/** Cells of a table while its markup goes by. */
export function makeGrid() {
  const rows: string[][] = [];
  let cell: string[] | undefined;
  let gap = false;

  const endCell = () => {
    if (cell) rows.at(-1)?.push(cell.join('').trim());
    cell = undefined;
    gap = false;
  };
  return {
    row() {
      endCell();
      if (rows.at(-1)?.length !== 0) rows.push([]);
    },
    /** A cell that is as wide as several is followed by empty ones, so that what follows stands in its own column. */
    cell(span: number) {
      endCell();
      if (rows.length === 0) rows.push([]);
      cell = [];
      return span > 1 ? () => rows.at(-1)?.push(...Array<string>(Math.min(span, 100) - 1).fill('')) : undefined;
    },
    endCell,
    /** Whether it was taken: text between cells belongs to none. */
    text(text: string): boolean {
      if (!cell) return false;
      const run = text.replaceAll(/[\s\u00a0]+/g, ' ');
      if (gap || run.startsWith(' ')) cell.push(' ');
      cell.push(run.trim());
      gap = run.endsWith(' ');
      return true;
    },
    part() {
      gap = true;
    },
    rows() {
      endCell();
      return rows.filter((row) => row.some((text) => text !== ''));
    },
  };
}
