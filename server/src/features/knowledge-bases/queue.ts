import type { Db } from '../../db/database.ts';
import type { KbPlace } from './index/sync.ts';
import type { QueuedTraining } from './run-store.ts';

/** Puts the work of a base where a worker finds it, in the caller's transaction. */
export interface KbQueue {
  /** As many at once as the base allows; small documents share a job. */
  train(tx: Db, place: KbPlace, runs: readonly QueuedTraining[], at_once: number): Promise<void>;
  /** The next pages of a crawl, in so many milliseconds. */
  crawl(tx: Db, place: KbPlace & { site_id: string }, run_id: string, in_ms: number): Promise<void>;
  /** Brings the index up to date. */
  sync(tx: Db, place: KbPlace): Promise<void>;
  rebuild(tx: Db, place: KbPlace, run_id: string): Promise<void>;
  /** Looks whether a burst is over. */
  settle(tx: Db, place: KbPlace, in_ms: number): Promise<void>;
  /** Removes the tables that were made of documents that are gone. */
  dropTables(tx: Db, place: KbPlace, document_ids: readonly string[]): Promise<void>;
  /** Removes files and indexes of a base that is gone. */
  cleanUp(tx: Db, place: KbPlace & { tenant_id: string }, file_ids: readonly string[]): Promise<void>;
}
