import type { Database } from '../../../db/database.ts';
import { type Rights, within } from '../../../execution/effective-permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import { rightsOf } from './version-store.ts';

/** Nobody looks on while these have an agent answer: whoever set them up does so by their permissions. */
const unattended = new Set<Scope['actor']['kind']>(['trigger', 'channel', 'link']);

/**
 * A trigger or a deployment acts for whoever made it, by words that others may have put into the agent since. So it may do
 * no more than those who answer for the version that it runs.
 */
export const limitToVersionAuthor =
  (db: Database) =>
  async (scope: Scope, version_id: string | null): Promise<Scope> => {
    if (version_id === null || !unattended.has(scope.actor.kind)) return scope;
    return within(scope, (await rightsOf(db, scope.workspace_id, version_id)) as Rights);
  };
