import { csvLine } from '@atrium/contract/csv/csv-line.ts';
import { saveFile } from '../lib/save-file.ts';
import { insightTexts as words } from '../text/insights.ts';
import type { Overview } from './figures/figures.ts';

/** Hands the figures to the browser as a CSV file, with those of the time before and those of the groups. */
export function exportFigures(overview: Overview, groups: Overview | undefined): void {
  const rows: (string | number | null)[][] = [['metric', 'group', 'from', 'to', 'value', 'before']];
  const { time_start, time_end } = overview;
  for (const { metric, value, before } of overview.metrics)
    rows.push([metric, '', time_start, time_end, value, before]);
  for (const { metric, groups: own } of groups?.metrics ?? [])
    for (const { label, value, before } of own) rows.push([metric, label, time_start, time_end, value, before]);
  saveFile(words.fileName, rows.map((row) => csvLine(row)).join(''), 'text/csv');
}
