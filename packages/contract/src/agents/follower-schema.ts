import * as z from 'zod';
import * as s from '../schema/schema.ts';

export const following = z
  .strictObject({ following: z.boolean().describe('Whether the person follows the agent now.') })
  .meta({ id: 'Following' });

export const follower = z
  .strictObject({
    person_id: z.guid().describe('The person who follows the agent.'),
    name: z.string().describe('The name of the person.'),
    since: z.iso.datetime().describe('Since when (ISO 8601, UTC).'),
  })
  .meta({ id: 'AgentFollower' });
export const followers = z.array(follower);

export const followedAgent = z
  .strictObject({
    id: z.guid().describe('The id of the agent.'),
    name: z.string().describe('The name of the agent.'),
    image_url: z.string().nullable().describe('The address of its picture. Null: it has none.'),
    since: z.iso.datetime().describe('Since when the person follows it (ISO 8601, UTC).'),
  })
  .meta({ id: 'FollowedAgent' });
export const followedAgents = z.array(followedAgent);

export const agentDuplicate = s
  .object({
    name: s.optional(s.str({ min: 1, max: 200 })).describe('The name of the copy; "Copy of" the agent unless given.'),
  })
  .meta({ id: 'AgentDuplicate' });

export type Follower = z.output<typeof follower>;
export type FollowedAgent = z.output<typeof followedAgent>;
