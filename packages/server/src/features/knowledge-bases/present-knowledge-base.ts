import type { KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import type { Embedders } from '../embeddings/service.ts';
import { checkHealth, embeddingHealth, noEmbeddingModel } from './health.ts';
import type { CountedBase } from './store.ts';

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
