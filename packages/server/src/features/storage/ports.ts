/** The quota of a workspace in bytes, and what it comes from. */
export interface StorageQuota {
  /** 0: no limit. */
  bytes: number;
  /** `default`: neither the operator nor an administrator has set one. */
  source: 'workspace' | 'server' | 'default';
}

export type StorageState = 'ok' | 'near' | 'full' | 'over_default';

/** What a workspace keeps besides its files. */
export interface StoredBytes {
  message_bytes: number;
  log_bytes: number;
  row_bytes: number;
  /** Stored after the last measurement. */
  added_bytes: number;
  measured_at: string | null;
  /** The default quota does not hold for it. */
  waived: boolean;
}

/** The bytes that a workspace may keep, counted in the memory of each process so that no message waits for a statement. */
export interface StorageRoom {
  /** Counts bytes that this process is about to store. */
  add(workspace_id: string, bytes: number): void;
  /** Throws 409 `quota_reached` when so many bytes more do not fit the quota of a workspace. */
  requireRoom(workspace_id: string, bytes: number): Promise<void>;
  /** Counts bytes; throws before that when they do not fit by what the last `requireRoom` has read. Waits for nothing. */
  charge(workspace_id: string, bytes: number): void;
  /** The most bytes of files that fit the quota besides everything else (0: any), and the quota itself. */
  roomForFiles(workspace_id: string): Promise<{ most: number; quota: number }>;
}
