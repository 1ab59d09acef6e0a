import { readCsv } from '../../lib/read-csv.ts';
import { RowsTable } from './rows-table.tsx';

const mostRows = 500;

/** A CSV file as a table: the first row names the columns. */
export function CsvTable({ name, text }: { name: string; text: string }) {
  const [head = [], ...rows] = readCsv(text, mostRows + 2);
  return <RowsTable name={name} head={head} rows={rows.slice(0, mostRows)} count={rows.length} />;
}
