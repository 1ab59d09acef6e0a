import type * as z from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import * as s from '../schema/schema.ts';
import { documentParams, kbParams } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { kbChunk } from './schema.ts';

const tag = 'Knowledge bases';
const content = s.str({ min: 1, max: 100_000, pattern: /\S/ });

export const passageCreate = s
  .object({
    content: content.describe('The text of the passage.'),
    headings: s
      .optional(s.list(s.str({ min: 1, max: 1000 }), { max: 20 }))
      .describe('The headings above it, the outermost first; they are searched too.'),
    page: s.optional(s.int({ ge: 1, le: 1_000_000 })).describe('The page that it belongs to.'),
    start: s
      .optional(s.int({ ge: 0, le: 1_000_000_000 }))
      .describe('The place in the text of the document that it belongs to; its end unless given.'),
  })
  .meta({ id: 'KnowledgeBasePassageCreate' });

export const passagePatch = s
  .object({
    content: s
      .optional(content)
      .describe('The new text; the text that the training read makes the passage unedited again.'),
    enabled: s.optional(s.bool()).describe('False: searches no longer find the passage.'),
  })
  .meta({ id: 'KnowledgeBasePassagePatch' });

export const passageParams = s.object({
  ...kbParams.shape,
  chunk_id: s.uuid('kb_chunk').describe('The id of the passage.'),
});

export const addPassage = operation({
  id: 'passages.create',
  route: knowledgeBasesRoutes['passages.create'],
  summary: 'Add a passage to a document',
  description:
    'Adds a passage by hand, which searches find as one of the document. It stays when the document is trained again and goes with the document. Fails with 409 `document_in_training` or `document_not_trained` while the document has no passages to stand beside.',
  tag,
  permission: 'kbs_edit',
  params: documentParams,
  body: passageCreate,
  example: { content: 'The office is closed on Fridays in August.' },
  answer: kbChunk,
});

export const updatePassage = operation({
  id: 'passages.update',
  route: knowledgeBasesRoutes['passages.update'],
  summary: 'Edit a passage or switch it off',
  description:
    'Changes the text of a passage, or switches it off and on; searches follow within moments. Its headings stay those of the document: to be rid of one, switch the passage off and add another. When the document is trained again, the change is kept where the training reads the same text again; otherwise it is dropped, and `notes` of the document say so. Fails with 409 `document_in_training` while the document is trained, and `picture_passage` for the text of a picture.',
  tag,
  permission: 'kbs_edit',
  params: passageParams,
  body: passagePatch,
  example: { enabled: false },
  answer: kbChunk,
});

export const deletePassage = operation({
  id: 'passages.delete',
  route: knowledgeBasesRoutes['passages.delete'],
  summary: 'Delete a passage that was added by hand',
  description:
    'Deletes a passage that was added by hand. A passage of the document itself fails with 409 `passage_of_document`: switch it off instead.',
  tag,
  permission: 'kbs_edit',
  params: passageParams,
  answer: success,
});

export const passageOperations = [addPassage, updatePassage, deletePassage];

export type PassageCreate = z.output<typeof passageCreate>;
export type PassagePatch = z.output<typeof passagePatch>;
