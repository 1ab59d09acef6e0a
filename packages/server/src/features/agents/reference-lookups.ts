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

/** Each name takes a search of its own; names beyond this number are reported missing. */
const mostNames = 500;

/** A lookup for files from the verbs of their service. */
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
    // Two files are enough to know that the name is ambiguous.
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
