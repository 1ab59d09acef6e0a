import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';

/** Names a knowledge base. */
export interface KbRef {
  workspace_id: string;
  kb_id: string;
}

/** A training that waits for a worker. */
export interface QueuedTraining {
  id: string;
  document_id: string;
  /** The size of the file; null: the document has to be fetched first. */
  bytes: number | null;
}

/** Queues work on a knowledge base in the caller's transaction. */
export interface KbQueue {
  /** Trains `at_once` documents in parallel at most; small documents share a job. */
  train(tx: Db, place: KbRef, runs: readonly QueuedTraining[], at_once: number): Promise<void>;
  /** Crawls the next pages of a site, in so many milliseconds. */
  crawl(tx: Db, place: KbRef & { site_id: string }, run_id: string, in_ms: number): Promise<void>;
  /** Brings the index up to date. */
  sync(tx: Db, place: KbRef): Promise<void>;
  /** As `sync`, outside of a transaction; calls in quick succession are joined. */
  syncSoon(place: KbRef): void;
  rebuild(tx: Db, place: KbRef, run_id: string): Promise<void>;
  /** Takes the words of removed passages out of the files of large indexes, for all removals of some minutes together. */
  purge(tx: Db, place: KbRef): Promise<void>;
  /** Checks whether all trainings are done. */
  settle(tx: Db, place: KbRef, in_ms: number): Promise<void>;
  /** Removes the tables made of deleted documents. */
  dropTables(tx: Db, place: KbRef, document_ids: readonly string[]): Promise<void>;
  /** Removes the files and indexes of a deleted knowledge base. */
  cleanUp(tx: Db, place: KbRef & { tenant_id: string }, file_ids: readonly string[]): Promise<void>;
}

/** Who sees a document: a role, a group of people or a person. */
export interface Viewer {
  kind: 'role' | 'user_group' | 'person';
  id: string;
}

/** The people, groups and roles of a workspace. */
export interface Audience {
  /** The person behind the caller with their groups and roles; of a key without a person its role. */
  of(scope: Scope): Promise<Viewer[]>;
  /** Those of these that exist for the workspace of the scope. */
  known(scope: Scope, viewers: readonly Viewer[]): Promise<Viewer[]>;
}

/** Those of these viewers that documents of an archive can be for: roles of the workspace, people and groups of the organization. */
export type KnownViewers = (scope: Scope, viewers: readonly Viewer[]) => Promise<Viewer[]>;

/** Stores the rows of documents as tables; the tables feature implements it. */
export interface SheetTables {
  /** Makes one table for each sheet and replaces those made of the document before. Returns their ids. */
  put(
    scope: Scope,
    origin: { kb_id: string; document_id: string },
    sheets: readonly { name: string; rows: readonly (readonly string[])[] }[],
  ): Promise<string[]>;
  remove(scope: Scope, origin: { kb_id: string; document_id?: string }): Promise<void>;
}
