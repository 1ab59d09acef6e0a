import { invalid, notFound } from '@atrium/contract/errors.ts';
import type { KbCreate, KbPatch } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective, recipeOf } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Embedders } from '../embeddings/service.ts';
import { findOwnedFiles } from './documents/document-store.ts';
import { insertRun } from './ingest/ingestion-run-store.ts';
import type { KbQueue } from './ports.ts';
import { presentBase } from './present-knowledge-base.ts';
import * as store from './store.ts';

export type KnowledgeBases = ReturnType<typeof makeKnowledgeBaseService>;

/** Settings that contradict each other, found after each was right by itself. */
function checkSettings(set: SparseKbSettings): void {
  const settings = effective(set);
  for (const pair of ['default', 'pdf', 'text'] as const) {
    const [size, overlap] = [settings[`${pair}_chunk_size`], settings[`${pair}_chunk_overlap`]];
    if (overlap >= size)
      throw invalid(['body', 'settings_', `${pair}_chunk_overlap`], `it must be less than ${pair}_chunk_size`, overlap);
  }
  if (settings.fts_weight + settings.semantic_weight === 0)
    throw invalid(['body', 'settings_', 'fts_weight'], 'fts_weight and semantic_weight must not both be 0', 0);
}

export function makeKnowledgeBaseService(deps: {
  db: Database;
  index: RetrievalIndex;
  embedders: Embedders;
  queue: KbQueue;
}) {
  const { db, index, embedders, queue } = deps;
  const present = (row: store.CountedBase, look: boolean) => presentBase(row, { index, embedders, look });

  const there = <T>(row: T | undefined): T => {
    if (!row) throw notFound('knowledge base');
    return row;
  };
  const find = async (scope: Scope, id: string) => there(await store.findBase(db, scope.workspace_id, id));
  const counted = async (scope: Scope, id: string) => there(await store.findCounted(db, scope.workspace_id, id));

  /** With a look at the index. It may be gone because another has just taken its place: then that one is looked at. */
  async function get(scope: Scope, id: string): Promise<KnowledgeBase> {
    for (let row = await counted(scope, id); ; ) {
      const shown = await present(row, true);
      if (shown.health.issue !== 'vector_table_missing') return shown;
      const now = await counted(scope, id);
      if (now.index_name === row.index_name) return shown;
      row = now;
    }
  }

  return {
    find,
    get,

    async list(scope: Scope, query: PageQuery): Promise<Paged<KnowledgeBase>> {
      const page = pageOf(query);
      const [rows, total] = await Promise.all([
        store.listBases(db, scope.workspace_id, page),
        store.countBases(db, scope.workspace_id),
      ]);
      return pageAnswer(await Promise.all(rows.map((row) => present(row, false))), total, page);
    },

    async create(scope: Scope, input: KbCreate): Promise<KnowledgeBase> {
      const settings = input.settings_ ?? {};
      checkSettings(settings);
      const id = newId();
      return db.transaction(scope, async (tx) => {
        await store.insertBase(tx, scope.workspace_id, {
          id,
          name: input.name,
          description: input.description ?? '',
          document_types: input.document_types ?? [],
          kb_type: input.kb_type ?? 'entity',
          version: input.version ?? 'v2',
          meta: input.meta ?? {},
          settings,
        });
        return present((await store.findCounted(tx, scope.workspace_id, id)) as store.CountedBase, false);
      });
    },

    /** Merges `settings_` by key. Another embedding model has the index built anew, by itself. */
    async update(scope: Scope, id: string, patch: KbPatch): Promise<KnowledgeBase> {
      const { settings_, embedding_model, embedding_dimension, default_chunk_size, default_chunk_overlap, ...fields } =
        patch;
      const above = Object.fromEntries(
        Object.entries({ embedding_model, embedding_dimension, default_chunk_size, default_chunk_overlap }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      await db.transaction(scope, async (tx) => {
        const before = await store.lockBase(tx, scope.workspace_id, id);
        if (!before) throw notFound('knowledge base');
        const settings: SparseKbSettings = { ...before.settings, ...settings_, ...above };
        checkSettings(settings);
        const [was, is] = [effective(before.settings), effective(settings)];
        const trained = before.index_name !== null;
        const changed = recipeOf(was) !== recipeOf(is);
        await store.updateBase(tx, scope.workspace_id, id, {
          ...fields,
          settings,
          ...(trained && changed && { needs_reindex: true }),
        });
        const models = ({ embedding_model }: typeof was) => JSON.stringify(embedders.inForce(embedding_model));
        const other = models(was) !== models(is);
        if (other) await store.forgetEmbeddingHealth(tx, scope.workspace_id, id);
        if (trained && (other || was.embedding_dimension !== is.embedding_dimension)) {
          const run = { id: newId(), kind: 'reindex' as const };
          await insertRun(tx, scope.workspace_id, id, run);
          await queue.rebuild(tx, { workspace_id: scope.workspace_id, kb_id: id }, run.id);
        }
        return present((await store.findCounted(tx, scope.workspace_id, id)) as store.CountedBase, false);
      });
      return get(scope, id);
    },

    async remove(scope: Scope, id: string): Promise<{ success: true }> {
      const remove = async (tx: Db): Promise<{ success: true }> => {
        const files = await findOwnedFiles(tx, scope.workspace_id, id);
        if (!(await store.deleteBase(tx, scope.workspace_id, id))) throw notFound('knowledge base');
        const { tenant_id, workspace_id } = scope;
        await queue.cleanUp(
          tx,
          { tenant_id, workspace_id, kb_id: id },
          files.map(({ file_id }) => file_id),
        );
        return { success: true };
      };
      return retryOnDeadlock(() => db.transaction(scope, remove));
    },

    exists: async (scope: Scope, ids: string[]) =>
      new Set((await store.basesById(db, scope.workspace_id, ids)).map(({ id }) => id)),

    lookup: {
      names: async (scope: Scope, ids: string[]) =>
        new Map((await store.basesById(db, scope.workspace_id, ids)).map(({ id, name }) => [id, name])),
      byName: (scope: Scope, names: string[]) => store.basesByName(db, scope.workspace_id, names),
    },

    /** Those an agent may choose from: of these ids, or all of the workspace. */
    known: (scope: Scope, ids?: readonly string[]) =>
      ids ? store.basesById(db, scope.workspace_id, ids) : store.baseNames(db, scope.workspace_id),
  };
}
