import { invalid, notFound } from '@atrium/contract/errors.ts';
import type { KbCreate, KbPatch } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective, recipeOf } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import { findKbSettingsWithoutEffect } from '@atrium/contract/knowledge-bases/settings/settings-without-effect.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { Database, Db } from '../../db/database.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import type { ReaderSupport } from '../../drivers/extractors/driver.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Embedders } from '../embeddings/service.ts';
import { withWarnings } from '../settings/service.ts';
import { findOwnedFiles } from './documents/document-store.ts';
import { requestRebuild } from './index/request-rebuild.ts';
import type { KbQueue } from './ports.ts';
import { asSeen, presentBase } from './present-knowledge-base.ts';
import type { Visible } from './rights/rights-store.ts';
import type { Visibility } from './rights/visible.ts';
import { checkWeights } from './search/check-weights.ts';
import * as store from './store.ts';

export { knowledgeBaseNames } from './store.ts';

/** The knowledge bases of a workspace: their records, settings and health. */
export interface KnowledgeBases {
  /** The stored record, without counts; fails with `not_found`. */
  find(scope: Scope, id: string): Promise<store.BaseRow>;
  get(scope: Scope, id: string): Promise<KnowledgeBase>;
  list(scope: Scope, query: PageQuery & ListFilter): Promise<Paged<KnowledgeBase>>;
  create(scope: Scope, input: KbCreate): Promise<KnowledgeBase>;
  /** Merges `settings_` by key. Another embedding model starts a rebuild of the index. */
  update(scope: Scope, id: string, patch: KbPatch): Promise<KnowledgeBase>;
  remove(scope: Scope, id: string): Promise<void>;
  exists(scope: Scope, ids: string[]): Promise<Set<string>>;
  /** Refuses settings that contradict each other or that no reader here can follow. */
  checkSettings(settings: SparseKbSettings): void;
  lookup: {
    names(scope: Scope, ids: string[]): Promise<Map<string, string>>;
    byName(scope: Scope, names: string[]): Promise<{ id: string; name: string }[]>;
  };
  /** The knowledge bases that an agent may choose from: those with these ids, or all of the workspace. */
  known(scope: Scope, ids?: readonly string[]): Promise<store.KnownBase[]>;
}

/** Refuses settings that are valid one by one but contradict each other. */
function checkSettings(set: SparseKbSettings): void {
  const settings = effective(set);
  for (const pair of ['default', 'pdf', 'text'] as const) {
    const [size, overlap] = [settings[`${pair}_chunk_size`], settings[`${pair}_chunk_overlap`]];
    if (overlap >= size)
      throw invalid(['body', 'settings_', `${pair}_chunk_overlap`], `it must be less than ${pair}_chunk_size`, overlap);
  }
  checkWeights(settings);
}

/** Refuses an encoding or a language that no installed reader knows. Values that were stored before stay. */
function checkReaders({ csv_encoding, pdf_ocr_language }: SparseKbSettings, readers: ReaderSupport): void {
  if (csv_encoding !== undefined && csv_encoding !== 'auto' && !readers.findEncoding(csv_encoding))
    throw invalid(['body', 'settings_', 'csv_encoding'], 'there is no encoding of this name', csv_encoding);
  if (pdf_ocr_language !== undefined && pdf_ocr_language !== 'auto' && !readers.readsLanguage(pdf_ocr_language))
    throw invalid(
      ['body', 'settings_', 'pdf_ocr_language'],
      `there is no data of this language on the server; add it with \`npm install @tesseract.js-data/${pdf_ocr_language}\``,
      pdf_ocr_language,
    );
}

/** Warns about settings without effect that a request has set, or that it has taken the effect from. */
const warningsOf = (settings: SparseKbSettings, sent: object, topLevel: readonly string[]): RequestWarning[] =>
  findKbSettingsWithoutEffect(settings)
    .filter(({ decidedBy }) => decidedBy.some((name) => name in sent))
    .map(({ key, msg }) => ({
      ...{ loc: ['body', ...(topLevel.includes(key) ? [] : ['settings_']), key], msg },
      type: 'setting_has_no_effect',
    }));

