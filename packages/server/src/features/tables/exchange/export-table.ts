import { Readable } from 'node:stream';
import type { ExportQuery } from '@atrium/contract/tables/exchange/schema.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { Scope } from '../../../lib/scope.ts';
import { conditions, readFilters } from '../rows/filters.ts';
import { readPage } from '../rows/read-rows.ts';
import { readCursor, readOrder } from '../rows/row-order.ts';
import type { Rows } from '../rows/row-service.ts';
import type { Row } from '../rows/row-source.ts';

export type TableExport = ReturnType<typeof makeTableExport>;

const pageSize = 1000;

const asText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** A spreadsheet runs what begins so. */
const formula = /^[=+\-@\t\r]/;

function cellOf(value: unknown, escape_formulas: boolean): string {
  const text = asText(value);
  const safe = escape_formulas && typeof value !== 'number' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function makeTableExport({ rows }: { rows: Pick<Rows, 'reading'> }) {
  /** Page by page, so that neither the table nor a connection is held while somebody reads slowly. */
  async function* pages(scope: Scope, id: string, query: ExportQuery) {
    const filters = readFilters(query.filter, ['query', 'filter']);
    let cursor: string | null = null;
    do {
      const from = cursor;
      const page: { names: string[]; items: Row[]; next_cursor: string | null } = await rows.reading(
        scope,
        id,
        async (db, source) => {
          const where = conditions(source, filters, ['query', 'filter']);
          const order = readOrder(source, query.sort, ['query', 'sort']);
          const after = from === null ? undefined : readCursor(order, from, ['query', 'cursor']);
          const read = await readPage(db, source, { where, order, after, size: pageSize });
          return { names: ['id', ...source.columns.map(({ name }) => name)], ...read };
        },
      );
      yield page;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  return {
    /** What is wrong with the request is told before the first byte is sent. */
    async csv(scope: Scope, id: string, query: ExportQuery): Promise<RawAnswer> {
      const source = pages(scope, id, query);
      const first = await source.next();
      const names = first.value?.names ?? [];
      const line = (row: Row) => `${names.map((name) => cellOf(row[name], query.escape_formulas)).join(',')}\r\n`;
      async function* text() {
        yield `${names.join(',')}\r\n`;
        for (let page = first; page.value; page = await source.next()) {
          // Half of a file with other columns would be taken for the whole of it.
          if (page.value.names.join(',') !== names.join(',')) throw new Error('The columns changed during an export');
          yield page.value.items.map(line).join('');
        }
      }
      return new RawAnswer(Readable.from(text()), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="table-${id}.csv"`,
      });
    },
  };
}
