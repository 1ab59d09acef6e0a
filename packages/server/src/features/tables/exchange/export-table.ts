import { Readable } from 'node:stream';
import { csvLine } from '@atrium/contract/csv/csv-line.ts';
import type { ExportQuery } from '@atrium/contract/tables/exchange/schema.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { Scope } from '../../../lib/scope.ts';
import { conditions } from '../rows/filter-store.ts';
import { readFilters } from '../rows/filters.ts';
import { readPage } from '../rows/read-row-store.ts';
import { readCursor, readOrder } from '../rows/row-order.ts';
import type { RowService } from '../rows/row-service.ts';
import type { Row } from '../rows/row-source.ts';

/** Exports the rows of tables. */
export interface TableExport {
  csv(scope: Scope, id: string, query: ExportQuery): Promise<RawAnswer>;
}

const pageSize = 1000;

export function makeTableExport({ rows }: { rows: Pick<RowService, 'reading'> }): TableExport {
  /** Reads page by page, so that a slow client holds neither the table nor a connection. */
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
    /** Reads the first page before it answers, so that an invalid request fails with its status. */
    async csv(scope, id, query) {
      const source = pages(scope, id, query);
      const first = await source.next();
      const names = first.value?.names ?? [];
      const { escape_formulas } = query;
      const lineOf = (row: Row) =>
        csvLine(
          names.map((name) => row[name]),
          { escape_formulas },
        );
      async function* text() {
        yield csvLine(names, { escape_formulas });
        for (let page = first; page.value; page = await source.next()) {
          // A client would take the half that was sent for the whole file.
          if (page.value.names.join(',') !== names.join(',')) throw new Error('The columns changed during an export');
          yield page.value.items.map(lineOf).join('');
        }
      }
      return new RawAnswer(Readable.from(text()), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="table-${id}.csv"`,
      });
    },
  };
}
