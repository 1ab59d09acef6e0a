import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { PassageCreate, PassagePatch } from '@atrium/contract/knowledge-bases/passage-operations.ts';
import type { KbChunk } from '@atrium/contract/knowledge-bases/schema.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActor } from '../../actors/service.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import { indexText } from '../index/index-text.ts';
import { embedChunks } from '../ingest/embed-chunks.ts';
import { bytesOf } from '../ingest/training-store.ts';
import type { KbQueue, KbRef } from '../ports.ts';
import type { Visibility } from '../rights/visible.ts';
import type { KnowledgeBases } from '../service.ts';
import { type BaseRow, setEmbeddingHealth } from '../store.ts';
import * as store from './passage-store.ts';

/** Passages that people switch off, edit and add. */
export interface Passages {
  add(scope: Scope, kb_id: string, document_id: string, input: PassageCreate): Promise<KbChunk>;
  update(scope: Scope, kb_id: string, id: string, patch: PassagePatch): Promise<KbChunk>;
  remove(scope: Scope, kb_id: string, id: string): Promise<void>;
}

/** What the audit log keeps of a passage: its readers may not be those of the document. */
const audited = ({ enabled, content }: { enabled: boolean; content: string }) => ({
  enabled,
  characters: content.length,
});

export function makePassages(deps: {
  db: Database;
  bases: Pick<KnowledgeBases, 'find'>;
  embedders: Embedders;
  anonymizers: KbAnonymizers;
  queue: Pick<KbQueue, 'sync'>;
  visibility: Pick<Visibility, 'forLists'>;
}): Passages {
  const { db, bases, embedders, queue, visibility } = deps;

  /** The vector of a text by the model of the knowledge base; none when the model fails, as in trainings. */
  async function embed(scope: Scope, base: BaseRow, passage: Parameters<typeof indexText>[0]): Promise<store.Vector> {
    const settings = effective(base.settings);
    const none = { bytes: null, model: null };
    if (embedders.effectiveNames(settings.embedding_model).length === 0) return none;
    const embedder = await embedders.resolve(scope, settings.embedding_model);
    const { error, detected, vectors } =
      'reason' in embedder
        ? { error: embedder.reason, detected: null, vectors: [] }
        : await embedChunks(embedder, [indexText(passage)], {
            batch: 1,
            dimension: settings.embedding_dimension,
            anonymizer: deps.anonymizers.embedding(settings),
            signal: scope.signal,
          });
    await setEmbeddingHealth(db, base.group_id, base.id, { error, detected });
    const [vector] = vectors;
    return vector && !('reason' in embedder) ? { bytes: bytesOf(vector), model: embedder.name } : none;
  }

  /** Refuses a document that is trained: its passages are about to be replaced. */
  async function lockTrained(tx: Db, scope: Scope, place: KbRef, document_id: string) {
    const document = await store.lockDocument(tx, place, document_id, await visibility.forLists(scope, place.kb_id));
    if (!document) throw notFound('document');
    if (document.status === 'training')
      throw conflict('The document is being trained: change its passages afterwards', 'document_in_training');
    if (document.live_run === null) throw conflict('The document has not been trained yet', 'document_not_trained');
    return { ...document, live_run: document.live_run };
  }

  async function find(on: Db, scope: Scope, place: KbRef, id: string): Promise<store.LivePassage> {
    const passage = await store.findPassage(on, place, id, await visibility.forLists(scope, place.kb_id));
    if (!passage) throw notFound('passage');
    return passage;
  }
  const present = (on: Db, scope: Scope, passage: store.LivePassage) =>
    withActor(on, scope, omit(passage, ['seen_by', 'document_name']), 'changed_by');

  async function follow(tx: Db, place: KbRef, document_id: string, id: string): Promise<void> {
    await store.recordPassageChange(tx, place, document_id, id);
    await queue.sync(tx, place);
  }

  return {
    async add(scope, kb_id, document_id, { content, headings = [], page = null, start = null }) {
      const base = await bases.find(scope, kb_id);
      const place = { workspace_id: scope.workspace_id, kb_id };
      const { name } = await lockTrained(db, scope, place, document_id);
      const vector = await embed(scope, base, { name, headings, content, context: '', questions: [] });
      const id = newId();
      return db.transaction(scope, async (tx) => {
        const { live_run: run_id } = await lockTrained(tx, scope, place, document_id);
        await store.insertPassage(tx, place, {
          ...{ id, document_id, run_id, content, headings, page: page ?? null, start: start ?? null },
          ...{ changed_by: scope.actor.id, vector },
        });
        await follow(tx, place, document_id, id);
        const made = await find(tx, scope, place, id);
        scope.audit?.note({ target: { kind: 'kb_document', id: document_id, name }, after: audited(made) });
        return present(tx, scope, made);
      });
    },

    async update(scope, kb_id, id, patch) {
      const base = await bases.find(scope, kb_id);
      const place = { workspace_id: scope.workspace_id, kb_id };
      const seen = await find(db, scope, place, id);
      const isEdit = patch.content !== undefined && patch.content !== seen.content;
      if (isEdit && seen.seen_by !== null)
        throw conflict('This passage is a picture: it can be switched off, not edited', 'picture_passage');
      const vector = isEdit
        ? await embed(scope, base, { ...seen, content: patch.content ?? seen.content, name: seen.document_name })
        : undefined;
      return db.transaction(scope, async (tx) => {
        await lockTrained(tx, scope, place, seen.document_id);
        const before = await find(tx, scope, place, id);
        scope.save_check?.saw({
          ...{ etag: before.etag, updated_at: before.changed_at, updated_by: before.changed_by },
        });
        const content = patch.content ?? before.content;
        const read = before.original ?? before.content;
        await store.updatePassage(tx, place, id, {
          content,
          original: before.added || content === read ? null : read,
          enabled: patch.enabled ?? before.enabled,
          changed_by: scope.actor.id,
          vector,
        });
        await follow(tx, place, seen.document_id, id);
        const after = await find(tx, scope, place, id);
        scope.audit?.note({
          target: { kind: 'kb_document', id: seen.document_id, name: seen.document_name },
          ...{ before: audited(before), after: audited(after) },
        });
        return present(tx, scope, after);
      });
    },

    async remove(scope, kb_id, id) {
      await bases.find(scope, kb_id);
      const place = { workspace_id: scope.workspace_id, kb_id };
      await db.transaction(scope, async (tx) => {
        const passage = await find(tx, scope, place, id);
        if (!passage.added)
          throw conflict('This passage is part of the document: switch it off instead', 'passage_of_document');
        const { name } = await lockTrained(tx, scope, place, passage.document_id);
        await store.deletePassage(tx, place, id);
        await follow(tx, place, passage.document_id, id);
        scope.audit?.note({
          target: { kind: 'kb_document', id: passage.document_id, name },
          before: audited(passage),
        });
      });
    },
  };
}
