import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { settingsAnswer } from '../settings/answer-schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { warningsField } from '../settings/warning-schema.ts';

export const agent = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    visible: z.boolean(),
    image_url: z.string().nullable(),
    allow_public_access: z.boolean(),
    /** The published version, whose settings `definition` shows. */
    version_id: z.guid(),
    etag: z.string(),
    created_at: z.iso.datetime(),
    last_updated_at: z.iso.datetime(),
    deleted_at: z.iso.datetime().nullable(),
    definition: settingsAnswer,
    draft_definition: settingsAnswer.nullable(),
  })
  .meta({ id: 'Agent' });

export const agentWritten = agent.extend(warningsField).meta({ id: 'AgentWritten' });
export const agentPage = paged(agent);

export const agentFields = {
  name: s.str({ min: 1, max: 200 }),
  description: s.optional(s.str({ max: 10_000 })),
  visible: s.optional(s.bool()),
  image_url: s.optional(s.str({ max: 2000, pattern: /^(?:https?:\/\/|\/|store:\/\/|data:image\/)/i })),
  allow_public_access: s.optional(s.bool()),
  definition: s.optional(settingsInput),
};

export const agentCreate = s.object(agentFields).meta({ id: 'AgentCreate' });
export const agentPatch = s.object({ ...agentFields, name: s.optional(agentFields.name) }).meta({ id: 'AgentPatch' });
export const agentParams = s.object({ agent_id: s.uuid('agent') });
export const agentPatchQuery = s.query({ preview: s.withDefault(s.bool(), false) });
export const agentListQuery = s.query({
  ...pageFields,
  deleted: s.withDefault(s.bool(), false),
  search: s.optional(s.str({ max: 200 })),
});

export const agentVersion = z
  .strictObject({
    id: z.guid(),
    agent_id: z.guid(),
    group_id: z.guid(),
    number: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    is_published: z.boolean(),
    created_by: z.guid().nullable(),
    created_at: z.iso.datetime(),
    definition: settingsAnswer,
  })
  .meta({ id: 'AgentVersion' });

export const agentVersionWritten = agentVersion.extend(warningsField).meta({ id: 'AgentVersionWritten' });

export const versionCreate = s
  .object({
    name: s.optional(s.str({ min: 1, max: 200 })),
    description: s.optional(s.str({ max: 10_000 })),
    definition: s.optional(settingsInput),
    publish: s.withDefault(s.bool(), false),
  })
  .meta({ id: 'AgentVersionCreate' });

export const versionParams = s.object({ agent_id: s.uuid('agent'), version_id: s.uuid('agent_version') });
export const diffQuery = s.query({ from: s.uuid('agent_version'), to: s.uuid('agent_version') });

export const versionDiff = z
  .strictObject({
    from: z.guid(),
    to: z.guid(),
    changes: z.array(z.strictObject({ key: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'AgentVersionDiff' });

export type AgentCreate = z.output<typeof agentCreate>;
export type AgentPatch = z.output<typeof agentPatch>;
export type AgentListQuery = z.output<typeof agentListQuery>;
export type VersionCreate = z.output<typeof versionCreate>;
export type VersionDiff = z.output<typeof versionDiff>;
