import type { Database } from '../../../db/database.ts';
import { within } from '../../../execution/effective-permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import { rightsOf } from './version-store.ts';

/** Actors that run agents without a person watching, with the permissions of the key that set them up. */
const unattended = new Set<Scope['actor']['kind']>(['trigger', 'channel', 'link']);

/**
 * A trigger or a deployment acts for the key that created it, by instructions that other keys may have put into the agent
 * since. So it gets no more permissions than the authors of the version that it runs.
 */
export const limitToVersionAuthor =
  (db: Database) =>
  async (scope: Scope, version_id: string | null): Promise<Scope> => {
    if (version_id === null || !unattended.has(scope.actor.kind)) return scope;
    return within(scope, await rightsOf(db, scope.workspace_id, version_id));
  };
