import { createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Web } from '../../../drivers/web/driver.ts';
import { WebRefused } from '../../../drivers/web/driver.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { ask } from '../ask.ts';
import { type Channel, ChannelFailure, type ChannelRef, forged, type SentBytes } from '../channel.ts';
import { isFresh, sameText } from '../signature.ts';
import { readEvent } from './events.ts';
import { mrkdwn } from './mrkdwn.ts';

/** Slack's own advice is 4,000 characters; what Markdown becomes may be longer than it was. */
const limit = 3500;
const largestFile = 25 * 1024 * 1024;
/** What another try does not change. */
const hopeless = new Set(['channel_not_found', 'is_archived', 'msg_too_long', 'restricted_action', 'thread_locked']);
/** The message to be replaced is gone, or can't be changed any more. */
const noUpdate = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

function checkSignature({ secrets }: LiveDeployment, { bytes, headers }: SentBytes): void {
  const timestamp = headers['x-slack-request-timestamp'];
  const secret = secrets['signing_secret'];
  if (!secret || !isFresh(timestamp)) throw forged();
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex');
  if (!sameText(headers['x-slack-signature'] ?? '', `v0=${digest}`)) throw forged();
}

/** The bot's token goes to Slack only, whatever address a message names. */
function isSlacks(url: string, api_url: string): boolean {
  const parsed = URL.parse(url);
  if (!parsed) return false;
  return (
    parsed.origin === new URL(api_url).origin ||
    (parsed.protocol === 'https:' && /(?:^|\.)slack\.com$/.test(parsed.hostname))
  );
}

class SlackRefused extends ChannelFailure {
  readonly error: string;
  constructor(error: string) {
    super(`Slack refused: ${error}`, { final: hopeless.has(error) });
    this.error = error;
  }
}

/** Slack, by its Events API and its Web API. */
export function makeSlackChannel(web: Web): Channel {
  async function call({ config, secrets }: LiveDeployment, method: string, body: Record<string, unknown>) {
    const { json } = await ask(web, 'Slack', `${config.api_url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets['bot_token']}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    });
    if (json['ok'] !== true)
      throw new SlackRefused(
        String(json['error'] ?? 'no answer')
          .replaceAll(/\W/g, ' ')
          .slice(0, 80),
      );
    return json;
  }

  const placeOf = (ref: ChannelRef) => ({
    channel: ref['channel'],
    ...(typeof ref['thread_ts'] === 'string' && { thread_ts: ref['thread_ts'] }),
  });

  /** Whether a message that may have been sent before stands in its thread. Where the bot may not look, it is not known. */
  async function stands(deployment: LiveDeployment, ref: ChannelRef, id: string): Promise<boolean> {
    const { channel, thread_ts } = placeOf(ref);
    const look = { channel, limit: 100, include_all_metadata: true };
    const asked = thread_ts
      ? call(deployment, 'conversations.replies', { ...look, ts: thread_ts })
      : call(deployment, 'conversations.history', look);
    const json = await asked.catch((error: unknown) => {
      if (error instanceof SlackRefused) return {};
      throw error;
    });
    const messages = (json as { messages?: { metadata?: { event_payload?: { id?: unknown } } }[] }).messages ?? [];
    return messages.some(({ metadata }) => metadata?.event_payload?.id === id);
  }

  return {
    limit,

    async receive(deployment, sent) {
      checkSignature(deployment, sent);
      const { challenge, message } = readEvent(sent.bytes);
      if (challenge !== undefined) return { messages: [], answer: { challenge } };
      return { messages: message ? [message] : [] };
    },

    async fetch({ config, secrets }, { url = '' }) {
      if (!isSlacks(url, String(config.api_url)))
        throw new ChannelFailure('A file is kept where the token of this deployment is not sent', { final: true });
      try {
        const headers = { authorization: `Bearer ${secrets['bot_token']}` };
        const answer = await web.fetch(url, { headers, max_bytes: largestFile });
        // Without the right to files Slack shows a page to sign in on.
        if (answer.status === 200 && !answer.url.includes('/signin')) return await buffer(answer.body);
        answer.body.destroy();
        throw new ChannelFailure('A file could not be had from Slack; the app needs the scope files:read');
      } catch (error) {
        if (error instanceof WebRefused)
          throw new ChannelFailure(`A file could not be had from Slack: ${error.message}`);
        throw error;
      }
    },

    async thinking(deployment, ref, text) {
      const { ts } = await call(deployment, 'chat.postMessage', { ...placeOf(ref), text: mrkdwn(text) });
      return typeof ts === 'string' ? ts : null;
    },

    async send(deployment, { id, ref, text, placeholder, again }) {
      const metadata = { event_type: 'atrium_reply', event_payload: { id } };
      const said = { text: mrkdwn(text), metadata };
      if (placeholder !== null) {
        try {
          await call(deployment, 'chat.update', { channel: ref['channel'], ts: placeholder, ...said });
          return;
        } catch (error) {
          if (!(error instanceof SlackRefused && noUpdate.has(error.error))) throw error;
        }
      }
      if (again && (await stands(deployment, ref, id))) return;
      await call(deployment, 'chat.postMessage', {
        ...placeOf(ref),
        ...said,
        unfurl_links: false,
        unfurl_media: false,
      });
    },
  };
}
