import { AppError } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Files } from '../files/service.ts';
import type { ReferenceLookup } from '../settings/ports.ts';
import { agentsById, agentsByName } from './store.ts';

export const makeAgentLookup = ({ db }: { db: Database }): ReferenceLookup => ({
  names: async (scope, ids) =>
    new Map((await agentsById(db, scope.workspace_id, ids)).map(({ id, name }) => [id, name])),
  byName: (scope, names) => agentsByName(db, scope.workspace_id, names),
});

/** Each name is a search of its own: of more than these the rest is reported missing. */
const mostNames = 500;

/** Files have no lookup of their own yet, so it is made of what their service can do. */
export function makeFileLookup(files: Pick<Files, 'get' | 'list'>): ReferenceLookup {
  async function nameOf(scope: Scope, id: string): Promise<[string, string][]> {
    try {
      return [[id, (await files.get(scope, id)).filename]];
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return [];
      throw error;
    }
  }

  async function called(scope: Scope, name: string): Promise<{ id: string; name: string }[]> {
    const found: { id: string; name: string }[] = [];
    // Two are enough to know that the name does not tell which.
    for (let page = 1, pages = 1; page <= pages && found.length < 2; page++) {
      const answer = await files.list(scope, { page, size: 100, search: name });
      found.push(...answer.items.flatMap(({ id, filename }) => (filename === name ? [{ id, name }] : [])));
      pages = answer.pages;
    }
    return found;
  }

  return {
    names: async (scope, ids) => new Map((await Promise.all(ids.map((id) => nameOf(scope, id)))).flat()),
    byName: async (scope, names) => {
      const found: { id: string; name: string }[] = [];
      for (const name of names.slice(0, mostNames)) found.push(...(await called(scope, name)));
      return found;
    },
  };
}
