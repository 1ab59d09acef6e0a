import { createHash } from 'node:crypto';

/** A row of the audit log as it is hashed; `before` and `after` are the stored characters. */
export interface HashedRow {
  id: string;
  tenant_id: string;
  workspace_id: string | null;
  at: string;
  operation: string;
  outcome: 'done' | 'refused' | 'read';
  reason: string | null;
  actor_kind: string;
  actor_id: string;
  person_id: string | null;
  session_id: string | null;
  target_kind: string | null;
  target_id: string | null;
  parent_kind: string | null;
  parent_id: string | null;
  before: string | null;
  after: string | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  count: number;
  first_at: string | null;
  last_at: string | null;
}

/** What the first link of a chain follows. */
export const chainStart = Buffer.alloc(32);

export const chainOf = ({ workspace_id, tenant_id }: Pick<HashedRow, 'workspace_id' | 'tenant_id'>) =>
  workspace_id ?? tenant_id;

/** Sorted by name, so that the order of columns in a statement does not matter. */
function canonicalJson(row: HashedRow, position: number): string {
  const fields: Record<string, unknown> = { ...row, position, chain_id: chainOf(row) };
  return JSON.stringify(
    Object.keys(fields)
      .sort()
      .map((name) => [name, fields[name]]),
  );
}

/** The hash of a link: SHA-256 over the hash before it and the row at its position. */
export const hashLink = (previous: Buffer, row: HashedRow, position: number): Buffer =>
  createHash('sha256').update(previous).update(canonicalJson(row, position)).digest();
