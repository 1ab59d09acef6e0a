import { saveFile } from '../lib/save-file.ts';
import { insightTexts as words } from '../text/insights.ts';
import type { Overview } from './figures/figures.ts';

/** A cell of a CSV file. What a spreadsheet would take for a formula is kept as text. */
const cell = (value: string | number | null) => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Hands the figures to the browser as a CSV file, with those of the time before and those of the groups. */
export function exportFigures(overview: Overview, groups: Overview | undefined): void {
  const rows: (string | number | null)[][] = [['metric', 'group', 'from', 'to', 'value', 'before']];
  const { time_start, time_end } = overview;
  for (const { metric, value, before } of overview.metrics)
    rows.push([metric, '', time_start, time_end, value, before]);
  for (const { metric, groups: own } of groups?.metrics ?? [])
    for (const { label, value, before } of own) rows.push([metric, label, time_start, time_end, value, before]);
  saveFile(words.fileName, rows.map((row) => row.map(cell).join(',')).join('\n'), 'text/csv');
}
