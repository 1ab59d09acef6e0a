import * as z from 'zod';
import { createdAt, groupId, updatedAt } from '../fields.ts';
import { health } from '../health.ts';
import { owner, pausedReason } from '../keys/schema.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { channels, configInput } from './channel-config.ts';

/** An agent that is reachable through a channel. Secrets are masked. */
export const deployment = z
  .strictObject({
    id: z.guid().describe('The id of the deployment.'),
    group_id: groupId,
    agent_id: z.guid().describe('The agent that answers.'),
    channel: z.enum(channels).describe('The channel that the agent is reached through.'),
    name: z.string().describe('The name of the deployment.'),
    enabled: z.boolean().describe('Whether messages are accepted.'),
    owner: owner
      .nullable()
      .describe('Who lends conversations the rights to run, as far as the owner holds them. Null: the owner is gone.'),
    paused_reason: pausedReason,
    custom_instructions: z
      .string()
      .nullable()
      .describe('Added to the prompt of its conversations as `deployment_custom_instructions`.'),
    config: z
      .record(z.string(), z.unknown())
      .describe('The configuration of the channel with its defaults; secrets are masked, and null when not set.'),
    inbound_path: z.string().describe('The path below the address of the server that the channel posts messages to.'),
    page_path: z.string().nullable().describe('The path of the public chat page. Null unless the channel is `web`.'),
    embed_path: z
      .string()
      .nullable()
      .describe('The path of the script that embeds the chat page in another page. Null unless the channel is `web`.'),
    last_message_at: z.iso.datetime().nullable().describe('When a message last arrived. Null: not yet.'),
    last_error: z
      .strictObject({
        message: z.string().describe('What went wrong.'),
        at: z.iso.datetime().describe('When it went wrong (ISO 8601, UTC).'),
      })
      .nullable()
      .describe('Why the channel last failed. Null: it works, as far as is known.'),
    health,
    etag: z.string().describe('The version of the record, for the header `If-Match`.'),
    created_at: createdAt,
    last_updated_at: updatedAt,
    may: mayField('deployment'),
  })
  .meta({ id: 'Deployment' });

export const deploymentMade = deployment
  .extend({
    made_secrets: z
      .record(z.string(), z.string())
      .describe('The secrets that this request generated, by the name of their field; they are not shown again.'),
  })
  .meta({ id: 'DeploymentMade' });

export const deploymentPage = paged(
  deployment,
  summaryOf(deployment, [
    'id',
    'agent_id',
    'channel',
    'name',
    'enabled',
    'paused_reason',
    'health',
    'last_message_at',
    'etag',
    'created_at',
    'last_updated_at',
  ]),
);

const fields = {
  name: s
    .optional(s.str({ min: 1, max: 200 }))
    .describe('The name of the deployment; the name of the channel unless given.'),
  enabled: s.optional(s.bool()).describe('Whether messages are accepted; true unless given.'),
  custom_instructions: s
    .optional(s.str({ max: 100_000 }))
    .describe('Added to the prompt of its conversations as `deployment_custom_instructions`.'),
  config: s.optional(configInput).describe('The configuration of the channel; each channel has its own fields.'),
};

export const deploymentCreate = s
  .object({ channel: s.oneOf(channels).describe('The channel to deploy to; it cannot be changed.'), ...fields })
  .meta({ id: 'DeploymentCreate' });
export const deploymentPatch = s.object(fields).meta({ id: 'DeploymentPatch' });
const agent_id = s.uuid('agent').describe('The id of the agent.');
export const deploymentsParams = s.object({ agent_id });
export const deploymentParams = s.object({
  agent_id,
  deployment_id: s.uuid('deployment').describe('The id of the deployment.'),
});
export const deploymentListQuery = s.query(
  namedList(['name', 'created_at', 'last_updated_at'], { order: 'the oldest first' }),
);
export const workspaceDeploymentsQuery = s.query({
  ...namedList(['name', 'created_at', 'last_updated_at']),
  channel: s.optional(s.oneOf(channels)).describe('Only deployments to this channel.'),
  enabled: s.optional(s.bool()).describe('Only deployments that are switched on (true) or off (false).'),
  failing: s.optional(s.bool()).describe('Only deployments with a `last_error` (true) or without one (false).'),
});

export type Deployment = z.output<typeof deployment>;
export type WorkspaceDeploymentsQuery = z.output<typeof workspaceDeploymentsQuery>;
export type DeploymentMade = z.output<typeof deploymentMade>;
export type DeploymentCreate = z.output<typeof deploymentCreate>;
export type DeploymentPatch = z.output<typeof deploymentPatch>;
