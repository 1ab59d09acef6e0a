import { z } from 'zod';
import * as s from '../schema/schema.ts';

/** A workspace, which the API calls a group. */
export const workspace = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Group' });

const fields = { name: s.str({ min: 1, max: 200 }), description: s.optional(s.str({ max: 2000 })) };

export const workspaceCreate = s.object(fields).meta({ id: 'GroupCreate' });
export const workspacePatch = s.object({ ...fields, name: s.optional(fields.name) }).meta({ id: 'GroupPatch' });
export const workspaceParams = s.object({ group_id: s.uuid('workspace') });

export type Workspace = z.output<typeof workspace>;
export type WorkspaceCreate = z.output<typeof workspaceCreate>;
export type WorkspacePatch = z.output<typeof workspacePatch>;
