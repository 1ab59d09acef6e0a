import { changeDocuments } from '@atrium/contract/knowledge-bases/bulk-operations.ts';
import {
  createDocument,
  deleteDocument,
  getDocument,
  ingestDocuments,
  listChunks,
  listDocuments,
  listDocumentsAlias,
  listDocumentsByStatus,
  listIngestionRuns,
  reindexKnowledgeBase,
  retryFailedDocuments,
  updateDocument,
  uploadDocuments,
} from '@atrium/contract/knowledge-bases/document-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Trainings } from '../ingest/trainings.ts';
import type { ChangeDocuments } from './bulk-documents.ts';
import type { Documents } from './documents.ts';

export const documentRoutes = (documents: Documents, trainings: Trainings, change: ChangeDocuments): Route[] => [
  handle(changeDocuments, (scope, { params, body }) => change(scope, params.knowledge_base_id, body)),
  handle(createDocument, (scope, { params, body }) => documents.create(scope, params.knowledge_base_id, body)),
  handle(getDocument, (scope, { params }) => documents.find(scope, params.knowledge_base_id, params.document_id)),
  handle(updateDocument, (scope, { params, body }) =>
    documents.update(scope, params.knowledge_base_id, params.document_id, body),
  ),
  handle(deleteDocument, (scope, { params }) => documents.remove(scope, params.knowledge_base_id, params.document_id)),
  handle(listDocuments, (scope, { params, query }) => documents.list(scope, params.knowledge_base_id, query)),
  handle(listDocumentsAlias, (scope, { params, query }) => documents.list(scope, params.knowledge_base_id, query)),
  handle(listDocumentsByStatus, (scope, { params, query }) =>
    documents.list(scope, params.knowledge_base_id, query, params.status),
  ),
  handle(listChunks, (scope, { params, query }) => documents.chunks(scope, params.knowledge_base_id, query)),
  handle(listIngestionRuns, (scope, { params, query }) => documents.runs(scope, params.knowledge_base_id, query)),
  handle(uploadDocuments, (scope, input) =>
    trainings.upload(scope, input.params.knowledge_base_id, input.query, input.files()),
  ),
  handle(ingestDocuments, (scope, { params, query, body }) =>
    trainings.generic(scope, params.knowledge_base_id, query, body),
  ),
  handle(retryFailedDocuments, (scope, { params }) => trainings.retry(scope, params.knowledge_base_id)),
  handle(reindexKnowledgeBase, (scope, { params }) => trainings.reindex(scope, params.knowledge_base_id)),
];
