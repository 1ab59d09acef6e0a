import type { Scope } from '../../lib/scope.ts';
import { conversationOf, maySee } from './may-see.ts';
import type { RecordRights } from './ports.ts';
import type { EventRow } from './store.ts';

const ofAllDocuments = new Set([
  ...['knowledge_base.status', 'knowledge_base.documents_changed', 'ingestion_run.progress'],
]);

/** The events of a batch that a caller may see now. */
export type SelectEvents = (scope: Scope) => Promise<readonly EventRow[]>;

/**
 * Prepares the check of one batch of events for many readers. The rights of its documents are read once, and what a
 * person sees of hidden ones once for each person.
 */
export async function makeEventSelection(
  rights: RecordRights,
  workspace_id: string,
  rows: readonly EventRow[],
): Promise<SelectEvents> {
  const documents = rows.flatMap(({ kind, target_id, parent_id }) =>
    kind === 'document' && target_id && parent_id ? [{ kb_id: parent_id, document_id: target_id }] : [],
  );
  const conversations = [...new Set(rows.flatMap((row) => conversationOf(row) ?? []))];
  const [rightsNow, shared] = await Promise.all([
    rights.rightsOf(workspace_id, documents),
    rights.readersOf(workspace_id, conversations),
  ]);
  const visibleTo = new Map<string, ReturnType<RecordRights['visible']>>();

  const rightsOf = ({ event, kind, target_id, hidden }: EventRow): number | 'gone' | null => {
    // They tell of all documents of a knowledge base: where it has hidden ones, they are for those who see all of it.
    if (ofAllDocuments.has(event)) return hidden ? 'gone' : null;
    if (kind !== 'document' || target_id === null) return null;
    const known = rightsNow.get(target_id);
    // One that was deleted has its rights no longer: what it was says who may hear of it.
    return known !== undefined ? known : hidden ? 'gone' : null;
  };
  const isAnyHidden = rows.some((row) => rightsOf(row) !== null);

  return async (scope) => {
    const seen = rows.filter((row) => maySee(scope, row, shared));
    if (!isAnyHidden) return seen;
    const viewer = `${scope.actor.id} ${scope.person_id ?? ''}`;
    const visible = visibleTo.get(viewer) ?? rights.visible(scope);
    visibleTo.set(viewer, visible);
    const sets = await visible;
    return seen.filter((row) => {
      const own = rightsOf(row);
      return own === null || sets === 'all' || (own !== 'gone' && sets.includes(own));
    });
  };
}
