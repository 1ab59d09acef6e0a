import { InvalidRequest, invalid } from '@atrium/contract/errors.ts';
import type { VisibleToInput } from '@atrium/contract/knowledge-bases/visible-to.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { unknownReference } from '../../settings/service.ts';
import type { Audience, Viewer } from '../ports.ts';
import { findRightsOfDocuments, findVisibleRights, type Visible } from './rights-store.ts';

/** Decides which documents a caller sees. */
export interface Visibility {
  /** For search, agents and workflows: what `visible_to` allows the person behind the caller, whatever they administer. */
  forSearch(scope: Scope, kb_id: string): Promise<readonly number[]>;
  /** For lists, counts and downloads: those who may edit knowledge bases see all, or they could not manage them. */
  forLists(scope: Scope, kb_id?: string): Promise<Visible>;
  /** The rights that documents have now, by their ids; null: everybody. Those that are gone have no entry. */
  rightsOf(
    workspace_id: string,
    documents: readonly { kb_id: string; document_id: string }[],
  ): Promise<Map<string, number | null>>;
  /** The words to store for a list of viewers; null: everybody. Refuses viewers that the workspace does not have. */
  wordsFor(scope: Scope, input: VisibleToInput, loc: readonly string[]): Promise<string[] | null>;
  /** The same for the query of an upload. */
  wordsForQuery(scope: Scope, text: string | undefined): Promise<string[] | null>;
}

const wordOf = ({ kind, id }: Viewer) => `${kind}:${id}`;

export function makeVisibility({ db, audience }: { db: Database; audience: Audience }): Visibility {
  async function findFor(scope: Scope, kb_id: string | undefined): Promise<number[]> {
    const viewers = await audience.of(scope);
    if (viewers.length === 0) return [];
    return findVisibleRights(db, { workspace_id: scope.workspace_id, kb_id }, viewers.map(wordOf));
  }

  const wordsFor: Visibility['wordsFor'] = async (scope, input, loc) => {
    if (input.some(({ kind }) => kind === 'everybody')) {
      if (input.length > 1 || input[0]?.id !== undefined)
        throw invalid([...loc, '0', 'kind'], '`everybody` stands alone and has no id', 'everybody');
      return null;
    }
    const viewers = input.map(({ kind, id }, at): Viewer => {
      if (id === undefined || kind === 'everybody')
        throw invalid([...loc, String(at), 'id'], `a ${kind} needs an id`, null);
      return { kind, id };
    });
    const known = new Set((viewers.length ? await audience.known(scope, viewers) : []).map(wordOf));
    const unknown = viewers.flatMap((viewer, at) =>
      known.has(wordOf(viewer))
        ? []
        : [unknownReference({ kind: 'record', id: viewer.id, loc: [...loc, String(at), 'id'] })],
    );
    if (unknown.length) throw new InvalidRequest(unknown);
    return [...new Set(viewers.map(wordOf))].sort();
  };

  return {
    forSearch: (scope, kb_id) => findFor(scope, kb_id),

    async forLists(scope, kb_id) {
      if (scope.actor.kind === 'system' || allows(scope.permissions, 'kbs_edit')) return 'all';
      return findFor(scope, kb_id);
    },

    async rightsOf(workspace_id, documents) {
      const rows = documents.length ? await findRightsOfDocuments(db, workspace_id, documents) : [];
      return new Map(rows.map(({ document_id, rights_id }) => [document_id, rights_id]));
    },

    wordsFor,

    async wordsForQuery(scope, text) {
      if (text === undefined || text === 'everybody') return null;
      const input =
        text === ''
          ? []
          : text.split(',').map((word) => {
              const [kind, id] = word.toLowerCase().split(':');
              return { kind: kind as Viewer['kind'], id };
            });
      return wordsFor(scope, input, ['query', 'visible_to']);
    },
  };
}
