import * as z from 'zod';
import { actorField } from '../actor.ts';
import { overrideReason } from '../evaluations/gate-schema.ts';
import { createdAt, groupId } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { facetsField, paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { settingsAnswer } from '../settings/answer-schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { warningsField } from '../settings/warning-schema.ts';
import { agentLock } from './lock-schema.ts';

export const agent = z
  .strictObject({
    id: z.guid().describe('The id of the agent.'),
    group_id: groupId,
    name: z.string().describe('The name of the agent.'),
    description: z.string().nullable().describe('What the agent is for; null when it has no description.'),
    visible: z.boolean().describe('Whether clients list the agent for users; stored for clients.'),
    image_url: z.string().nullable().describe('The address of its picture; null when it has none.'),
    allow_public_access: z.boolean().describe('Whether the agent is meant for the public; stored for clients.'),
    version_id: z.guid().describe('The published version, whose settings `definition` shows.'),
    etag: z.string().describe('Changes with every update; send it as `If-Match` to refuse a lost update.'),
    created_at: createdAt,
    last_updated_at: z.iso.datetime().describe('When the agent was last changed (ISO 8601, UTC).'),
    deleted_at: z.iso.datetime().nullable().describe('When the agent was deleted; null while it is not.'),
    locks: z
      .array(agentLock)
      .describe('The locks that are on, in the published settings or the draft: who turned them on, when and why.'),
    definition: settingsAnswer.describe('All settings of the published version.'),
    draft: z
      .strictObject({
        by: z
          .guid()
          .nullable()
          .describe('The id of the API key or person that changed the draft last. Null: not known.'),
        by_actor: actorField('Who changed the draft last.'),
        at: z.iso.datetime().nullable().describe('When it was changed (ISO 8601, UTC). Null: not known.'),
      })
      .nullable()
      .describe('Who changed the draft and when; null when there is no draft.'),
    draft_definition: settingsAnswer
      .nullable()
      .describe('All settings of the draft, which only preview conversations use; null when there is no draft.'),
    may: mayField('agent'),
  })
  .meta({ id: 'Agent' });

export const agentWritten = agent.extend(warningsField).meta({ id: 'AgentWritten' });
export const agentPage = paged(
  agent,
  summaryOf(agent, [
    'id',
    'name',
    'description',
    'visible',
    'image_url',
    'version_id',
    'etag',
    'created_at',
    'last_updated_at',
    'deleted_at',
    'draft',
  ]),
);

export const agentFields = {
  name: s.str({ min: 1, max: 200 }).describe('The name of the agent.'),
  description: s.optional(s.str({ max: 10_000 })).describe('What the agent is for.'),
  visible: s
    .optional(s.bool())
    .describe('Whether clients list the agent for users; stored for clients. True unless given.'),
  image_url: s
    .optional(s.str({ max: 2000, pattern: /^(?:https?:\/\/|\/|store:\/\/|data:image\/)/i }))
    .describe('The address of its picture, or the picture as a data URL.'),
  allow_public_access: s
    .optional(s.bool())
    .describe('Whether the agent is meant for the public; stored for clients. False unless given.'),
  definition: s.optional(settingsInput).describe('The settings to set; keys that are left out stay as they are.'),
};

const lockReason = s
  .optional(s.str({ max: 2000 }))
  .describe('Why this request turns locks on; shown with them and in refusals. Without a new lock it has no effect.');

export const agentCreate = s
  .object({
    ...agentFields,
    lock_reason: lockReason,
    starting_point: s
      .optional(s.str({ max: 100 }))
      .describe('The key of a starting point, whose settings and description the agent gets; given ones win.'),
  })
  .meta({ id: 'AgentCreate' });
export const agentPatch = s
  .object({
    ...agentFields,
    name: s.optional(agentFields.name).describe('The name of the agent.'),
    lock_reason: lockReason,
    override_reason: overrideReason(),
  })
  .meta({ id: 'AgentPatch' });
const agentId = s.uuid('agent').describe('The id of the agent.');
export const agentParams = s.object({ agent_id: agentId });
export const agentPatchQuery = s.query({
  preview: s
    .withDefault(s.bool(), false)
    .describe('True writes the settings to the draft; false publishes them as a new version and ends the draft.'),
});
export const agentListQuery = s.query({
  ...namedList(['name', 'created_at', 'last_updated_at'], { order: 'those that changed last first' }),
  deleted: s.withDefault(s.bool(), false).describe('True lists deleted agents instead of the others.'),
  facets: facetsField(),
});

export const agentVersion = z
  .strictObject({
    id: z.guid().describe('The id of the version.'),
    agent_id: z.guid().describe('The agent that the version belongs to.'),
    group_id: groupId,
    number: z.int().describe('Counts the versions of the agent from 1.'),
    name: z.string().describe('The name of the version.'),
    description: z.string().nullable().describe('What changed; null when it has no description.'),
    is_published: z.boolean().describe('Whether new conversations use this version.'),
    created_by: z
      .guid()
      .nullable()
      .describe('The id of the API key or person that created the version; null when it is unknown.'),
    created_by_actor: actorField('Who created the version.'),
    created_at: createdAt,
    override_reason: z
      .string()
      .nullable()
      .describe('Why it was published although it had not passed the evaluation of the agent. Null: it was not.'),
    override_by: z.guid().nullable().describe('The id of the API key or person that did so; null when there is none.'),
    override_by_actor: actorField('Who did so.'),
    override_at: z.iso.datetime().nullable().describe('When that was (ISO 8601, UTC). Null: it was not.'),
    definition: settingsAnswer.describe('All settings of the version.'),
  })
  .meta({ id: 'AgentVersion' });

export const agentVersionWritten = agentVersion.extend(warningsField).meta({ id: 'AgentVersionWritten' });

export const versionCreate = s
  .object({
    name: s.optional(s.str({ min: 1, max: 200 })).describe('The name of the version; `v` and its number unless given.'),
    description: s.optional(s.str({ max: 10_000 })).describe('What changed.'),
    definition: s
      .optional(settingsInput)
      .describe('Settings over those of the published version. Without them, the version is a copy of the draft.'),
    publish: s.withDefault(s.bool(), false).describe('Whether to publish the version at once.'),
    override_reason: overrideReason(),
  })
  .meta({ id: 'AgentVersionCreate' });

export const versionPublish = s.object({ override_reason: overrideReason() }).meta({ id: 'AgentVersionPublish' });

export const versionParams = s.object({
  agent_id: agentId,
  version_id: s.uuid('agent_version').describe('The id of the version.'),
});
export const diffQuery = s.query({
  from: s.uuid('agent_version').describe('The version to compare from.'),
  to: s.uuid('agent_version').describe('The version to compare to.'),
});

export const versionDiff = z
  .strictObject({
    from: z.guid().describe('The version compared from.'),
    to: z.guid().describe('The version compared to.'),
    changes: z
      .array(
        z.strictObject({
          key: z.string().describe('The setting that differs.'),
          before: z.unknown().describe('Its value in the version compared from.'),
          after: z.unknown().describe('Its value in the version compared to.'),
        }),
      )
      .describe('The settings that differ, in the order of the settings.'),
  })
  .meta({ id: 'AgentVersionDiff' });

export type AgentCreate = z.output<typeof agentCreate>;
export type AgentPatch = z.output<typeof agentPatch>;
export type AgentListQuery = z.output<typeof agentListQuery>;
export type VersionCreate = z.output<typeof versionCreate>;
export type VersionDiff = z.output<typeof versionDiff>;
