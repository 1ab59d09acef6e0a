import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/node';
import { limitArchiveSize } from './limit-archive-size.ts';
import type { WorkbookCell } from './open-sheet.ts';

/** What a workbook may unfold to. */
const mostBytes = 256 * 1024 * 1024;

/** A cell as it would stand in a CSV file. */
function readCell(cell: unknown): WorkbookCell {
  if (cell === null || cell === undefined) return null;
  if (!(cell instanceof Date)) return { text: String(cell), typed: typeof cell !== 'string' };
  const iso = cell.toISOString();
  return { text: iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso, typed: true };
}

try {
  const file = readFileSync((workerData as { path: string }).path);
  limitArchiveSize(file, mostBytes);
  const rows = await readSheet(file);
  parentPort?.postMessage({ rows: rows.map((row) => row.map(readCell)) });
} catch {
  // Errors of the library describe the inside of the file and are not shown.
  parentPort?.postMessage({});
}
