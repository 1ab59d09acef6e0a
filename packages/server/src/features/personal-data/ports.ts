import type { FollowUp } from '@atrium/contract/personal-data/schema.ts';
import type { WorkspaceCreate } from '@atrium/contract/workspaces/schema.ts';
import type { z } from 'zod';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';

/** The accounts of people, as far as erasures and exports need them. */
export interface Accounts {
  /** Fails as not found for a person whom the organization does not have. */
  get(scope: Scope, id: string): Promise<unknown>;
  updateIn(tx: Db, scope: Scope, id: string, patch: { active: false }): Promise<unknown>;
}

/** The person whose data is erased or exported. */
export interface DataSubject {
  tenant_id: string;
  person_id: string;
  name: string;
  /** The ids that the person has acted by: their own, and those of their keys. */
  actor_ids: readonly string[];
  /** All workspaces of the organization: a person may have left one that their conversations are in. */
  workspace_ids: readonly string[];
  /** The person in a workspace, to read what they may read. */
  scopeIn(workspace_id: string): Scope;
}

/** A file of an archive. */
export interface ArchiveEntry {
  name: string;
  content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
}

/** The records of one feature that belong to people. */
export interface PersonalRecords {
  /** Names them in reports. */
  kind: string;
  /** What an archive has of them; `count` is called for each record. */
  entries(person: DataSubject, count: () => void): AsyncIterable<ArchiveEntry>;
  /** Deletes them; how many there were. Called again after a crash. */
  erase(person: DataSubject): Promise<Record<string, number>>;
}

/** The workspaces, as far as exports and imports need them. */
export interface ArchivedWorkspaces {
  /** Fails as not found for a workspace that the caller may not administer. */
  reach(scope: Scope, id: string): Promise<string>;
  get(scope: Scope, id: string): Promise<{ id: string; name: string; description: string | null; pii_allow: string[] }>;
  names(tenant_id: string): Promise<ReadonlyMap<string, string>>;
  create(scope: Scope, input: WorkspaceCreate, id: string): Promise<unknown>;
  remove(scope: Scope, id: string): Promise<void>;
}

/** Stores a file in the workspace of a scope. */
export interface FileSaver {
  save(scope: Scope, input: { filename: string; stream: AsyncIterable<Uint8Array> }): Promise<{ id: string }>;
}

/** Where the records of an archive go. */
export interface ImportTarget {
  scope: Scope;
  /** The new id of a record of the archive; undefined for a record that the archive does not have. */
  idOf(kind: string, id: string): string | undefined;
  /** A text in which every id of the archive is the new one. */
  rewriteIds(text: string): string;
  /** Reports what is left to do. */
  note(entry: FollowUp): void;
  /** The contents of a record in batches of bounded size, with the new ids. */
  contentsOf<C>(kind: string, id: string, schema: z.ZodType<C>): AsyncIterable<C[]>;
}

/** The records of one feature that belong to an archive of a workspace. */
export interface WorkspaceRecords<T = unknown> {
  /** Names them in reports and in the archive. */
  kind: string;
  /** A record of the archive. The archive may come from anywhere. */
  schema: z.ZodType<T>;
  /** The records of a workspace without their secrets. */
  list(workspace_id: string): AsyncIterable<T>;
  /** What a record has too much of for the memory, such as rows: an entry of its own, `<kind of the record>/<id>.ndjson`. */
  contents?: { kind: string; list(workspace_id: string, record: T): AsyncIterable<object> };
  /** The ids of a record that others may refer to. */
  idsOf(record: T): { kind: string; id: string }[];
  /** The files that a record is made of: they are in the archive whoever may read them, and imported with the record alone. */
  filesOf?(record: T): string[];
  /** Why a record can not be imported; it is left out then. Ids are those of records of earlier kinds. */
  refuse(scope: Scope, record: T, idOf: ImportTarget['idOf']): Promise<string | undefined>;
  nameOf(record: T): string;
  restore(target: ImportTarget, records: readonly T[]): Promise<void>;
}

/** Forgets the type of the records, which the schema tells again. */
export const defineWorkspaceRecords = <T>(records: WorkspaceRecords<T>): WorkspaceRecords =>
  records as unknown as WorkspaceRecords;
