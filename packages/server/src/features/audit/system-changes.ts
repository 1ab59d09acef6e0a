import type { Db } from '../../db/database.ts';
import { insertRow } from './store.ts';

/** A change that the platform itself makes, in a job. */
export interface SystemChange {
  tenant_id: string;
  /** Null: of the organization. */
  workspace_id: string | null;
  /** The name of the job or of what it did. */
  operation: string;
  target: { kind: string; id: string };
  before?: Readonly<Record<string, unknown>> | null;
  after?: Readonly<Record<string, unknown>> | null;
}

/** Records a change of the platform in the transaction that makes it. */
export const recordSystemChange = (
  tx: Db,
  { tenant_id, workspace_id, operation, target, before, after }: SystemChange,
) =>
  tx.run(
    insertRow({
      ...{ tenant_id, workspace_id, operation, outcome: 'done', reason: null },
      ...{ actor_kind: 'system', actor_id: 'system', person_id: null, session_id: null },
      ...{ target_kind: target.kind, target_id: target.id, parent_kind: null, parent_id: null },
      ...{ before: before ?? null, after: after ?? null, address: null, user_agent: null, request_id: null },
      ...{ count: 1, first_at: null, last_at: null },
    }),
  );
