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
