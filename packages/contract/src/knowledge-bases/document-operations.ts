import * as z from 'zod';
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
  summary: 'Create a document record or a folder',
  description:
    'Creates a record without content, or a folder when `status` is `folder`. Nothing is trained; to add content, use an upload or `generic_train`.',
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
  summary: 'Get a document',
  description: 'Returns a document with its status; while it is in training, with the stage and the progress.',
  tag,
  permission: 'kbs_query',
  params: documentParams,
  answer: kbDocument,
});

export const updateDocument = operation({
  id: 'documents.update',
  route: knowledgeBasesRoutes['documents.update'],
  summary: 'Update a document',
  description:
    'Changes the name, folder or metadata of a document; a folder takes its content along. `status: training` trains the document again and `status: uploaded` takes it out of the index; other changes of status fail with 409.',
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
  summary: 'Delete a document',
  description:
    'Deletes a document, its passages, the file that was uploaded for it and the tables made of it; a folder is deleted with its content. Returns the document as it was.',
  tag,
  permission: 'kbs_delete',
  params: documentParams,
  answer: kbDocument,
});

export const listDocuments = operation({
  id: 'documents.list',
  route: knowledgeBasesRoutes['documents.list'],
  summary: 'List the documents of a knowledge base',
  description:
    'Returns the documents of any status page by page, newest first. Folders are entries with the status `folder`.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listDocumentsAlias = operation({
  id: 'documents.listAlias',
  route: knowledgeBasesRoutes['documents.listAlias'],
  summary: 'List the documents of a knowledge base (alias with a slash at the end)',
  description: 'The same list as without the slash at the end of the path, for older clients.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listDocumentsByStatus = operation({
  id: 'documents.listByStatus',
  route: knowledgeBasesRoutes['documents.listByStatus'],
  summary: 'List the documents that have a status',
  description:
    'Returns the documents of one status page by page, newest first. Use it to follow trainings or to find the documents that failed.',
  tag,
  permission: 'kbs_query',
  params: documentsParams,
  query: documentsQuery,
  answer: documentPage,
});

export const listChunks = operation({
  id: 'knowledgeBases.listChunks',
  route: knowledgeBasesRoutes['knowledgeBases.listChunks'],
  summary: 'List the passages of a knowledge base',
  description:
    'Returns the passages that a search can find, in the order of their documents and of the text. Passages of a document appear when its training is complete. With `around`, the neighbours of one passage or place.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: chunksQuery,
  answer: chunkPage,
});

export const listIngestionRuns = operation({
  id: 'knowledgeBases.listIngestionRuns',
  route: knowledgeBasesRoutes['knowledgeBases.listIngestionRuns'],
  summary: 'List the ingestion runs of a knowledge base',
  description:
    'Returns the trainings of documents, rebuilds of the index and crawls, newest first. The answer is a plain list of at most 1,000 runs, for clients that poll the ids they got from an upload.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: runsQuery,
  answer: z.array(kbRun),
});

export const uploadDocuments = operation({
  id: 'documents.upload',
  route: knowledgeBasesRoutes['documents.upload'],
  summary: 'Upload documents and train them',
  description:
    'Stores the files of the form field `files` as documents and queues a training for each. Returns the ids of the ingestion runs in the order of the files; the trainings go on after the answer. If one file is refused, none is stored.',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  query: trainQuery,
  upload: { field: 'files', description: 'One file or more, each under this name.' },
  answer: runIds,
});

export const ingestDocuments = operation({
  id: 'documents.ingest',
  route: knowledgeBasesRoutes['documents.ingest'],
  summary: 'Train stored files or web pages',
  description:
    'Creates documents from files of the workspace or from web addresses and queues a training for each. Returns the ids of the ingestion runs. A website with `depth`, `max_pages`, `schedule` or `on_gone` becomes a site that is crawled, with one run for each address.',
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
  summary: 'Train the failed documents again',
  description:
    'Queues a training for every document with the status `error` that has a file or an address. Returns the ids of the ingestion runs.',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  answer: runIds,
});

export const reindexKnowledgeBase = operation({
  id: 'knowledgeBases.reindex',
  route: knowledgeBasesRoutes['knowledgeBases.reindex'],
  summary: 'Rebuild the index of a knowledge base',
  description:
    'Trains the documents again that were trained by other settings, and builds a new index from the passages. Searches use the old index until the new one is complete. Returns the ids of the ingestion runs; the last is that of the index.',
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
