import * as z from 'zod';
import { operation } from '../operation.ts';
import * as s from '../schema/schema.ts';
import { kbParams } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';

const tag = 'Knowledge bases';

export const bulkBody = s
  .object({
    action: s
      .oneOf(['delete', 'move', 'train'])
      .describe('`delete` needs the permission `kbs_delete`; `move` to `prefix` and `train` again need `kbs_edit`.'),
    document_ids: s
      .list(s.uuid(), { min: 1, max: 1000 })
      .describe('The documents and folders, at most 1,000; each is answered for itself.'),
    prefix: s
      .optional(s.str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u }))
      .describe('The folder to move to; needed by `move`.'),
  })
  .meta({ id: 'KnowledgeBaseDocumentsBulk' });

const bulkAnswer = z
  .strictObject({
    done: z.int().describe('How many were done.'),
    failed: z.int().describe('How many were not.'),
    items: z
      .array(
        z.strictObject({
          id: z.guid().describe('The id of the request.'),
          done: z.boolean().describe('Whether it was done; a training goes on after the answer.'),
          code: z
            .string()
            .nullable()
            .describe('Why it was not done, such as `not_found` or `nothing_to_train`; null when it was.'),
          message: z.string().nullable().describe('The same in a sentence.'),
        }),
      )
      .describe('One entry for each id, in the order of the request; an id that is given twice has one.'),
  })
  .meta({ id: 'KnowledgeBaseDocumentsBulkAnswer' });

export const changeDocuments = operation({
  id: 'documents.bulk',
  route: knowledgeBasesRoutes['documents.bulk'],
  summary: 'Delete, move or train many documents',
  description:
    'Does the same with up to 1,000 documents and folders and answers for each of them. One that fails does not keep the others from being done; those that the caller does not see are not found.',
  tag,
  permission: ['kbs_edit', 'kbs_delete'],
  params: kbParams,
  body: bulkBody,
  example: { action: 'train', document_ids: ['01900000-0000-7000-8000-000000000000'] },
  answer: bulkAnswer,
});

export type BulkBody = z.output<typeof bulkBody>;
export type BulkAnswer = z.output<typeof bulkAnswer>;
