/** Locks that all processes of a machine share. */
export interface Locks {
  /** Waits for the lock; false when it did not become free in time. */
  take(key: string, wait_ms: number): Promise<boolean>;
  release(key: string): void;
}
