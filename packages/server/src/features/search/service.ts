import { invalid } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { type SearchAnswer, type SearchQuery, searchTypes } from '@atrium/contract/search/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { markPiece, markText } from './mark-text.ts';
import type { Found, SearchSource, SearchText } from './ports.ts';

export { makeCatalogueSources } from './catalogue-sources.ts';

export interface Search {
  find(scope: Scope, query: SearchQuery): Promise<SearchAnswer>;
}

/** More words than anybody types; each one costs a lookup. */
const mostWords = 10;

function readText(sent: string): SearchText {
  const q = sent.trim().toWellFormed();
  const words = q
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  return { q, words: [...new Set(words)].slice(0, mostWords) };
}

function readTypes(sent: string | undefined): ReadonlySet<string> {
  if (sent === undefined) return new Set(searchTypes);
  const types = sent.split(',').map((type) => type.trim());
  for (const type of types)
    if (!(searchTypes as readonly string[]).includes(type))
      throw invalid(['query', 'types'], `there is no such type; give some of ${searchTypes.join(', ')}`, type);
  return new Set(types);
}

function presentHit({ title, text, target }: Found, asked: SearchText) {
  const marked = markText(title, asked);
  const piece = text === null ? null : markPiece(text, asked);
  return { title: marked, text: piece && (piece.marks.length || !marked.marks.length) ? piece : null, target };
}

/** Searches all sources side by side. Each one knows what the caller may see. */
export function makeSearch(sources: readonly SearchSource[]): Search {
  return {
    async find(scope, { q, types, limit }) {
      const asked = readText(q);
      const wanted = readTypes(types);
      const allowed = searchTypes.flatMap((type) =>
        sources.filter(
          (source) =>
            source.type === type &&
            wanted.has(type) &&
            (source.permission === null || allows(scope.permissions, source.permission)),
        ),
      );
      const groups = await Promise.all(
        allowed
          .filter(({ isEncrypted }) => !isEncrypted)
          .map(async (source) => {
            const found = await source.find(scope, asked, limit + 1);
            const hits = found.slice(0, limit).map((one) => presentHit(one, asked));
            return { type: source.type, hits, more: found.length > limit };
          }),
      );
      const left_out = allowed
        .filter(({ isEncrypted }) => isEncrypted)
        .map(({ type }) => ({
          ...{ type, reason: 'encrypted' as const },
          message: `The ${type} are encrypted in the database (ATRIUM_ENCRYPT_AT_REST) and cannot be searched`,
        }));
      return { groups: groups.filter(({ hits }) => hits.length), left_out };
    },
  };
}
