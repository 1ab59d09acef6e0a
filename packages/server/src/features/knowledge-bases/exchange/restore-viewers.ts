import type { VisibleTo } from '@atrium/contract/knowledge-bases/visible-to.ts';
import type { ImportTarget } from '../../personal-data/ports.ts';
import type { KnownViewers, Viewer } from '../ports.ts';

/** Reports the viewers that were taken off a document or folder. */
type Report = (detail: string) => void;

/**
 * The words to store for `visible_to` of an archive; null: everybody. Viewers that are not known here are taken off, which
 * shows a document to fewer people: to those alone who may edit the knowledge base when none is left.
 */
export async function restoreViewers(
  { scope, idOf }: Pick<ImportTarget, 'scope' | 'idOf'>,
  known: KnownViewers,
  visible_to: VisibleTo,
  report: Report,
): Promise<string[] | null> {
  if (visible_to === null) return null;
  const wordOf = ({ kind, id }: Viewer) => `${kind}:${id.toLowerCase()}`;
  const wanted = visible_to.map((viewer) => ({
    viewer,
    here: { kind: viewer.kind, id: (viewer.kind === 'role' && idOf('role', viewer.id)) || viewer.id },
  }));
  const found = wanted.length
    ? await known(
        scope,
        wanted.map(({ here }) => here),
      )
    : [];
  const words = new Set(found.map(wordOf));
  const lost = wanted.filter(({ here }) => !words.has(wordOf(here)));
  if (lost.length) report(`visible_to: ${lost.map(({ viewer }) => `${viewer.kind} ${viewer.id}`).join(', ')}`);
  return [...words].sort();
}
