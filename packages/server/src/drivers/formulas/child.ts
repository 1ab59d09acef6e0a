import { parentPort, workerData } from 'node:worker_threads';
import FormulaParser, { type Place } from 'fast-formula-parser';
import type { Computed, Sheet, SheetCell } from './driver.ts';

const sheets = workerData as Sheet[];
const byName = new Map(sheets.map((sheet) => [sheet.name, sheet]));
const widths = new Map(
  sheets.map(({ name, rows }) => [name, rows.reduce((most, { length }) => Math.max(most, length), 0)]),
);
const done = new Map<string, unknown>();
const going = new Set<string>();
const isFormula = (value: SheetCell | undefined): value is string => typeof value === 'string' && /^=./.test(value);

const letters = (col: number): string =>
  (col > 26 ? letters(Math.floor((col - 1) / 26)) : '') + String.fromCharCode(65 + ((col - 1) % 26));
const refuse = (): never => {
  throw FormulaParser.FormulaError['NAME'];
};

/** Evaluates a cell. Circular references and formulas that are nested too deeply yield #REF!. */
function valueAt({ row, col, sheet = sheets[0]?.name ?? '' }: Place): unknown {
  const value = byName.get(sheet)?.rows[row - 1]?.[col - 1];
  if (!isFormula(value)) return value ?? null;
  const key = `${sheet}!${row}:${col}`;
  if (done.has(key)) return done.get(key);
  if (going.has(key) || going.size > 200) throw FormulaParser.FormulaError['REF'];
  going.add(key);
  try {
    const result = parser.parse(value.slice(1), { sheet, row, col });
    done.set(key, result);
    return result;
  } finally {
    going.delete(key);
  }
}

const parser = new FormulaParser({
  functions: { WEBSERVICE: refuse },
  onCell: valueAt,
  onRange({ from, to, sheet = sheets[0]?.name ?? '' }) {
    const rows = byName.get(sheet)?.rows ?? [];
    const last = Math.min(to.row, rows.length);
    const width = Math.min(to.col, widths.get(sheet) ?? 0);
    const range: unknown[][] = [];
    for (let row = from.row; row <= last; row++) {
      const cells: unknown[] = [];
      for (let col = from.col; col <= width; col++) cells.push(valueAt({ row, col, sheet }));
      range.push(cells);
    }
    return range;
  },
});

/** A matrix shows its first value; an error the word that stands for it. */
function shown(value: unknown): Computed['value'] {
  if (Array.isArray(value)) return shown(value[0]);
  if (typeof value === 'number') return Number.isFinite(value) ? value : '#NUM!';
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === null || value === undefined) return 0;
  const { error, name } = value as { error?: unknown; name?: unknown };
  return typeof error === 'string' ? error : String(name ?? '#VALUE!');
}

const computed: Computed[] = [];
for (const { name: sheet, rows } of sheets)
  for (const [at, cells] of rows.entries())
    for (const [index, value] of cells.entries()) {
      if (!isFormula(value)) continue;
      let result: unknown;
      try {
        result = valueAt({ sheet, row: at + 1, col: index + 1 });
      } catch (error) {
        // The parser wraps what a formula refers to; the error of the innermost is the one to show.
        const { details } = error as { details?: unknown };
        result = (details as { error?: unknown } | undefined)?.error ? details : error;
      }
      const text = shown(result);
      computed.push({ sheet, cell: `${letters(index + 1)}${at + 1}`, value: text });
    }
parentPort?.postMessage(computed);
