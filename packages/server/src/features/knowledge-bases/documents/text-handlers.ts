import { drawDocumentPage, readDocumentText } from '@atrium/contract/knowledge-bases/text-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { DocumentTexts } from './document-text.ts';

export const documentTextRoutes = (texts: DocumentTexts): Route[] => [
  handle(readDocumentText, (scope, { params, query }) =>
    texts.read(scope, params.knowledge_base_id, params.document_id, query),
  ),
  handle(drawDocumentPage, (scope, { params: { knowledge_base_id, document_id, page }, query: { width } }) =>
    texts.drawPage(scope, knowledge_base_id, document_id, { page, width }),
  ),
];
