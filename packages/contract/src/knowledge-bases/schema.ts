import { z } from 'zod';
import { paged } from '../page.ts';
import { kbSettingsAnswer } from './settings/settings.ts';

const failure = z.strictObject({ code: z.string(), message: z.string() });
const anyObject = z.record(z.string(), z.unknown());

export const health = z.strictObject({
  status: z.enum(['ok', 'warning', 'error']),
  issue: z.enum(['', 'vector_table_missing', 'dimension_mismatch', 'embedding_unavailable']),
  detected_dim: z.int().nullable(),
  declared_dim: z.int().nullable(),
  message: z.string(),
  action: z.enum(['none', 'reindex']),
});

export const knowledgeBase = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    status: z.enum(['created', 'training', 'ready', 'error']),
    description: z.string(),
    document_types: z.array(z.string()),
    kb_type: z.string(),
    /** Bytes of its sources. */
    size: z.int(),
    num_docs: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    error: anyObject.nullable(),
    version: z.string(),
    total_documents: z.int(),
    training_documents: z.int(),
    trained_documents: z.int(),
    error_documents: z.int(),
    uploaded_documents: z.int(),
    source_types: z.record(z.string(), z.int()),
    training_source_types: z.array(z.string()),
    summary: z.string(),
    needs_summary_update: z.boolean(),
    meta: anyObject,
    embedding_health: z.strictObject({ healthy: z.boolean(), message: z.string(), embedding_model: z.string() }),
    health,
    /** What is being trained, in per cent of the documents of the burst, and how many are at which stage. */
    progress: z.int(),
    progress_details: z.record(z.string(), z.int()),
    settings_: kbSettingsAnswer,
  })
  .meta({ id: 'KnowledgeBase' });

export const documentStatuses = ['uploaded', 'training', 'trained', 'error', 'folder'] as const;
export const sourceTypes = ['document', 'google_drive', 'onedrive', 'sharepoint', 'website', 'custom'] as const;

export const kbDocument = z
  .strictObject({
    id: z.guid(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    group_id: z.guid(),
    kb_id: z.guid(),
    file_id: z.guid().nullable(),
    name: z.string(),
    prefix: z.string(),
    status: z.enum(documentStatuses),
    /** Of one in training: queued, extract, chunk, enrich, embed or index; and how far it is, in per cent. */
    stage: z.string(),
    progress: z.int(),
    size: z.int(),
    source_type: z.string(),
    error: failure.nullable(),
    /** What a reader should know: rows that were cut, enrichment that was skipped. */
    notes: z.array(z.string()),
    short_summary: z.string().nullable(),
    summary: z.string().nullable(),
    doc_type: z.string().nullable(),
    doc_metadata: anyObject,
    language: z.string().nullable(),
    pages: z.int().nullable(),
    /** Of a CSV or a workbook whose rows are not all in the text: the tables that hold them. */
    table_ids: z.array(z.guid()),
    m_source_type: z.string(),
    m_source_metadata: anyObject.nullable(),
  })
  .meta({ id: 'KnowledgeBaseDocument' });

export const kbRun = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    kind: z.enum(['train', 'reindex', 'crawl']),
    workflow_id: z.guid(),
    document_id: z.guid().nullable(),
    status: z.enum(['queued', 'running', 'completed', 'failed', 'stopped']),
    input: anyObject,
    output: anyObject.nullable(),
    error: failure.nullable(),
    progress: z.int(),
    progress_details: anyObject.nullable(),
    node_ids: z.array(z.string()).nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'KnowledgeBaseRun' });

export const kbChunk = z
  .strictObject({
    id: z.guid(),
    kb_id: z.guid(),
    document_id: z.guid(),
    position: z.int(),
    content: z.string(),
    start: z.int(),
    end: z.int(),
    /** Where it begins, and where it ends. */
    page: z.int().nullable(),
    end_page: z.int().nullable(),
    headings: z.array(z.string()),
    context: z.string(),
    questions: z.array(z.string()),
    embedding_model: z.string().nullable(),
  })
  .meta({ id: 'KnowledgeBaseChunk' });

const part = z.strictObject({ rank: z.int(), score: z.number() }).nullable();
const explanation = z.strictObject({
  /** How it was searched for, and what could not be done. */
  method: z.string(),
  notes: z.array(z.string()),
  bm25: part,
  vector: part,
  /** Sum of weight / (rrf_k + rank); and the same, 1 being the best possible. */
  fused: z.number(),
  scaled: z.number(),
  rerank: z.number().nullable(),
  threshold: z.number().nullable(),
  reranker_threshold: z.number().nullable(),
  kept: z.boolean(),
});

export const searchHit = z
  .strictObject({
    score: z.number(),
    content: z.string(),
    source: z.string().nullable(),
    /** Where it stands: enough to show the passage in its source. */
    citation: z.strictObject({
      title: z.string(),
      url: z.string().nullable(),
      kb_id: z.guid(),
      document_id: z.guid(),
      chunk_id: z.guid(),
      page: z.int().nullable(),
      end_page: z.int().nullable(),
      start: z.int(),
      end: z.int(),
      headings: z.array(z.string()),
    }),
    images: z.array(z.strictObject({ file_id: z.guid(), page: z.int().nullable(), alt: z.string() })),
    document_source: kbDocument,
    explain: explanation.nullable(),
  })
  .meta({ id: 'SearchHit' });

export const evaluation = z
  .strictObject({
    questions: z.int(),
    k: z.int(),
    recall_at_k: z.number(),
    ndcg_at_10: z.number(),
    mrr: z.number(),
    per_question: z.array(
      z.strictObject({
        query: z.string(),
        recall_at_k: z.number(),
        ndcg_at_10: z.number(),
        reciprocal_rank: z.number(),
        found: z.array(z.guid()),
      }),
    ),
  })
  .meta({ id: 'KnowledgeBaseEvaluation' });

export const kbPage = paged(knowledgeBase);
export const documentPage = paged(kbDocument);
export const chunkPage = paged(kbChunk);
export const runIds = z.array(z.guid());

export type KnowledgeBase = z.output<typeof knowledgeBase>;
export type Health = z.output<typeof health>;
export type KbDocument = z.output<typeof kbDocument>;
export type KbRun = z.output<typeof kbRun>;
export type KbChunk = z.output<typeof kbChunk>;
export type SearchHit = z.output<typeof searchHit>;
export type Evaluation = z.output<typeof evaluation>;
