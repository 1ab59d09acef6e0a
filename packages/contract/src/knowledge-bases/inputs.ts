import type { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { documentStatuses, sourceTypes } from './schema.ts';
import { kbSettingsInput } from './settings/settings.ts';
import { crawlFields } from './sites/schema.ts';

const name = s.str({ min: 1, max: 500 });
const documentName = s.str({ min: 1, max: 1000 });
/** A folder; slashes at its ends are seen to later. */
const prefix = s.str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u });
const words = s.list(s.str({ max: 200 }), { max: 200 });

const baseFields = {
  description: s.optional(s.str({ max: 20_000 })),
  document_types: s.optional(words),
  settings_: s.optional(kbSettingsInput),
  version: s.optional(s.oneOf(['v2', 'v3'])),
  meta: s.optional(s.dict()),
};

export const kbCreate = s
  .object({ name, ...baseFields, kb_type: s.optional(s.str({ min: 1, max: 100 })) })
  .meta({ id: 'KnowledgeBaseCreate' });

export const kbPatch = s
  .object({
    name: s.optional(name),
    ...baseFields,
    error: s.optional(s.dict()),
    summary: s.optional(s.str({ max: 100_000 })),
    summary_embedding: s.optional(s.list(s.number(), { max: 16_384 })),
    needs_summary_update: s.optional(s.bool()),
    embedding_model: s.optional(s.list(s.str({ min: 1, max: 300 }), { max: 20 })),
    embedding_dimension: s.optional(s.int({ ge: 1, le: 16_384 })),
    default_chunk_size: s.optional(s.int({ ge: 50, le: 1_000_000 })),
    default_chunk_overlap: s.optional(s.int({ ge: 0, le: 500_000 })),
  })
  .meta({ id: 'KnowledgeBasePatch' });

export const documentCreate = s
  .object({
    name: documentName,
    prefix: s.withDefault(prefix, '/'),
    status: s.withDefault(s.oneOf(['uploaded', 'folder']), 'uploaded'),
    source_type: s.withDefault(s.oneOf(sourceTypes), 'document'),
    doc_metadata: s.optional(s.dict()),
  })
  .meta({ id: 'KnowledgeBaseDocumentCreate' });

export const documentPatch = s
  .object({
    name: s.optional(documentName),
    prefix: s.optional(prefix),
    status: s.optional(s.oneOf(documentStatuses)),
    doc_metadata: s.optional(s.dict()),
  })
  .meta({ id: 'KnowledgeBaseDocumentPatch' });

const sentFile = s.object({
  name: s.optional(documentName),
  size: s.optional(s.int({ ge: 0 })),
  content_type: s.optional(s.str({ max: 300 })),
  source_type: s.optional(s.str({ max: 100 })),
  /** `store://<file id>`, or an address on the web. */
  uri: s.str({ min: 1, max: 4000 }),
  doc_metadata: s.optional(s.dict()),
});

export const genericTrain = s
  .object({
    source: s.object({
      source_type: s.oneOf(sourceTypes),
      subtype: s.optional(s.str({ max: 100 })),
      config: s.object({
        files: s.optional(s.list(sentFile, { min: 1, max: 1000 })),
        urls: s.optional(s.list(s.str({ min: 1, max: 4000 }), { min: 1, max: 1000 })),
        /** Of a website: any of these makes it a site that is crawled. */
        ...crawlFields,
      }),
    }),
  })
  .meta({ id: 'KnowledgeBaseTrain' });

export const kbParams = s.object({ knowledge_base_id: s.uuid('knowledge_base') });
export const documentParams = s.object({
  knowledge_base_id: s.uuid('knowledge_base'),
  document_id: s.uuid('kb_document'),
});
export const documentsParams = s.object({
  knowledge_base_id: s.uuid('knowledge_base'),
  status: s.oneOf(documentStatuses),
});

export const kbQuery = s.query({ ...pageFields });
export const documentsQuery = s.query({
  ...pageFields,
  prefix: s.optional(prefix),
  search: s.optional(s.str({ max: 255 })),
});
export const chunksQuery = s.query({ ...pageFields, document_id: s.optional(s.uuid('kb_document')) });
export const runsQuery = s.query({
  status: s.optional(s.str({ max: 100 })),
  run_ids: s.optional(s.str({ max: 40_000 })),
});
export const trainQuery = s.query({ prefix: s.withDefault(prefix, '/') });

const top_k = s.int({ ge: 1, le: 1000 });
export const searchQuery = s.query({
  query: s.optional(s.str({ min: 1, max: 10_000 })),
  prefix: s.optional(prefix),
  top_k: s.optional(top_k),
  explain: s.optional(s.bool()),
});
export const searchBody = s
  .object({
    query: s.optional(s.str({ min: 1, max: 10_000 })),
    prefix: s.optional(prefix),
    document_ids: s.optional(s.list(s.uuid('kb_document'), { max: 1000 })),
    top_k: s.optional(top_k),
    explain: s.optional(s.bool()),
  })
  .meta({ id: 'KnowledgeBaseSearch' });

export const evaluateBody = s
  .object({
    questions: s.list(
      s.object({
        query: s.str({ min: 1, max: 10_000 }),
        document_ids: s.list(s.uuid('kb_document'), { min: 1, max: 1000 }),
      }),
      { min: 1, max: 1000 },
    ),
    k: s.withDefault(s.int({ ge: 1, le: 1000 }), 25),
    /** Settings to try in place of the base's own, for this evaluation alone. */
    settings_: s.optional(kbSettingsInput),
  })
  .meta({ id: 'KnowledgeBaseEvaluate' });

export type KbCreate = z.output<typeof kbCreate>;
export type KbPatch = z.output<typeof kbPatch>;
export type DocumentCreate = z.output<typeof documentCreate>;
export type DocumentPatch = z.output<typeof documentPatch>;
export type DocumentsQuery = z.output<typeof documentsQuery>;
export type GenericTrain = z.output<typeof genericTrain>;
export type EvaluateBody = z.output<typeof evaluateBody>;
