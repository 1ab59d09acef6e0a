import type { ActorName } from '@atrium/contract/actor.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Preferences } from '@atrium/contract/preferences/schema.ts';
import type { Db } from '../../db/database.ts';
import type { Job } from '../../lib/define-job.ts';
import type { Scope } from '../../lib/scope.ts';

/** Puts jobs on their way when a transaction commits. */
export interface JobQueue {
  enqueue(tx: Db, job: Job, payload: unknown, options?: { queue?: string }): Promise<void>;
}

/** People, as far as notifications need them. */
export interface PeopleLookup {
  /** Active people who hold one of these permissions in a workspace. */
  holders(tx: Db, workspace_id: string, permissions: readonly Permission[], limit: number): Promise<string[]>;
  /** How people want to be notified, by their ids. */
  preferences(tx: Db, person_ids: readonly string[]): Promise<ReadonlyMap<string, Preferences>>;
  nameActors(scope: Scope, ids: readonly (string | null)[]): Promise<(id: string) => ActorName>;
}

/** Mails a person; undefined where no mail server is configured. */
export interface NoticeMailer {
  /** The function that is returned puts the mail on its way when its transaction commits; undefined for an inactive person. */
  prepareNotice(
    tenant_id: string,
    person_id: string,
    notice: { subject: string; lines: readonly string[] },
  ): Promise<((tx: Db) => Promise<void>) | undefined>;
}

/** Seals for an organization. */
export interface SecretBoxes {
  seal(tenant_id: string, purpose: string, plain: string): Promise<string>;
  open(tenant_id: string, purpose: string, box: string): Promise<string>;
}
