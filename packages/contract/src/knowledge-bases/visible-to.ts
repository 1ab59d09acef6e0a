import * as z from 'zod';
import * as s from '../schema/schema.ts';

export const viewerKinds = ['role', 'user_group', 'person'] as const;

/** Who sees a document, as answers have it. */
export const visibleTo = z
  .array(
    z.strictObject({
      kind: z.enum(viewerKinds).describe('A role of the workspace, a group of people, or one person.'),
      id: z.guid().describe('The id of the role, group or person.'),
    }),
  )
  .nullable()
  .describe(
    'Who sees it, where its folders allow it too; null: everybody who may read the knowledge base. An empty list: nobody; those who may edit the knowledge base still see it in lists.',
  );

const viewerInput = s.object({
  kind: s
    .oneOf([...viewerKinds, 'everybody'])
    .describe('A role of the workspace, a group of people, one person; or `everybody`, alone in the list.'),
  id: s.optional(s.uuid()).describe('The id of the role, group or person; not given with `everybody`.'),
});

export const visibleToInput = s
  .list(viewerInput, { max: 500 })
  .describe(
    'Who sees it: at most 500 roles of the workspace, groups and people. An empty list: nobody. `[{"kind": "everybody"}]`: everybody who may read the knowledge base.',
  );

/** The same in a query: `role:<id>,person:<id>`; empty: nobody. */
export const visibleToQuery = s
  .str({
    max: 30_000,
    pattern:
      /^(|everybody|(role|user_group|person):[0-9a-fA-F-]{36}(,(role|user_group|person):[0-9a-fA-F-]{36}){0,499})$/,
  })
  .describe(
    'Who sees the documents, as `role:<id>,person:<id>`, with the kinds `role`, `user_group` and `person`; empty: nobody. Not given, or `everybody`: everybody who may read the knowledge base.',
  );

export const folderRights = z
  .strictObject({
    prefix: z.string().describe('The folder, with slashes at both ends.'),
    visible_to: visibleTo,
  })
  .meta({ id: 'KnowledgeBaseFolderRights' });

export const folderRightsBody = s
  .object({
    prefix: s
      .str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u })
      .describe('The folder; `/` is the whole knowledge base. It need not hold documents yet.'),
    visible_to: visibleToInput,
  })
  .meta({ id: 'KnowledgeBaseFolderRightsSet' });

export type VisibleTo = z.output<typeof visibleTo>;
export type VisibleToInput = z.output<typeof visibleToInput>;
export type FolderRights = z.output<typeof folderRights>;
export type FolderRightsBody = z.output<typeof folderRightsBody>;
