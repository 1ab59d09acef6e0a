import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  chunksQuery,
  documentCreate,
  documentParams,
  documentPatch,
  documentsParams,
  documentsQuery,
  genericTrain,
  kbParams,
  runsQuery,
  trainQuery,
} from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { chunkPage, documentPage, kbDocument, kbRun, runIds } from './schema.ts';

const tag = 'Knowledge bases';

export const createDocument = operation({
  id: 'documents.create',
  route: knowledgeBasesRoutes['documents.create'],
  summary: 'Make a record of a document that is not trained, or a folder',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  body: documentCreate,
  example: { name: 'Contracts', prefix: '/legal', status: 'folder' },
  answer: kbDocument,
});

export const getDocument = operation({
  id: 'documents.get',
  route: knowledgeBasesRoutes['documents.get'],
  summary: 'Get a document, with its stage and progress',
  tag,
  permission: 'kbs_query',
  params: documentParams,
  answer: kbDocument,
});

export const updateDocument = operation({
  id: 'documents.update',
  route: knowledgeBasesRoutes['documents.update'],
  summary: 'Move or rename a document, train it again, or take it out of the index',
  tag,
  permission: 'kbs_edit',
  params: documentParams,
  body: documentPatch,
  example: { prefix: '/archive' },
  answer: kbDocument,
});

export const deleteDocument = operation({
  id: 'documents.delete',
  route: knowledgeBasesRoutes['documents.delete'],
  summary: 'Delete a document; answers it as it was',
  tag,
  permission: 'kbs_delete',
  params: documentParams,
  answer: kbDocument,
});

export const listDocuments = operation({
  id: 'documents.list',
  route: knowledgeBasesRoutes['documents.list'],
  summary: 'List the documents of a knowledge base, whatever their status',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listDocumentsAlias = operation({
  id: 'documents.listAlias',
  route: knowledgeBasesRoutes['documents.listAlias'],
  summary: 'List the documents of a knowledge base, whatever their status (older clients end it so)',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listDocumentsByStatus = operation({
  id: 'documents.listByStatus',
  route: knowledgeBasesRoutes['documents.listByStatus'],
  summary: 'List the documents that have this status',
  tag,
  permission: 'kbs_query',
  params: documentsParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listChunks = operation({
  id: 'knowledgeBases.listChunks',
  route: knowledgeBasesRoutes['knowledgeBases.listChunks'],
  summary: 'List the passages that a search can find, in their order',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: chunksQuery,
  answer: chunkPage,
});

export const listIngestionRuns = operation({
  id: 'knowledgeBases.listIngestionRuns',
  route: knowledgeBasesRoutes['knowledgeBases.listIngestionRuns'],
  summary: 'List the trainings of documents and rebuilds of the index, newest first',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: runsQuery,
  answer: z.array(kbRun),
});

export const uploadDocuments = operation({
  id: 'documents.upload',
  route: knowledgeBasesRoutes['documents.upload'],
  summary: 'Upload files and train them; answers the ids of the runs',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  query: trainQuery,
  upload: { field: 'files' },
  answer: runIds,
});

export const ingestDocuments = operation({
  id: 'documents.ingest',
  route: knowledgeBasesRoutes['documents.ingest'],
  summary: 'Train stored files or pages of the web; answers the ids of the runs',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  query: trainQuery,
  body: genericTrain,
  example: { source: { source_type: 'website', subtype: null, config: { urls: ['https://example.com/'] } } },
  answer: runIds,
});

export const retryFailedDocuments = operation({
  id: 'documents.retryFailed',
  route: knowledgeBasesRoutes['documents.retryFailed'],
  summary: 'Train all documents that failed once more; answers the ids of the runs',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  answer: runIds,
});

export const reindexKnowledgeBase = operation({
  id: 'knowledgeBases.reindex',
  route: knowledgeBasesRoutes['knowledgeBases.reindex'],
  summary:
    'Train by the settings of now what was trained by others, and build the index anew; answers the ids of the runs',
  tag,
  permission: 'kbs_advanced',
  params: kbParams,
  answer: runIds,
});

export const documentOperations = [
  createDocument,
  getDocument,
  updateDocument,
  deleteDocument,
  listDocuments,
  listDocumentsAlias,
  listDocumentsByStatus,
  listChunks,
  listIngestionRuns,
  uploadDocuments,
  ingestDocuments,
  retryFailedDocuments,
  reindexKnowledgeBase,
];
