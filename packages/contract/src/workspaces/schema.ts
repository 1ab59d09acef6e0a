import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import * as s from '../schema/schema.ts';
import { piiAllowList } from '../settings/keys/safety.ts';

/** A workspace, which the API calls a group. */
export const workspace = z
  .strictObject({
    id: z.guid().describe('The id of the workspace; other records name it as `group_id`.'),
    name: z.string().describe('The name of the workspace.'),
    description: z.string().nullable().describe('What the workspace is for.'),
    pii_allow: z
      .array(z.string())
      .describe('Words that are never taken for personal data in this workspace, besides those of an agent.'),
    file_quota_mb: z
      .int()
      .describe(
        'The megabytes of messages, runs, rows and files that the workspace may keep together. 0: as many as the server lets every workspace keep.',
      ),
    file_bytes: z.int().describe('The bytes of files that it keeps, those of documents, messages and agents included.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'Group' });

const fields = {
  name: s.str({ min: 1, max: 200 }).describe('The name of the workspace.'),
  description: s.optional(s.str({ max: 2000 })).describe('What the workspace is for.'),
  pii_allow: s
    .optional(piiAllowList)
    .describe(
      'Words that are never taken for personal data in this workspace, besides those of an agent; `*` stands for any characters but spaces.',
    ),
};

export const workspaceCreate = s.object(fields).meta({ id: 'GroupCreate' });
export const workspacePatch = s
  .object({
    ...fields,
    name: s.optional(fields.name).describe('The name of the workspace.'),
    file_quota_mb: s
      .optional(s.int({ ge: 0, le: 1_000_000_000 }))
      .describe(
        'The megabytes of messages, runs, rows and files that the workspace may keep together; 0 sets no limit of its own. It replaces the default of the program; a lower limit that the operator has set holds besides. Only administrators of the organization may set it.',
      ),
  })
  .meta({ id: 'GroupPatch' });
export const workspaceParams = s.object({ group_id: s.uuid('workspace').describe('The id of the workspace.') });

export type Workspace = z.output<typeof workspace>;
export type WorkspaceCreate = z.output<typeof workspaceCreate>;
export type WorkspacePatch = z.output<typeof workspacePatch>;
