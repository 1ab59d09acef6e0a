import { done } from '@atrium/contract/page.ts';
import {
  deleteRow,
  getRow,
  insertRows,
  listRows,
  totalRows,
  updateRow,
  upsertRows,
} from '@atrium/contract/tables/row-operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Rows } from '../ports.ts';
import type { VersionedRow } from './row-source.ts';

/** The version is a header: a row has only the keys of its columns. */
const presentVersioned = ({ row, etag }: VersionedRow) =>
  new RawAnswer(JSON.stringify(row), {
    'content-type': 'application/json; charset=utf-8',
    ...(etag !== null && { etag: `"${etag}"` }),
  });

export const rowRoutes = (rows: Rows): Route[] => [
  handle(listRows, (scope, { params, query }) => rows.list(scope, params.table_id, query)),
  handle(totalRows, (scope, { params, query }) => rows.total(scope, params.table_id, query)),
  handle(
    insertRows,
    async (scope, { params, body }): Promise<Awaited<ReturnType<Rows['insert' | 'insertMany']>>> =>
      Array.isArray(body) ? rows.insertMany(scope, params.table_id, body) : rows.insert(scope, params.table_id, body),
  ),
  handle(upsertRows, (scope, { params, body }) => rows.upsert(scope, params.table_id, body)),
  handle(getRow, (scope, { params }) => rows.find(scope, params.table_id, params.row_id), presentVersioned),
  handle(
    updateRow,
    (scope, { params, body }) => rows.save(scope, params.table_id, params.row_id, body),
    presentVersioned,
  ),
  handle(deleteRow, async (scope, { params }) => {
    await rows.remove(scope, params.table_id, params.row_id);
    return done;
  }),
];
