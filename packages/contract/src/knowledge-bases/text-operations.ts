import * as z from 'zod';
import { operation } from '../operation.ts';
import { documentParams } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { documentText, pageParams, pageQuery, textQuery } from './text-schema.ts';

const tag = 'Knowledge bases';

export const readDocumentText = operation({
  id: 'documents.text',
  route: knowledgeBasesRoutes['documents.text'],
  summary: 'Read the text of a document',
  description:
    'Returns the text that the last training read, block by block: headings, paragraphs, lists, tables, with the places that citations and passages refer to. Long texts come in parts: ask again from `next_start`. A document that is not trained has no text.',
  tag,
  permission: 'kbs_query',
  params: documentParams,
  query: textQuery,
  answer: documentText,
});

export const drawDocumentPage = operation({
  id: 'documents.page',
  route: knowledgeBasesRoutes['documents.page'],
  summary: 'Get a page of a document as an image',
  description:
    'Returns a page of a PDF as WebP; of an image or an Office file page 1 is a picture of it. The picture is drawn when first asked for and kept. A document without such a page is answered with 409 `no_preview`.',
  tag,
  permission: 'kbs_query',
  params: pageParams,
  query: pageQuery,
  content_type: 'image/webp',
  answer: z.unknown(),
});

export const documentTextOperations = [readDocumentText, drawDocumentPage];
