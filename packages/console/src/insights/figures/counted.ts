import type { Counted } from '../routes.tsx';
import type { ConversationFilter, Group } from './figures.ts';

/** The filter behind a figure as the search of the list of conversations. */
export const conversationsOf = (filter: ConversationFilter, about?: string): Counted => ({
  agent: filter.assistant_id,
  version: filter.assistant_version_id,
  person: filter.person_id,
  channel: filter.channel,
  topic: filter.topic_id,
  after: filter.created_after,
  before: filter.created_before,
  about,
});

export const toolCallsOf = (filter: NonNullable<Group['tool_calls']>): Counted => ({
  agent: filter.assistant_id,
  tool: filter.tool,
  after: filter.created_after,
  before: filter.created_before,
  about: filter.tool,
});
