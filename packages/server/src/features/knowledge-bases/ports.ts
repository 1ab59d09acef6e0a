import type { Db } from '../../db/database.ts';
import type { KbRef } from './index/sync-index.ts';
import type { QueuedTraining } from './ingest/ingestion-run-store.ts';

/** Puts the work of a base where a worker finds it, in the caller's transaction. */
export interface KbQueue {
  /** As many at once as the base allows; small documents share a job. */
  train(tx: Db, place: KbRef, runs: readonly QueuedTraining[], at_once: number): Promise<void>;
  /** The next pages of a crawl, in so many milliseconds. */
  crawl(tx: Db, place: KbRef & { site_id: string }, run_id: string, in_ms: number): Promise<void>;
  /** Brings the index up to date. */
  sync(tx: Db, place: KbRef): Promise<void>;
  rebuild(tx: Db, place: KbRef, run_id: string): Promise<void>;
  /** Looks whether a burst is over. */
  settle(tx: Db, place: KbRef, in_ms: number): Promise<void>;
  /** Removes the tables that were made of documents that are gone. */
  dropTables(tx: Db, place: KbRef, document_ids: readonly string[]): Promise<void>;
  /** Removes files and indexes of a base that is gone. */
  cleanUp(tx: Db, place: KbRef & { tenant_id: string }, file_ids: readonly string[]): Promise<void>;
}
