import { Readable } from 'node:stream';
import type {
  AuditEntry,
  AuditExportQuery,
  AuditFilters,
  AuditPage,
  AuditQuery,
  AuditReport,
} from '@atrium/contract/audit/schema.ts';
import { csvLine } from '@atrium/contract/csv/csv-line.ts';
import { conflict, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';
import { makeAuditFollower } from './follower.ts';
import type { AuditTrail } from './ports.ts';
import { type AuditCursor, type AuditFilter, listEntries } from './read-store.ts';
import { makeReads } from './reads.ts';
import { makeRecorders } from './recorder.ts';
import { makeRefusals } from './refusals.ts';
import { insertRow, type NewAuditRow } from './store.ts';
import { verifyChains } from './verify-chains.ts';

export { verifyChains } from './verify-chains.ts';

/** Reads the audit log. */
export interface AuditLog {
  list(scope: Scope, query: AuditQuery): Promise<AuditPage>;
  export(scope: Scope, query: AuditExportQuery): Promise<RawAnswer>;
  verify(scope: Scope, group_id: string | undefined): Promise<AuditReport>;
}

/** The part that writes, for the HTTP server and for closing. */
export interface AuditWriter extends AuditTrail {
  /** A row was committed outside of a request. */
  wake(): void;
  /** Writes what is counted and links what there is. */
  close(): Promise<void>;
}

export function makeAuditWriter(deps: { db: Database; log: Log; home_tenant_id: string }): AuditWriter {
  const follower = makeAuditFollower(deps);
  const onCommit = () => follower.wake();
  const { db, log, home_tenant_id } = deps;
  async function write(row: NewAuditRow): Promise<void> {
    await db.run(insertRow(row));
    onCommit();
  }
  /** Refusing works without the log: a row that can't be written is reported to the operator instead. */
  const tryWrite = (row: NewAuditRow) =>
    write(row).catch((error) => log.warn('audit.not-written', { operation: row.operation, ...errorFields(error) }));
  const refusals = makeRefusals({ write: tryWrite, home_tenant_id });
  const reads = makeReads({ write });
  async function endWindows(now: number): Promise<void> {
    await refusals.endWindows(now);
    await reads.endWindows(now).catch((error) => log.warn('audit.not-written', errorFields(error)));
  }
  const timer = setInterval(() => void endWindows(Date.now()), 15_000).unref();
  return {
    ...makeRecorders({ ...deps, onCommit }),
    refuse: refusals.refuse,
    recordRead: reads.record,
    wake: onCommit,
    async close() {
      clearInterval(timer);
      await endWindows(Number.POSITIVE_INFINITY);
      await follower.close();
    },
  };
}

const cursorOf = ({ at, id }: AuditEntry) => Buffer.from(`${at} ${id}`).toString('base64url');

function readCursor(cursor: string | undefined): AuditCursor | undefined {
  if (cursor === undefined) return undefined;
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) &&
    !Number.isNaN(Date.parse(at)) &&
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  )
    return { at, id };
  const msg = 'Cursor should be the next_cursor of a page';
  throw new InvalidRequest([
    { loc: ['query', 'cursor'], msg, type: 'value_error', input: cursor, ctx: { error: msg } },
  ]);
}

const exportPage = 500;
const csvColumns = [
  ...['at', 'group_id', 'operation', 'outcome', 'reason', 'actor_kind', 'actor_id', 'actor_name', 'person_id'],
  ...['person_name', 'session_id', 'api_key_id', 'target_kind', 'target_id', 'target_name', 'parent_kind', 'parent_id'],
  ...[
    'before',
    'after',
    'address',
    'user_agent',
    'request_id',
    'count',
    'first_at',
    'last_at',
    'id',
    'position',
    'hash',
  ],
];

function csvOf(entry: AuditEntry): string {
  const { actor, person, target, parent } = entry;
  const flat: Record<string, unknown> = {
    ...entry,
    ...{ actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name },
    ...{ person_id: person?.id, person_name: person?.name },
    ...{ target_kind: target?.kind, target_id: target?.id, target_name: target?.name },
    ...{ parent_kind: parent?.kind, parent_id: parent?.id },
  };
  return csvLine(csvColumns.map((name) => flat[name]));
}

export function makeAuditLog(deps: {
  db: Database;
  /** The id, where the caller may act in the workspace; else "not found". */
  reach(scope: Scope, group_id: string): Promise<string>;
}): AuditLog {
  const { db, reach } = deps;
  let isVerifying = false;

  /** An administrator of the organization sees all of it, any other caller one workspace. */
  async function filterOf(scope: Scope, { group_id, organization, ...rest }: AuditFilters): Promise<AuditFilter> {
    const isWhole = scope.tenant_admin && allows(scope.permissions, 'org:admin');
    const named = group_id === undefined ? undefined : await reach(scope, group_id);
    const workspace_id = named ?? (isWhole ? (organization ? null : undefined) : scope.workspace_id);
    return { ...rest, tenant_id: scope.tenant_id, workspace_id };
  }

  async function* entries(filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
    for (let cursor: AuditCursor | undefined; ; ) {
      const page = await listEntries(db, filter, exportPage, cursor);
      const rows = page.slice(0, exportPage);
      yield rows;
      if (page.length <= exportPage) return;
      cursor = rows.at(-1);
    }
  }

  return {
    async list(scope, { cursor, size, ...filters }) {
      const rows = await listEntries(db, await filterOf(scope, filters), size, readCursor(cursor));
      const items = rows.slice(0, size);
      const last = items.at(-1);
      return { items, next_cursor: rows.length > size && last ? cursorOf(last) : null };
    },

    async export(scope, { format, ...filters }) {
      const filter = await filterOf(scope, filters);
      scope.audit?.note({ workspace_id: filter.workspace_id ?? null, after: { format, ...filters } });
      const isCsv = format === 'csv';
      async function* text() {
        if (isCsv) yield csvLine(csvColumns);
        for await (const rows of entries(filter))
          yield rows.map((entry) => (isCsv ? csvOf(entry) : `${JSON.stringify(entry)}\n`)).join('');
      }
      return new RawAnswer(Readable.from(text()), {
        'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="audit.${format}"`,
      });
    },

    async verify(scope, group_id) {
      const { workspace_id } = await filterOf(scope, { group_id, organization: false, reads: false });
      if (isVerifying) throw conflict('Another verification is running', 'verification_running');
      isVerifying = true;
      try {
        return await verifyChains(db, scope.tenant_id, workspace_id ?? undefined);
      } finally {
        isVerifying = false;
      }
    },
  };
}
