import { z } from 'zod';
import { type Inbound, unreadable } from '../channel.ts';
import { plainText } from './mrkdwn.ts';

const file = z.object({
  name: z.string().nullish(),
  title: z.string().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
});

const event = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  text: z.string().default(''),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
  channel: z.string().optional(),
  channel_type: z.string().optional(),
  files: z.array(file).default([]),
});

const envelope = z.object({
  type: z.string(),
  challenge: z.string().optional(),
  team_id: z.string().default(''),
  event: event.optional(),
  authorizations: z.array(z.object({ user_id: z.string().optional() })).default([]),
});

/** A message of a person; other subtypes are joins, edits and the like. */
const spoken = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message']);

/** One delivery of the Events API: a message of a person, the challenge that tests the address, or nothing for us. */
export function readEvent(bytes: Buffer): { challenge?: string; message?: Inbound } {
  let parsed: z.output<typeof envelope>;
  try {
    parsed = envelope.parse(JSON.parse(bytes.toString()));
  } catch {
    throw unreadable('This is no event of Slack');
  }
  if (parsed.type === 'url_verification') return { challenge: parsed.challenge ?? '' };
  const { event: told, team_id } = parsed;
  const bot = parsed.authorizations[0]?.user_id;
  if (parsed.type !== 'event_callback' || !told || !/^(?:message|app_mention)$/.test(told.type)) return {};
  const { user, channel, ts, thread_ts } = told;
  // The agent's own words come back as events too.
  if (!user || !channel || !ts || told.bot_id || user === bot || !spoken.has(told.subtype)) return {};
  const text = plainText(told.text, bot);
  const files = told.files.flatMap(({ name, title, url_private_download, url_private }) => {
    const url = url_private_download ?? url_private;
    return url ? [{ name: name || title || 'file', url }] : [];
  });
  if (!text && files.length === 0) return {};
  const direct = told.channel_type === 'im';
  const mentioned = told.type === 'app_mention' || (bot !== undefined && told.text.includes(`<@${bot}`));
  // People who write to the agent alone do not open threads; elsewhere a message that is in none begins one.
  const thread = thread_ts ?? (direct ? undefined : ts);
  return {
    message: {
      // Slack delivers a mention twice, as a mention and as a message; both have the same time stamp.
      event_id: `${channel}:${ts}`,
      thread: `${team_id}:${channel}:${thread ?? ''}`,
      ref: { team_id, channel, user, ...(thread && { thread_ts: thread }) },
      ...{ text, files },
      ...(!direct && { place: { team_id, channel }, unaddressed: !mentioned }),
    },
  };
}
