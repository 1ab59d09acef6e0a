import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Word } from './planting.ts';
import type { Sighting } from './sweep.ts';

const page = fileURLToPath(new URL('../../../../docs/people.md', import.meta.url));

/** One line of the table: who sees these words of this kind of record, and in the answers of which operations. */
interface Row {
  kind: string;
  /** Empty: all words of the kind. */
  fields: readonly string[];
  /** Each is a set of permissions and relations, all of which the caller must have. */
  alternatives: readonly (readonly string[])[];
  /** Empty: every operation. Else ids of operations, or `feature.*`. */
  operations: readonly string[];
}

const listOf = (cell: string) =>
  cell
    .replaceAll('`', '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part && part !== 'all');

/** Reads the table "Who sees what" of docs/people.md. */
export function readTable(): Row[] {
  const [, section = ''] = readFileSync(page, 'utf8').split('\n## Who sees what\n');
  const [, table = ''] = (section.split('\n## ')[0] ?? '').split('\n| record |');
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) => {
    const [kind = '', words = '', holds = '', operations = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const alternatives = listOf(holds).map((part) => part.split('+').map((name) => name.trim()));
    return { kind, fields: listOf(words), alternatives, operations: listOf(operations) };
  });
}

const covers = (row: Row, { kind, field }: Word) =>
  row.kind === kind && (row.fields.length === 0 || row.fields.includes(field));
const isIn = ({ operations }: Row, operation: string) =>
  operations.length === 0 ||
  operations.some((name) => name === operation || (name.endsWith('.*') && operation.startsWith(name.slice(0, -1))));

/** Whether the table lets this caller see this word in the answer of this operation. */
export const isAllowed = (rows: readonly Row[], { word, caller, operation }: Sighting): boolean =>
  rows.some(
    (row) =>
      covers(row, word) &&
      isIn(row, operation) &&
      row.alternatives.some((names) => names.every((name) => caller.holds.has(name))),
  );

/** Words that no operation answers; the server keeps them for itself. */
export const isInner = (rows: readonly Row[], word: Word): boolean =>
  rows.some((row) => covers(row, word) && row.alternatives.some((names) => names.includes('nobody')));

/** The table and the plants name the same words. */
export function checkTable(rows: readonly Row[], words: readonly Word[]): void {
  for (const word of words)
    assert.ok(
      rows.some((row) => covers(row, word)),
      `docs/people.md does not say who sees the ${word.field} of a ${word.kind}`,
    );
  for (const { kind, fields } of rows)
    for (const field of fields.length ? fields : [undefined])
      assert.ok(
        words.some((word) => word.kind === kind && (field === undefined || word.field === field)),
        `docs/people.md says who sees the ${field ?? 'words'} of a ${kind}, and no such word is planted`,
      );
}
