/** One line of the table a bench prints. */
export interface Figure {
  what: string;
  value: string;
  /** Where there is one: what it should be, and whether it is. */
  aim?: { text: string; met: boolean };
}

export interface Bench {
  name: string;
  run(): Promise<Figure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function printTable(title: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ what, value, aim }) => [
    what,
    value,
    aim?.text ?? '',
    aim ? (aim.met ? 'met' : 'missed') : '',
  ]);
  const table = [['', 'figure', 'aim', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line.trimEnd()}\n`).join('')}`);
}
