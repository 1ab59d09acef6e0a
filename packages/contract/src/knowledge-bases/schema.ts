import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { mayField } from '../may.ts';
import { paged, summaryOf } from '../page.ts';
import { requestWarning } from '../request-warning.ts';
import { kbSettingsAnswer } from './settings/settings.ts';
import { visibleTo } from './visible-to.ts';

const failure = z.strictObject({
  code: z.string().describe('The reason in one word.'),
  message: z.string().describe('The reason in a sentence.'),
});
const anyObject = z.record(z.string(), z.unknown());
const score = z.number();

export const health = z.strictObject({
  status: z.enum(['ok', 'warning', 'error']).describe('`warning`: searches work, but worse than the settings ask for.'),
  issue: z
    .enum(['', 'vector_table_missing', 'dimension_mismatch', 'embedding_unavailable'])
    .describe('What is wrong, in one word; empty when nothing is, or when only a reindex is due.'),
  detected_dim: z
    .int()
    .nullable()
    .describe('The length of the vectors that the embedding model made; null: not known yet.'),
  declared_dim: z.int().nullable().describe('The length that the settings ask for; null: any.'),
  message: z.string().describe('What is wrong, in a sentence; empty when nothing is.'),
  action: z.enum(['none', 'reindex']).describe('What helps: `reindex` is the operation of that name.'),
});

