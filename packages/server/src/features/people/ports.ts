import type { PersonPatch } from '@atrium/contract/people/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import type { Job } from '../../lib/define-job.ts';
import type { Scope } from '../../lib/scope.ts';

export interface RoleSummary {
  name: string;
  permissions: readonly Permission[];
}

/** The roles of a tenant, as members need them. */
export interface RoleLookup {
  /** The permissions that a workspace role gives to members; they do not change until the transaction ends. */
  lockForMembers(tx: Db, tenant_id: string, workspace_id: string, id: string): Promise<Permission[]>;
  /** All roles by their ids. */
  summaries(on: Db, tenant_id: string): Promise<ReadonlyMap<string, RoleSummary>>;
}

/** What people own: API keys, triggers and deployments. */
export interface OwnedThings {
  /** Revokes the keys of a person who is deactivated, and pauses their triggers and deployments. */
  release(tx: Db, tenant_id: string, person_id: string): Promise<void>;
}

/** The jobs of the worker. */
export interface JobQueue {
  enqueue(tx: Db, job: Job, payload: unknown, options?: { key?: string }): Promise<void>;
}

/** Seals and opens secrets of a tenant. */
export interface SecretBoxes {
  /** Seals inside of a transaction, without another look at the database. */
  sealer(tenant_id: string): Promise<(purpose: string, plain: string) => string>;
  seal(tenant_id: string, purpose: string, plain: string): Promise<string>;
  open(tenant_id: string, purpose: string, box: string): Promise<string>;
}

/** The workspaces of a tenant, as members need them. */
export interface WorkspaceLookup {
  /** The names of all workspaces by their ids, the oldest first. */
  names(tenant_id: string): Promise<ReadonlyMap<string, string>>;
  /** The id, where the caller may act in the workspace; else "not found". */
  reach(scope: Scope, id: string): Promise<string>;
}

/** A change of an account; only a directory changes the address. */
export interface AccountPatch extends PersonPatch {
  email?: string;
}
