import { makeCountedRows } from './counted-rows.ts';
import type { RecordedRead } from './ports.ts';
import { shortAgent } from './recorder.ts';
import type { NewAuditRow } from './store.ts';

/** One more window ends the oldest one: every record that is read has a row, however many there are. */
const mostWindows = 2000;

function rowOf({ operation, scope, read, ...origin }: RecordedRead): NewAuditRow {
  const { tenant_id, workspace_id, actor, person_id, session_id } = scope;
  return {
    ...{ tenant_id, workspace_id: workspace_id || null, operation: operation.id, outcome: 'read', reason: null },
    ...{ actor_kind: actor.kind, actor_id: actor.id, person_id: person_id ?? null, session_id: session_id ?? null },
    ...{ target_kind: read.id === null ? null : read.kind, target_id: read.id },
    ...{ parent_kind: read.owner_id === null ? null : 'person', parent_id: read.owner_id },
    ...{ before: null, after: read.id === null ? { kind: read.kind } : null },
    ...{ address: origin.address, user_agent: shortAgent(origin.user_agent), request_id: origin.request_id },
    ...{ count: 1, first_at: null, last_at: null },
  };
}

export interface Reads {
  /** Fails when the row can't be written, so that nothing is read without one. */
  record(read: RecordedRead): Promise<void>;
  endWindows(now: number): Promise<void>;
}

/** Records reads of what is another person's. Those of one caller, operation and record are counted together. */
export function makeReads({ write }: { write(row: NewAuditRow): Promise<void> }): Reads {
  const windows = makeCountedRows({
    ...{ most: mostWindows, write },
    summarize: ({ row, count, first_at, last_at }) => ({ ...row, request_id: null, count, first_at, last_at }),
  });
  return {
    async record(read) {
      const row = rowOf(read);
      const { tenant_id, workspace_id, actor_id, operation, target_kind, target_id } = row;
      const kind = target_kind ?? read.read.kind;
      const key = [tenant_id, workspace_id, actor_id, operation, kind, target_id].join(' ');
      for (;;) {
        const written = windows.add(key, row);
        if (written) return written;
        await windows.endOldest();
      }
    },
    endWindows: windows.endWindows,
  };
}
