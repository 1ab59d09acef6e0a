import type * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { key } from '../../settings/key.ts';
import { piiEntriesOf, piiField } from '../../settings/keys/safety.ts';
import { chunkOverlap, chunkSize, modelNames } from './value-schemas.ts';

const defaultPair = { test: 'default_chunk_size and default_chunk_overlap cut what has no pair of its own' };

/** How texts become passages. */
export const ingestion = {
  batch_size: key({
    label: 'Batch size',
    help: 'How many passages one call embeds, and how many documents are trained at once.',
    section: 'Passages',
    schema: s.int({ ge: 1, le: 256 }),
    fallback: 8,
    evidence: { test: 'batch_size is how many passages one call embeds and how many documents are trained at once' },
  }),
  default_chunk_size: key({
    label: 'Passage size',
    help: 'The length of a passage, for formats without a size of their own.',
    section: 'Passages',
    unit: 'characters',
    schema: chunkSize,
    fallback: 2048,
    evidence: defaultPair,
  }),
  default_chunk_overlap: key({
    label: 'Overlap',
    help: 'How many characters two neighbouring passages share; at most nine tenths of a passage.',
    section: 'Passages',
    unit: 'characters',
    schema: chunkOverlap,
    fallback: 512,
    evidence: defaultPair,
  }),
  enrich_chunks_mode: key({
    label: 'Enrich passages',
    help: 'What is indexed with each passage and not shown: the summary of the document (when summaries are on), a sentence of context written by the model, or nothing.',
    section: 'Enrichment',
    schema: s.oneOf(['inject_summary', 'contextual', 'none']),
    fallback: 'inject_summary',
    options: { inject_summary: 'Summary of the document', contextual: 'Context of the passage', none: 'Nothing' },
    evidence: { test: 'enrich_chunks_mode indexes a summary or a context with each passage' },
  }),
  enrich_pre_made_qa: key({
    label: 'Index questions',
    help: 'The model writes questions that each passage answers, and they are indexed with it.',
    section: 'Enrichment',
    schema: s.bool(),
    fallback: false,
    evidence: { test: 'enrich_pre_made_qa finds a passage by a question it answers' },
  }),
  auto_summary: key({
    label: 'Write summaries',
    help: 'The model summarizes each document and the knowledge base.',
    section: 'Enrichment',
    schema: s.bool(),
    fallback: true,
    evidence: { test: 'auto_summary writes summaries of documents and of the base' },
  }),
};

export const embedding = {
  embedding_model: key({
    label: 'Embedding models',
    help: 'The models that make the vectors, tried in this order. Empty: the default embedding model.',
    section: 'Embedding',
    control: 'model_list',
    schema: modelNames,
    fallback: [],
    evidence: { test: 'embedding_model is what vectors are made by' },
  }),
  embedding_dimension: key({
    label: 'Dimension',
    help: 'The length that vectors must have. Empty: as the model makes them.',
    section: 'Embedding',
    schema: s.int({ ge: 1, le: 16_384 }) as z.ZodType<number | null>,
    fallback: null,
    evidence: {
      test: 'warns when the model does not match embedding_dimension, and text search still works',
    },
  }),
  mm_embedding_model: key({
    label: 'Image embedding models',
    help: 'The models that embed images, tried in this order. Empty: images are not embedded.',
    section: 'Embedding',
    control: 'model_list',
    schema: modelNames,
    fallback: [],
    evidence: { test: 'mm_embedding_model finds pictures by what is seen in them' },
  }),
};

export const privacy = {
  pii_anonimization: key({
    label: 'Anonymized personal data',
    help: 'These kinds of personal data are replaced by placeholders in what summary, enrichment, embedding and reranking models get. An empty list turns this off.',
    section: 'Personal data',
    ...piiField,
    fallback: piiEntriesOf(['EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD', 'IBAN_CODE']),
    evidence: {
      test: 'no raw value of an uploaded document or a question reaches a model, and users read the original',
    },
  }),
};
