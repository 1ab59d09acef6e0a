import { z } from 'zod';
import { key, type Values, webAddress } from '../lib/environment-fields.ts';

/** Settings of the search in knowledge bases. */
export const knowledgeBaseVariables = {
  ATRIUM_EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe(
      'Embedding model of knowledge bases that name none (provider/name); without it they are searched by words and by vectors learned from their documents',
    ),
  ATRIUM_RERANK_URL: webAddress.optional().describe('Address of a hosted ranking API; it is asked at /rerank below it'),
  ATRIUM_RERANK_API_KEY: key('the hosted ranking API'),
  ATRIUM_OCR_DATA: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'Folder with further OCR languages for knowledge bases: packages (npm install --prefix FOLDER @tesseract.js-data/deu) ' +
        'or files such as deu.traineddata',
    ),
};

export const knowledgeBasesFrom = (e: Values<typeof knowledgeBaseVariables>) => ({
  embedding_model: e.ATRIUM_EMBEDDING_MODEL,
  rerank_url: e.ATRIUM_RERANK_URL,
  rerank_api_key: e.ATRIUM_RERANK_API_KEY,
  ocr_data: e.ATRIUM_OCR_DATA,
});
