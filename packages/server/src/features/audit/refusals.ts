import { clientNetworkOf } from '../../lib/client-network.ts';
import { type CountedWindow, makeCountedRows } from './counted-rows.ts';
import { targetsInPath } from './operation-targets.ts';
import type { Refusal } from './ports.ts';
import { shortAgent } from './recorder.ts';
import type { NewAuditRow } from './store.ts';

/** Accounts that are known, and networks of callers without one, have windows of their own up to these numbers. */
const [mostOfAccounts, mostOfNetworks] = [500, 300];
/** More of them share one window for each operation and reason, and in the end a single one. */
const mostShared = 300;

/** The refusals of a window after its first one, as one row. */
const summarize = ({ row, count, first_at, last_at, operations, people, networks }: CountedWindow): NewAuditRow => ({
  ...row,
  ...{ address: networks.size === 1 ? row.address : null },
  ...{ target_kind: null, target_id: null, parent_kind: null, parent_id: null, request_id: null },
  after: {
    operations: Object.fromEntries(operations),
    ...(people.size && { people: [...people] }),
    ...(networks.size && { networks: [...networks] }),
  },
  ...{ count, first_at, last_at },
});

function rowOf({ operation, principal, params, reason, recorder, ...origin }: Refusal, home_tenant_id: string) {
  const { person } = recorder ?? {};
  const targets = targetsInPath(operation, params);
  const [target, parent] = [targets.at(-1), targets.at(-2)];
  const actor = principal?.actor.id ? principal.actor : undefined;
  const row: NewAuditRow = {
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
  return row;
}

export interface Refusals {
  refuse(refusal: Refusal): Promise<void>;
  /** Writes the windows that are over by this time. */
  endWindows(now: number): Promise<void>;
}

/**
 * Records refusals. Those of one account, operation and reason are counted together, so that a harmless refusal hides no
 * other one; a caller without a known account is its network.
 */
export function makeRefusals(deps: { write(row: NewAuditRow): Promise<void>; home_tenant_id: string }): Refusals {
  const { write, home_tenant_id } = deps;
  const windowsOf = (most: number) => makeCountedRows({ most, write, summarize });
  const ofAccounts = windowsOf(mostOfAccounts);
  const ofNetworks = windowsOf(mostOfNetworks);
  const shared = windowsOf(mostShared);
  const rest = windowsOf(1);

  return {
    async refuse(refusal) {
      const row = rowOf(refusal, home_tenant_id);
      const { tenant_id, workspace_id, actor_id, person_id, operation, reason } = row;
      const account = actor_id || person_id;
      const own = account ? ofAccounts : ofNetworks;
      const caller = account ? `${actor_id} ${person_id}` : clientNetworkOf(refusal.address);
      const unnamed: NewAuditRow = {
        ...{ ...row, tenant_id: home_tenant_id, workspace_id: null, address: null, user_agent: null },
        ...{ actor_kind: 'nobody', actor_id: '', person_id: null, session_id: null },
      };
      await (own.add([tenant_id, workspace_id, caller, operation, reason].join(' '), row) ||
        shared.add(`${operation} ${reason}`, row, unnamed) ||
        rest.add('', row, { ...unnamed, operation: 'audit.refusals', reason: null }));
    },
    async endWindows(now) {
      for (const windows of [ofAccounts, ofNetworks, shared, rest]) await windows.endWindows(now);
    },
  };
}
