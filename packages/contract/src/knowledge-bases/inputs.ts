import type * as z from 'zod';
import { fileKinds } from '../files/kinds.ts';
import { namedList } from '../list-query.ts';
import { facetsField, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { documentStatuses, sourceTypes } from './schema.ts';
import { kbSettingsInput, searchSettingsInput } from './settings/settings.ts';
import { crawlFields } from './sites/schema.ts';
import { visibleToInput, visibleToQuery } from './visible-to.ts';

const name = s.str({ min: 1, max: 500 }).describe('The name; agents choose a knowledge base by it.');
const documentName = s.str({ min: 1, max: 1000 }).describe('The name of the document or folder.');
/** Stored as it is given; folders are matched with slashes at both ends. */
const prefix = s.str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u });
const words = s.list(s.str({ max: 200 }), { max: 200 });

const baseFields = {
  description: s.optional(s.str({ max: 20_000 })).describe('What the documents are about.'),
  document_types: s.optional(words).describe('Labels for the kinds of documents; not used by the server.'),
  settings_: s
    .optional(kbSettingsInput)
    .describe('How documents are read, cut, enriched and searched; keys that are not given keep their value.'),
  version: s.optional(s.oneOf(['v2', 'v3'])).describe('A version mark of the client; `v2` unless given.'),
  meta: s.optional(s.dict()).describe('Data of the client, stored as it is.'),
};

export const kbCreate = s
  .object({
    name,
    ...baseFields,
    kb_type: s
      .optional(s.str({ min: 1, max: 100 }))
      .describe('A label for the kind of knowledge base; `entity` unless given.'),
  })
  .meta({ id: 'KnowledgeBaseCreate' });

export const kbPatch = s
  .object({
    name: s.optional(name).describe('The name; agents choose a knowledge base by it.'),
    ...baseFields,
    error: s.optional(s.dict()).describe('Replaces the error that the knowledge base shows.'),
    summary: s.optional(s.str({ max: 100_000 })).describe('A summary of the documents.'),
    summary_embedding: s
      .optional(s.list(s.number(), { max: 16_384 }))
      .describe('The vector of the summary, by which agents choose a knowledge base.'),
    needs_summary_update: s.optional(s.bool()).describe('Whether the summary is older than the documents.'),
    embedding_model: s
      .optional(s.list(s.str({ min: 1, max: 300 }), { max: 20 }))
      .describe('The same as the setting `embedding_model`, which it wins over.'),
    embedding_dimension: s
      .optional(s.int({ ge: 1, le: 16_384 }))
      .describe('The same as the setting `embedding_dimension`, which it wins over.'),
    default_chunk_size: s
      .optional(s.int({ ge: 50, le: 1_000_000 }))
      .describe('The same as the setting `default_chunk_size`, which it wins over.'),
    default_chunk_overlap: s
      .optional(s.int({ ge: 0, le: 500_000 }))
      .describe('The same as the setting `default_chunk_overlap`, which it wins over.'),
  })
  .meta({ id: 'KnowledgeBasePatch' });

const metadata = s.optional(s.dict()).describe('Metadata of the document; citations can use it.');

export const documentCreate = s
  .object({
    name: documentName,
    prefix: s.withDefault(prefix, '/').describe('The folder that it is in; `/` unless given.'),
    status: s
      .withDefault(s.oneOf(['uploaded', 'folder']), 'uploaded')
      .describe('`folder` makes a folder; `uploaded` (unless given) a record without content.'),
    source_type: s
      .withDefault(s.oneOf(sourceTypes), 'document')
      .describe('The kind of source; `document` unless given.'),
    doc_metadata: metadata,
    visible_to: s
      .optional(visibleToInput)
      .describe('Who sees it; everybody who may read the knowledge base unless given.'),
  })
  .meta({ id: 'KnowledgeBaseDocumentCreate' });

export const documentPatch = s
  .object({
    name: s.optional(documentName).describe('The new name.'),
    prefix: s.optional(prefix).describe('The folder to move it to.'),
    status: s
      .optional(s.oneOf(documentStatuses))
      .describe('`training` trains it again, `uploaded` takes it out of the index; others are refused.'),
    doc_metadata: s.optional(s.dict()).describe('Replaces the metadata of the document.'),
    visible_to: s
      .optional(visibleToInput)
      .describe('Replaces who sees it; `[{"kind": "everybody"}]` shows it to everybody again.'),
  })
  .meta({ id: 'KnowledgeBaseDocumentPatch' });

const sentFile = s.object({
  name: s.optional(documentName).describe('The name of the document; that of the file or address unless given.'),
  size: s.optional(s.int({ ge: 0 })).describe('Accepted for older clients and ignored.'),
  content_type: s.optional(s.str({ max: 300 })).describe('Accepted for older clients and ignored.'),
  source_type: s.optional(s.str({ max: 100 })).describe('Accepted for older clients and ignored.'),
  uri: s.str({ min: 1, max: 4000 }).describe('`store://<file id>` of a file of the workspace, or a web address.'),
  doc_metadata: metadata,
});

