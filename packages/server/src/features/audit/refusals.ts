import type { Db } from '../../db/database.ts';
import { clientNetworkOf } from '../../lib/client-network.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { targetsInPath } from './operation-targets.ts';
import type { Refusal } from './ports.ts';
import { shortAgent } from './recorder.ts';
import { insertRow, type NewAuditRow } from './store.ts';

/** The first refusal of a window is written at once; the others of the same caller and network are one row at its end. */
const windowMs = 600_000;
/** More callers at once share one window: a flood from many addresses writes few rows too. */
const mostWindows = 200;
const mostListed = 20;

interface Window {
  row: NewAuditRow;
  until: number;
  /** Refusals after the first. */
  count: number;
  first_at: string;
  last_at: string;
  operations: Map<string, number>;
  people: Set<string>;
}

/** Adds to a list of bounded length; what does not fit is counted as `other`. */
function countIn(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < mostListed ? name : 'other';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export interface Refusals {
  refuse(refusal: Refusal): Promise<void>;
  /** Writes the windows that are over by this time. */
  endWindows(now: number): Promise<void>;
  close(): Promise<void>;
}

export function makeRefusals(deps: { db: Db; log: Log; home_tenant_id: string; onCommit(): void }): Refusals {
  const { db, log, home_tenant_id, onCommit } = deps;
  const windows = new Map<string, Window>();

  /** Refusing works without the log: a row that can't be written is reported to the operator instead. */
  async function write(row: NewAuditRow): Promise<void> {
    try {
      await db.run(insertRow(row));
      onCommit();
    } catch (error) {
      log.warn('audit.not-written', { operation: row.operation, ...errorFields(error) });
    }
  }

  function rowOf({ operation, principal, params, reason, recorder, ...origin }: Refusal): NewAuditRow {
    const { person } = recorder ?? {};
    const targets = targetsInPath(operation, params);
    const [target, parent] = [targets.at(-1), targets.at(-2)];
    const actor = principal?.actor.id ? principal.actor : undefined;
    return {
      tenant_id: person?.tenant_id ?? (principal?.tenant_id || home_tenant_id),
      // Of the caller and not of the path: nobody writes to the log of another workspace.
      workspace_id: principal?.workspace_id || null,
      ...{ operation: operation.id, outcome: 'refused', reason },
      ...{ actor_kind: actor?.kind ?? 'nobody', actor_id: actor?.id ?? '' },
      ...{ person_id: person?.person_id ?? principal?.person_id ?? null, session_id: principal?.session_id ?? null },
      ...{ target_kind: target?.kind ?? null, target_id: target?.id ?? null },
      ...{ parent_kind: parent?.kind ?? null, parent_id: parent?.id ?? null },
      ...{ before: null, after: null },
      ...{ address: origin.address, user_agent: shortAgent(origin.user_agent), request_id: origin.request_id },
      ...{ count: 1, first_at: null, last_at: null },
    };
  }

  /** The refusals of a window after its first one, as one row. */
  const summaryOf = ({ row, count, first_at, last_at, operations, people }: Window): NewAuditRow => ({
    ...row,
    ...{ operation: operations.size === 1 ? ([...operations.keys()][0] as string) : 'audit.refusals' },
    ...{ target_kind: null, target_id: null, parent_kind: null, parent_id: null, request_id: null },
    after: { operations: Object.fromEntries(operations), ...(people.size && { people: [...people] }) },
    ...{ count, first_at, last_at },
  });

  async function endWindows(now: number): Promise<void> {
    for (const [key, window] of windows) {
      if (window.until > now) continue;
      windows.delete(key);
      if (window.count > 0) await write(summaryOf(window));
    }
  }
  const timer = setInterval(() => void endWindows(Date.now()), 15_000);
  timer.unref();

  return {
    async refuse(refusal) {
      const row = rowOf(refusal);
      const own = [row.tenant_id, row.workspace_id, row.actor_id, clientNetworkOf(refusal.address)].join(' ');
      const isFull = !windows.has(own) && windows.size >= mostWindows;
      const key = isFull ? 'others' : own;
      const now = new Date().toISOString();
      const window = windows.get(key);
      if (!window) {
        const shared = {
          ...{ ...row, tenant_id: home_tenant_id, workspace_id: null, address: null, user_agent: null },
          ...{ actor_kind: 'nobody', actor_id: '', person_id: null, session_id: null },
        };
        const empty = { count: 0, first_at: now, last_at: now, operations: new Map(), people: new Set<string>() };
        windows.set(key, { row: isFull ? shared : row, until: Date.now() + windowMs, ...empty });
        return write(row);
      }
      if (window.count === 0) window.first_at = now;
      window.count += 1;
      window.last_at = now;
      countIn(window.operations, row.operation);
      if (row.person_id && window.people.size < mostListed) window.people.add(row.person_id);
    },
    endWindows,
    async close() {
      clearInterval(timer);
      await endWindows(Number.POSITIVE_INFINITY);
    },
  };
}