export const knowledgeBase = z
  .strictObject({
    id: z.guid().describe('The id of the knowledge base.'),
    group_id: groupId,
    name: z.string().describe('The name; agents choose a knowledge base by its name, description and summary.'),
    status: z
      .enum(['created', 'training', 'ready', 'error'])
      .describe('`training` while documents are trained or a site is crawled; `created` before the first document.'),
    description: z.string().describe('What the documents are about.'),
    document_types: z
      .array(z.string())
      .describe('Labels of the client for the kinds of documents; not used by the server.'),
    kb_type: z.string().describe('A label of the client for the kind of knowledge base; `entity` unless given.'),
    size: z.int().describe('The size of all document sources in bytes.'),
    num_docs: z.int().describe('The same as `total_documents`.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    error: anyObject.nullable().describe('Why the status is `error`; null otherwise.'),
    version: z.string().describe('`v2` or `v3`, as the client set it; the server treats both alike.'),
    total_documents: z.int().describe('How many documents there are, without folders.'),
    training_documents: z.int().describe('How many documents are in training.'),
    trained_documents: z.int().describe('How many documents can be searched.'),
    error_documents: z.int().describe('How many documents failed.'),
    uploaded_documents: z.int().describe('How many documents are stored but not trained.'),
    source_types: z.record(z.string(), z.int()).describe('How many documents came from which kind of source.'),
    training_source_types: z.array(z.string()).describe('The kinds of sources of the documents in training.'),
    summary: z.string().describe('A summary of the documents; empty when there is none.'),
    needs_summary_update: z.boolean().describe('Whether the summary is older than the documents.'),
    meta: anyObject.describe('Data of the client, stored as it is.'),
    embedding_health: z
      .strictObject({
        healthy: z.boolean().describe('Whether the embedding model answered when it was last used.'),
        message: z.string().describe('Why it did not, or that no model is configured; empty when it works.'),
        embedding_model: z.string().describe('The model in use; `atrium/none` when there is none.'),
      })
      .describe('Whether the embedding model works.'),
    health: health.describe('Whether the knowledge base can be searched as its settings say.'),
    progress: z
      .int()
      .describe('The average progress of the documents in training, in per cent; 100 when there are none.'),
    progress_details: z.record(z.string(), z.int()).describe('How many documents in training are at which stage.'),
    settings_: kbSettingsAnswer,
    may: mayField('knowledge_base'),
    warnings: z
      .array(requestWarning)
      .optional()
      .describe('Settings that were stored and have no effect as things stand. Only in the answer to that request.'),
  })
  .meta({ id: 'KnowledgeBase' });

export const documentStatuses = ['uploaded', 'training', 'trained', 'error', 'folder'] as const;
export const sourceTypes = ['document', 'google_drive', 'onedrive', 'sharepoint', 'website', 'custom'] as const;

export const kbDocument = z
  .strictObject({
    id: z.guid().describe('The id of the document.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    group_id: groupId,
    kb_id: z.guid().describe('The knowledge base of the document.'),
    file_id: z.guid().nullable().describe('The file that it is trained from; null for a folder or a web address.'),
    name: z.string().describe('The name, usually that of the file or page.'),
    prefix: z
      .string()
      .describe(
        'The folder as it was given; `/a`, `a` and `/a/` name the same one. With slashes at both ends after its folder was moved.',
      ),
    status: z
      .enum(documentStatuses)
      .describe('`uploaded`: stored, not trained. `trained`: can be searched. `folder`: holds documents.'),
    stage: z.string().describe('In training: queued, extract, chunk, enrich, embed or index; empty otherwise.'),
    progress: z.int().describe('How far the training is, in per cent.'),
    size: z.int().describe('The size of the source in bytes.'),
    source_type: z.string().describe('The kind of source, such as `document` or `website`.'),
    error: failure.nullable().describe('Why the training failed; null unless the status is `error`.'),
    notes: z
      .array(z.string())
      .describe('What a reader should know, such as rows that were cut off or skipped enrichment.'),
    short_summary: z.string().nullable().describe('The first sentence of the summary; null without one.'),
    summary: z.string().nullable().describe('A summary by a language model; null unless the settings ask for it.'),
    doc_type: z.string().nullable().describe('The media type; null before it is known.'),
    doc_metadata: anyObject.describe(
      'Metadata of the client and the title found in the document; citations can use it.',
    ),
    language: z.string().nullable().describe('The language of the text (ISO 639-1); null when it was not recognised.'),
    pages: z.int().nullable().describe('How many pages it has; null for formats without pages.'),
    table_ids: z
      .array(z.guid())
      .describe('The tables that hold the rows of a CSV file or workbook that are not all in the text.'),
    visible_to: visibleTo,
    m_source_type: z.string().describe('The same as `source_type`.'),
    m_source_metadata: anyObject
      .nullable()
      .describe('What is known of the source, such as its `url`; null when there is nothing.'),
  })
  .meta({ id: 'KnowledgeBaseDocument', description: 'A document of a knowledge base, or a folder.' });

export const kbRun = z
  .strictObject({
    id: z.guid().describe('The id of the ingestion run.'),
    group_id: groupId,
    kind: z
      .enum(['train', 'reindex', 'crawl'])
      .describe('The training of a document, a rebuild of the index, or the crawl of a site.'),
    workflow_id: z.guid().describe('The id of the knowledge base.'),
    document_id: z.guid().nullable().describe('The document that is trained; null for other kinds.'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'stopped'])
      .describe('`stopped`: a newer run took over, or the site was deleted.'),
    input: anyObject.describe('What the run works on: a document, or a site with its address.'),
    output: anyObject.nullable().describe('The counts of a crawl; null for other kinds.'),
    error: failure.nullable().describe('Why the run failed; null otherwise.'),
    progress: z.int().describe('How far the run is, in per cent.'),
    progress_details: anyObject.nullable().describe('The `stage` of the run.'),
    node_ids: z.array(z.string()).nullable().describe('Always null; runs of workflows have it.'),
    created_at: createdAt,
    started_at: z.iso.datetime().nullable().describe('When the work began (ISO 8601, UTC); null while it is queued.'),
    finished_at: z.iso.datetime().nullable().describe('When the run ended (ISO 8601, UTC); null before.'),
  })
  .meta({ id: 'KnowledgeBaseRun' });

const textStart = z.int().describe('Where it begins in the text of the document, in characters.');
const textEnd = z.int().describe('Where it ends in the text of the document, in characters.');
const startPage = z.int().nullable().describe('The page where it begins; null for formats without pages.');
const endPage = z.int().nullable().describe('The page where it ends; null for formats without pages.');
const headings = z.array(z.string()).describe('The headings above it, the outermost first.');

export const kbChunk = z
  .strictObject({
    id: z.guid().describe('The id of the passage; another training makes new ones.'),
    kb_id: z.guid().describe('The knowledge base of the passage.'),
    document_id: z.guid().describe('The document of the passage.'),
    position: z.int().describe('The place in the document; the first passage is 0.'),
    content: z.string().describe('The text.'),
    start: textStart,
    end: textEnd,
    page: startPage,
    end_page: endPage,
    headings,
    context: z.string().describe('What a language model added for the search; empty without enrichment.'),
    questions: z
      .array(z.string())
      .describe('Questions that the passage answers, by a language model; empty without enrichment.'),
    embedding_model: z.string().nullable().describe('The model that made its vector; null: it is found by words only.'),
    enabled: z.boolean().describe('False: it was switched off, and searches do not find it.'),
    added: z.boolean().describe('Whether it was added by hand.'),
    original: z.string().nullable().describe('The text that the training read; null unless the passage was edited.'),
    etag: z.string().describe('The version of the passage, for `If-Match`.'),
    changed_at: z.iso.datetime().nullable().describe('When it was last changed by hand (ISO 8601, UTC); null: never.'),
    changed_by: z.string().nullable().describe('Who last changed it by hand; null: nobody.'),
    changed_by_actor: actorField('Who last changed it by hand.'),
  })
  .meta({ id: 'KnowledgeBaseChunk' });

const part = z
  .strictObject({
    rank: z.int().describe('The place in this ranking; the best is 1.'),
    score: score.describe('The score of this ranking.'),
  })
  .nullable();
const explanation = z.strictObject({
  method: z.string().describe('The retrieval method of the settings.'),
  notes: z.array(z.string()).describe('What could not be done, such as a reranker that failed.'),
  bm25: part.describe('The place among the passages found by words; null: not found that way.'),
  vector: part.describe('The place among the passages found by meaning; null: not found that way.'),
  fused: score.describe(
    'By the setting `fusion`: the weighted sum of the normalised scores, or the sum of weight / (rrf_k + rank); with what proximity and freshness add.',
  ),
  scaled: score.describe('The same, scaled so that 1 is the best possible.'),
  rerank: score.nullable().describe('The score of the reranker, from 0 to 1; null when it was not reranked.'),
  threshold: score.nullable().describe('The least scaled score that is returned; null: any.'),
  reranker_threshold: score.nullable().describe('The least reranker score that is returned; null: any.'),
  kept: z.boolean().describe('Whether a search without `explain` returns the passage.'),
  dropped_by: z
    .enum(['threshold', 'reranker_top_k', 'reranker_threshold'])
    .nullable()
    .describe('The setting that dropped the passage; null when it is kept.'),
  marks: z
    .array(
      z.strictObject({
        start: z.int().describe('The first character of the word in `content`.'),
        end: z.int().describe('The first character after it.'),
      }),
    )
    .describe('Where words of the question stand in `content`, in other forms of theirs too.'),
  vectors: z
    .enum(['model', 'learned'])
    .nullable()
    .describe(
      'What made the vectors: an embedding model, or learning from the words of the knowledge base; null: not found by meaning.',
    ),
  words: z
    .strictObject({
      text: score.describe('BM25 of the text of the passage, its title and headings included.'),
      heading: score.describe('BM25 of the title and headings alone, before `heading_weight`.'),
      proximity: score.describe('How near neighbouring words of the question stand to each other, from 0 to 1.'),
    })
    .nullable()
    .describe(
      'The parts of the score by words; null: the index scored it, as it does until a knowledge base is ready.',
    ),
  freshness: score.describe('How new the document is, from 0 to 1: it halves every 180 days.'),
  terms: z
    .array(
      z.strictObject({
        term: z.string().describe('A word of the term; other forms of it count too.'),
        weight: z.number().describe('How often the question has it, or its share of all weights with feedback.'),
        from: z.enum(['question', 'feedback']).describe('Whether the question has it or the best passages brought it.'),
      }),
    )
    .describe('The terms that passages were scored by, the same for all hits; without the stop words of the question.'),
});

export const searchHit = z
  .strictObject({
    score: score.describe('The score of the reranker, or else the scaled score of the search; from 0 to 1.'),
    content: z.string().describe('The text of the passage, with its neighbours when the settings ask for them.'),
    source: z
      .string()
      .nullable()
      .describe('What to cite by the citation settings: an address or the name of the document.'),
    citation: z
      .strictObject({
        title: z.string().describe('The title by the citation settings.'),
        url: z.string().nullable().describe('The address of the source; `store://<file id>` for a stored file.'),
        kb_id: z.guid().describe('The knowledge base.'),
        document_id: z.guid().describe('The document.'),
        chunk_id: z.guid().describe('The passage.'),
        page: startPage,
        end_page: endPage,
        start: textStart,
        end: textEnd,
        headings,
      })
      .describe('Where the text stands, so that a client can show it in its source.'),
    images: z
      .array(
        z.strictObject({
          file_id: z.guid().describe('The stored image.'),
          type: z.string().describe('Its media type.'),
          page: z.int().nullable().describe('The page it is on; null for formats without pages.'),
          alt: z.string().describe('Its alternative text; may be empty.'),
        }),
      )
      .describe('The images within the passage.'),
    document_source: kbDocument,
    warnings: z
      .array(z.string())
      .describe(
        'What went wrong in the search without failing it, such as a reranker that did not answer; the same for all hits.',
      ),
    explain: explanation.nullable().describe('How the passage got its place; null unless asked for.'),
  })
  .meta({ id: 'SearchHit' });

const recallAtK = z.number().describe('The share of the expected documents that is among the first k, from 0 to 1.');
const ndcgAt10 = z.number().describe('How well the first ten are ranked (nDCG), from 0 to 1.');

export const evaluation = z
  .strictObject({
    questions: z.int().describe('How many questions were asked.'),
    k: z.int().describe('How many documents of each answer were looked at.'),
    recall_at_k: recallAtK,
    ndcg_at_10: ndcgAt10,
    mrr: z.number().describe('The mean of 1 / rank of the first expected document, from 0 to 1.'),
    per_question: z
      .array(
        z.strictObject({
          query: z.string().describe('The question.'),
          recall_at_k: recallAtK,
          ndcg_at_10: ndcgAt10,
          reciprocal_rank: z.number().describe('1 / rank of the first expected document; 0 when none was found.'),
          found: z.array(z.guid()).describe('The documents that were found, best first, at most k.'),
        }),
      )
      .describe('The figures of each question, in the order of the request.'),
  })
  .meta({ id: 'KnowledgeBaseEvaluation' });

const tunedFigures = z.strictObject({
  questions: z.int().describe('How many questions were asked.'),
  recall_at_25: z.number().describe('The share of the expected documents that is among the first 25, from 0 to 1.'),
  ndcg_at_10: ndcgAt10,
});
const comparedFigures = z.strictObject({
  before: tunedFigures.describe('With the settings of the knowledge base.'),
  after: tunedFigures.describe('With the proposed settings.'),
});

export const tuning = z
  .strictObject({
    settings_: z
      .record(z.string(), z.unknown())
      .describe(
        'The proposed settings: those that differ from the ones of the knowledge base. Empty: nothing is better.',
      ),
    chosen_on: comparedFigures.describe('The figures of the questions that the settings were chosen by.'),
    held_out: comparedFigures
      .nullable()
      .describe('The figures of the questions that were held out; null with fewer than ten questions.'),
    tried: z.int().describe('How many settings were compared.'),
  })
  .meta({ id: 'KnowledgeBaseTuning' });

export const kbPage = paged(
  knowledgeBase,
  summaryOf(knowledgeBase, [
    'id',
    'name',
    'description',
    'status',
    'size',
    'num_docs',
    'total_documents',
    'error_documents',
    'progress',
    'created_at',
    'updated_at',
  ]),
);
export const documentPage = paged(
  kbDocument,
  summaryOf(kbDocument, [
    'id',
    'file_id',
    'name',
    'prefix',
    'status',
    'progress',
    'size',
    'source_type',
    'pages',
    'created_at',
    'updated_at',
  ]),
);
export const chunkPage = paged(kbChunk, summaryOf(kbChunk, ['id', 'document_id', 'position', 'content', 'page']));
export const runIds = z.array(z.guid());

export type KnowledgeBase = z.output<typeof knowledgeBase>;
export type Health = z.output<typeof health>;
export type KbDocument = z.output<typeof kbDocument>;
export type KbRun = z.output<typeof kbRun>;
export type KbChunk = z.output<typeof kbChunk>;
export type SearchHit = z.output<typeof searchHit>;
export type Tuning = z.output<typeof tuning>;
export type Evaluation = z.output<typeof evaluation>;