export const genericTrain = s
  .object({
    source: s
      .object({
        source_type: s
          .oneOf(sourceTypes)
          .describe('The kind of source: `document`, `website` or `custom`; others need a connection and are refused.'),
        subtype: s.optional(s.str({ max: 100 })).describe('Accepted for older clients and ignored.'),
        config: s
          .object({
            files: s
              .optional(s.list(sentFile, { min: 1, max: 1000 }))
              .describe('Stored files or web addresses, at most 1,000.'),
            urls: s
              .optional(s.list(s.str({ min: 1, max: 4000 }), { min: 1, max: 1000 }))
              .describe('Web addresses, at most 1,000; each becomes a document.'),
            /** Any of these makes a website a site that is crawled. */
            ...crawlFields,
          })
          .describe('What to train: files, addresses or both; at least one.'),
      })
      .describe('Where the documents come from.'),
  })
  .meta({ id: 'KnowledgeBaseTrain' });

const knowledge_base_id = s.uuid('knowledge_base').describe('The id of the knowledge base.');
export const kbParams = s.object({ knowledge_base_id });
export const documentParams = s.object({
  knowledge_base_id,
  document_id: s.uuid('kb_document').describe('The id of the document.'),
});
export const documentsParams = s.object({
  knowledge_base_id,
  status: s.oneOf(documentStatuses).describe('The status of the documents to list.'),
});

export const kbQuery = s.query(namedList(['name', 'created_at', 'updated_at']));
export const documentsQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at', 'size']),
  prefix: s.optional(prefix).describe('Only documents in this folder and below.'),
  kind: s.optional(s.oneOf(fileKinds)).describe('Only documents of this kind, by the ending of their name.'),
  facets: facetsField(),
});
export const chunksQuery = s.query({
  ...pageFields,
  document_id: s.optional(s.uuid('kb_document')).describe('Only passages of this document.'),
  enabled: s.optional(s.bool()).describe('Only passages that are switched on, or only those that are off.'),
  around: s
    .optional(s.str({ pattern: /^(\d{1,9}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/ }))
    .describe(
      'Only the passages around this one: the id of a passage, or a place in the text of the document that `document_id` names, as `start` of citations has it. The answer is one page of `size` passages (5 unless given) with that passage in the middle; `page` is ignored.',
    ),
});
export const runsQuery = s.query({
  status: s.optional(s.str({ max: 100 })).describe('Only runs with one of these statuses, separated by commas.'),
  run_ids: s
    .optional(s.str({ max: 40_000 }))
    .describe('Only runs with one of these ids, separated by commas; words that are no ids are ignored.'),
});
export const trainQuery = s.query({
  prefix: s.withDefault(prefix, '/').describe('The folder that the documents go into; `/` unless given.'),
  visible_to: s.optional(visibleToQuery),
});

const searchFields = {
  query: s
    .optional(s.str({ min: 1, max: 10_000 }))
    .describe('The question or the words to search for; needed in the query or the body.'),
  prefix: s.optional(prefix).describe('Only documents in this folder and below.'),
};
const resultFields = {
  top_k: s
    .optional(s.int({ ge: 1, le: 1000 }))
    .describe('The most passages to return; the setting `retrieval_top_k` unless given.'),
  explain: s
    .optional(s.bool())
    .describe('Explain how each passage got its place, and list those below a threshold too; false unless given.'),
};
/** The same fields as in the body, which wins. */
export const searchQuery = s.query({ ...searchFields, ...resultFields });
export const searchBody = s
  .object({
    ...searchFields,
    document_ids: s
      .optional(s.list(s.uuid('kb_document'), { max: 1000 }))
      .describe('Only passages of these documents; of all when the list is empty or not given.'),
    ...resultFields,
    settings_: s
      .optional(searchSettingsInput)
      .describe(
        'Settings to try instead of those of the knowledge base, for this search only: retrieval, citations and anonymization. It needs the permission `kbs_advanced`. Send the same search twice, with `explain`, to compare two settings.',
      ),
  })
  .meta({ id: 'KnowledgeBaseSearch' });

const askedQuestion = s.object({
  query: s.str({ min: 1, max: 10_000 }).describe('The question to search for.'),
  document_ids: s
    .list(s.uuid('kb_document'), { min: 1, max: 1000 })
    .describe('The documents that answer it, all of this knowledge base.'),
});

export const tuneBody = s
  .object({
    questions: s
      .list(askedQuestion, { min: 1, max: 100 })
      .describe(
        'Questions with their documents, at most 100. All documents have to be for everybody. Of ten questions or more every second one is held out: settings are not chosen by it.',
      ),
  })
  .meta({ id: 'KnowledgeBaseTune' });

export const evaluateBody = s
  .object({
    questions: s.list(askedQuestion, { min: 1, max: 1000 }).describe('The questions, at most 1,000.'),
    k: s
      .withDefault(s.int({ ge: 1, le: 1000 }), 25)
      .describe('How many documents of each answer count for the recall; 25 unless given.'),
    settings_: s
      .optional(kbSettingsInput)
      .describe('Settings to try instead of those of the knowledge base, for this evaluation only.'),
  })
  .meta({ id: 'KnowledgeBaseEvaluate' });

export type KbCreate = z.output<typeof kbCreate>;
export type KbPatch = z.output<typeof kbPatch>;
export type DocumentCreate = z.output<typeof documentCreate>;
export type DocumentPatch = z.output<typeof documentPatch>;
export type DocumentsQuery = z.output<typeof documentsQuery>;
export type GenericTrain = z.output<typeof genericTrain>;
export type ChunksQuery = z.output<typeof chunksQuery>;
export type TuneBody = z.output<typeof tuneBody>;
export type EvaluateBody = z.output<typeof evaluateBody>;
