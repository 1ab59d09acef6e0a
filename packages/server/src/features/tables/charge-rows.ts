/** What rows need of the quota of their workspace. */
export interface RowStorage {
  /** Throws 409 `quota_reached` when so many bytes more do not fit. Not in a transaction: it may wait for a connection. */
  requireRoom(workspace_id: string, bytes: number): Promise<void>;
  /** Counts bytes that are about to be stored; throws when they do not fit by what is known. */
  charge(workspace_id: string, bytes: number): void;
}

const bytesOf = (rows: unknown) => Buffer.byteLength(JSON.stringify(rows));

/** Counts rows for the quota of the workspace, before the transaction that stores them. */
export async function chargeRows(storage: RowStorage, workspace_id: string, rows: unknown): Promise<void> {
  await storage.requireRoom(workspace_id, 0);
  storage.charge(workspace_id, bytesOf(rows));
}

/** The same within a transaction, which must not wait for another connection. */
export const chargeMoreRows = (storage: RowStorage, workspace_id: string, rows: unknown): void =>
  storage.charge(workspace_id, bytesOf(rows));
