import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { channels, configInput } from './channel-config.ts';

/** An agent as it is reached through one channel. Of its secrets only whether they are there. */
export const deployment = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    agent_id: z.guid(),
    channel: z.enum(channels),
    name: z.string(),
    enabled: z.boolean(),
    /** Stand in the prompt of its conversations as `deployment_custom_instructions`. */
    custom_instructions: z.string().nullable(),
    config: z.record(z.string(), z.unknown()),
    /** Where the channel sends its messages. */
    inbound_path: z.string(),
    /** The public chat page, and the script that puts it into another page; of `web` only. */
    page_path: z.string().nullable(),
    embed_path: z.string().nullable(),
    last_message_at: z.iso.datetime().nullable(),
    last_error: z.strictObject({ message: z.string(), at: z.iso.datetime() }).nullable(),
    etag: z.string(),
    created_at: z.iso.datetime(),
    last_updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Deployment' });

/** With the secrets that were made just now: they are shown this once. */
export const deploymentMade = deployment
  .extend({ made_secrets: z.record(z.string(), z.string()) })
  .meta({ id: 'DeploymentMade' });

export const deploymentPage = paged(deployment);

const fields = {
  name: s.optional(s.str({ min: 1, max: 200 })),
  enabled: s.optional(s.bool()),
  custom_instructions: s.optional(s.str({ max: 100_000 })),
  config: s.optional(configInput),
};

export const deploymentCreate = s.object({ channel: s.oneOf(channels), ...fields }).meta({ id: 'DeploymentCreate' });
export const deploymentPatch = s.object(fields).meta({ id: 'DeploymentPatch' });
export const deploymentsParams = s.object({ agent_id: s.uuid('agent') });
export const deploymentParams = s.object({ agent_id: s.uuid('agent'), deployment_id: s.uuid('deployment') });
export const deploymentListQuery = s.query(pageFields);

export type Deployment = z.output<typeof deployment>;
export type DeploymentMade = z.output<typeof deploymentMade>;
export type DeploymentCreate = z.output<typeof deploymentCreate>;
export type DeploymentPatch = z.output<typeof deploymentPatch>;