export function makeKnowledgeBaseService(deps: {
  db: Database;
  index: RetrievalIndex;
  embedders: Embedders;
  queue: KbQueue;
  readers: ReaderSupport;
  visibility: Pick<Visibility, 'forLists'>;
}): KnowledgeBases {
  const { db, index, embedders, queue, readers, visibility } = deps;
  const present = (row: store.CountedBase, look: boolean, visible: Visible) =>
    presentBase(visible === 'all' ? row : asSeen(row), { index, embedders, look });

  const requireFound = <T>(row: T | undefined): T => {
    if (!row) throw notFound('knowledge base');
    return row;
  };
  const find = async (scope: Scope, id: string) => requireFound(await store.findBase(db, scope.workspace_id, id));
  const findCounted = async (from: Db, scope: Scope, id: string, visible: Visible) =>
    requireFound(await store.findCounted(from, scope.workspace_id, id, visible));

  /** Checks the index too. If it is gone because a rebuild has just replaced it, the new one is checked. */
  async function get(scope: Scope, id: string): Promise<KnowledgeBase> {
    const visible = await visibility.forLists(scope, id);
    for (let row = await findCounted(db, scope, id, visible); ; ) {
      const shown = await present(row, true, visible);
      if (shown.health.issue !== 'vector_table_missing') return shown;
      const now = await findCounted(db, scope, id, visible);
      if (now.index_name === row.index_name) return shown;
      row = now;
    }
  }

  return {
    find,
    get,

    checkSettings(settings) {
      checkSettings(settings);
      checkReaders(settings, readers);
    },

    async list(scope, query) {
      const page = pageOf(query);
      const visible = await visibility.forLists(scope);
      const { rows, total, last } = await store.listBases(db, scope.workspace_id, query, page, visible);
      return pageAnswer(await Promise.all(rows.map((row) => present(row, false, visible))), total, page, last);
    },

    async create(scope, input) {
      const settings = input.settings_ ?? {};
      checkSettings(settings);
      checkReaders(settings, readers);
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
        scope.audit?.note({
          target: { kind: 'knowledge_base', id, name: input.name },
          after: { ...omit(input, ['settings_']), settings },
        });
        const made = await present(await findCounted(tx, scope, id, 'all'), false, 'all');
        return withWarnings(made, warningsOf(settings, settings, []));
      });
    },

    async update(scope, id, patch) {
      const { settings_, embedding_model, embedding_dimension, default_chunk_size, default_chunk_overlap, ...fields } =
        patch;
      const topLevel = Object.fromEntries(
        Object.entries({ embedding_model, embedding_dimension, default_chunk_size, default_chunk_overlap }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      checkReaders(settings_ ?? {}, readers);
      const warnings = await db.transaction(scope, async (tx) => {
        const before = await store.lockBase(tx, scope.workspace_id, id);
        if (!before) throw notFound('knowledge base');
        const settings: SparseKbSettings = { ...before.settings, ...settings_, ...topLevel };
        checkSettings(settings);
        const [was, is] = [effective(before.settings), effective(settings)];
        const trained = before.index_name !== null;
        const changed = recipeOf(was) !== recipeOf(is);
        await store.updateBase(tx, scope.workspace_id, id, {
          ...fields,
          settings,
          ...(trained && changed && { needs_reindex: true }),
        });
        const { name, description, document_types } = before;
        scope.audit?.note({
          target: { kind: 'knowledge_base', id, name: fields.name ?? name },
          before: { name, description, document_types, settings: before.settings },
          after: { name, description, document_types, ...fields, settings },
        });
        const models = ({ embedding_model }: typeof was) => JSON.stringify(embedders.effectiveNames(embedding_model));
        const other = models(was) !== models(is);
        if (other) await store.forgetEmbeddingHealth(tx, scope.workspace_id, id);
        if (trained && (other || was.embedding_dimension !== is.embedding_dimension)) {
          await requestRebuild(tx, queue, { workspace_id: scope.workspace_id, kb_id: id });
        }
        return warningsOf(settings, { ...settings_, ...topLevel }, Object.keys(topLevel));
      });
      return withWarnings(await get(scope, id), warnings);
    },

    async remove(scope, id) {
      const remove = async (tx: Db): Promise<void> => {
        const files = await findOwnedFiles(tx, scope.workspace_id, id);
        if (!(await store.deleteBase(tx, scope.workspace_id, id))) throw notFound('knowledge base');
        const { tenant_id, workspace_id } = scope;
        await queue.cleanUp(
          tx,
          { tenant_id, workspace_id, kb_id: id },
          files.map(({ file_id }) => file_id),
        );
      };
      await retryOnDeadlock(() => db.transaction(scope, remove));
    },

    exists: async (scope, ids) => new Set((await store.basesById(db, scope.workspace_id, ids)).map(({ id }) => id)),

    lookup: {
      names: async (scope, ids) =>
        new Map((await store.basesById(db, scope.workspace_id, ids)).map(({ id, name }) => [id, name])),
      byName: (scope, names) => store.basesByName(db, scope.workspace_id, names),
    },

    known: (scope, ids) =>
      ids ? store.basesById(db, scope.workspace_id, ids) : store.baseNames(db, scope.workspace_id),
  };
}
