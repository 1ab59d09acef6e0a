import type { Health, KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import { IndexMissing, type RetrievalIndex } from '../../drivers/search-index/driver.ts';
import type { Embedders } from '../embeddings/service.ts';
import type { BaseRow, CountedBase } from './store.ts';

/** Shown when no embedding model is configured: older clients refuse an empty list. */
export const noEmbeddingModel = 'atrium/none';

const healthy = (row: BaseRow): Health => ({
  status: 'ok',
  issue: '',
  detected_dim: row.embedding_detected,
  declared_dim: row.settings.embedding_dimension ?? null,
  message: '',
  action: 'none',
});

export function embeddingHealth(row: BaseRow, embedders: Embedders): KnowledgeBase['embedding_health'] {
  const [model] = embedders.effectiveNames(row.settings.embedding_model ?? []);
  if (model === undefined)
    return {
      healthy: true,
      message: 'No embedding model is configured: it is searched by words and by vectors learned from its documents',
      embedding_model: noEmbeddingModel,
    };
  return { healthy: row.embedding_error === null, message: row.embedding_error ?? '', embedding_model: model };
}

/** Whether the knowledge base can be searched as its settings say, and what helps. `look`: check the index itself. */
export async function checkHealth(
  row: CountedBase,
  { index, embedders, look }: { index: RetrievalIndex; embedders: Embedders; look: boolean },
): Promise<Health> {
  const base = healthy(row);
  if (row.trained_documents === 0) return base;
  if (row.index_name === null || row.index_damaged || (look && !(await indexExists(row, row.index_name, index))))
    return {
      ...base,
      status: 'error',
      issue: 'vector_table_missing',
      message: 'The index is missing or damaged. The documents are whole: build it anew with reindex.',
      action: 'reindex',
    };
  const settings = effective(row.settings);
  const embeds = embedders.effectiveNames(settings.embedding_model).length > 0;
  const { declared_dim, detected_dim } = base;
  if (embeds && declared_dim !== null && detected_dim !== null && declared_dim !== detected_dim)
    return {
      ...base,
      status: 'warning',
      issue: 'dimension_mismatch',
      message: `The embedding model makes vectors of ${detected_dim} dimensions, the settings say ${declared_dim}. It is searched by words.`,
      action: 'reindex',
    };
  if (embeds && row.embedding_error !== null)
    return {
      ...base,
      status: 'warning',
      issue: 'embedding_unavailable',
      message: `${row.embedding_error}. It is searched by words.`,
      action: 'reindex',
    };
  if (row.needs_reindex)
    return {
      ...base,
      status: 'warning',
      message: 'Documents were trained by settings that have changed since: reindex trains them again.',
      action: 'reindex',
    };
  return base;
}

async function indexExists(row: BaseRow, name: string, index: RetrievalIndex): Promise<boolean> {
  try {
    await index.state({ workspace_id: row.group_id, kb_id: row.id, name });
    return true;
  } catch (error) {
    if (error instanceof IndexMissing) return false;
    throw error;
  }
}
