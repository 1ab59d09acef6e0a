import type { KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import type { Embedders } from '../embeddings/service.ts';
import { checkHealth, embeddingHealth, noEmbeddingModel } from './health.ts';
import type { CountedBase } from './store.ts';

const nothingTrained = 'nothing_trained';

/**
 * A knowledge base for a caller who does not see all of it: status, error and time of the last change follow from the
 * documents that the caller sees, because the stored ones tell of the others too.
 */
export function asSeen(row: CountedBase): CountedBase {
  const failed = row.trained_documents === 0 && row.error_documents > 0;
  const ended = row.total_documents === 0 ? 'created' : failed ? 'error' : 'ready';
  const given = row.error?.['code'] === nothingTrained ? null : row.error;
  const { last_change } = row;
  return {
    ...row,
    status: row.training_documents > 0 || row.busy ? 'training' : ended,
    error: failed ? { code: nothingTrained, message: 'None of its documents could be trained' } : given,
    updated_at: last_change !== null && last_change > row.changed_at ? last_change : row.changed_at,
  };
}

/** A knowledge base as the API shows it. */
export async function presentBase(
  row: CountedBase,
  deps: { index: RetrievalIndex; embedders: Embedders; look: boolean },
): Promise<KnowledgeBase> {
  const settings = effective(row.settings);
  const models = deps.embedders.effectiveNames(settings.embedding_model);
  const { training_documents: training, training_progress } = row;
  return {
    id: row.id,
    group_id: row.group_id,
    name: row.name,
    status: row.status,
    description: row.description,
    document_types: row.document_types,
    kb_type: row.kb_type,
    size: row.size,
    num_docs: row.total_documents,
    created_at: row.created_at,
    updated_at: row.updated_at,
    etag: row.etag,
    error: row.error,
    version: row.version,
    total_documents: row.total_documents,
    training_documents: training,
    trained_documents: row.trained_documents,
    error_documents: row.error_documents,
    uploaded_documents: row.uploaded_documents,
    source_types: row.source_types,
    training_source_types: row.training_source_types,
    summary: row.summary,
    needs_summary_update: row.needs_summary_update,
    meta: row.meta,
    embedding_health: embeddingHealth(row, deps.embedders),
    health: await checkHealth(row, deps),
    progress: training === 0 ? 100 : Math.floor(training_progress / training),
    progress_details: row.stages,
    settings_: { ...settings, embedding_model: models.length ? [...models] : [noEmbeddingModel] },
  };
}
