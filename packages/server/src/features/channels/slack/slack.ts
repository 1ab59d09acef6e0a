import { createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Web } from '../../../drivers/web/driver.ts';
import { WebRefused } from '../../../drivers/web/driver.ts';
import { sameText } from '../../../lib/secrets/webhook-signature.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { ask } from '../call-channel-api.ts';
import {
  type Channel,
  ChannelFailure,
  type ChannelRef,
  forged,
  type LoadedFile,
  type Outgoing,
  type SentBytes,
} from '../channel.ts';
import { isFresh } from '../signature.ts';
import { mrkdwn } from './mrkdwn.ts';
import { readEvent } from './read-event.ts';

/** Slack advises 4,000 characters; Markdown may grow when it is converted. */
const limit = 3500;
const largestFile = 25 * 1024 * 1024;
/** Errors that a further attempt does not change. */
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

/** The bot's token is sent to Slack only, even if a message names another address. */
function isSlacks(url: string, api_url: string): boolean {
  const parsed = URL.parse(url);
  if (!parsed) return false;
  return (
    parsed.origin === new URL(api_url).origin ||
    (parsed.protocol === 'https:' && /(?:^|\.)slack\.com$/.test(parsed.hostname))
  );
}

/** A file as Slack calls it. */
interface Uploaded {
  id: string;
  title: string;
}

/** How far a piece with files has come: its words stand there, and its files are at Slack but may not be shown yet. */
const stepsIn = (kept: unknown) => (kept ?? {}) as { told?: true; uploaded?: Uploaded[] };

class SlackRefused extends ChannelFailure {
  readonly error: string;
  constructor(error: string) {
    super(`Slack refused: ${error}`, { final: hopeless.has(error) });
    this.error = error;
  }
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof SlackRefused)) throw error;
}

/** Slack, by its Events API and its Web API. */
export function makeSlackChannel(web: Web): Channel {
  /** What reads takes a form only; what writes takes either. */
  async function call(
    { config, secrets }: LiveDeployment,
    method: string,
    body: Record<string, unknown>,
    as: 'json' | 'form' = 'json',
  ) {
    const type = as === 'json' ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
    const form = () =>
      new URLSearchParams(Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]));
    const { json } = await ask(web, 'Slack', `${config.api_url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets['bot_token']}`, 'content-type': type },
      body: as === 'json' ? JSON.stringify(body) : form().toString(),
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
      ? call(deployment, 'conversations.replies', { ...look, ts: thread_ts }, 'form')
      : call(deployment, 'conversations.history', look, 'form');
    const json = await asked.catch(unlessRefused);
    const messages = (json as { messages?: { metadata?: { event_payload?: { id?: unknown } } }[] })?.messages ?? [];
    return messages.some(({ metadata }) => metadata?.event_payload?.id === id);
  }

  /** Posts the text once: looks for an earlier attempt first, and replaces the placeholder if there is one. */
  async function tell(deployment: LiveDeployment, { id, ref, text, placeholder, again }: Outgoing): Promise<void> {
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
  }

  /** Uploads the files to Slack without sharing them yet; returns their ids. */
  async function upload(deployment: LiveDeployment, files: readonly LoadedFile[]): Promise<Uploaded[]> {
    const uploaded: Uploaded[] = [];
    for (const { name, size, bytes } of files) {
      const { upload_url, file_id } = await call(
        deployment,
        'files.getUploadURLExternal',
        { filename: name, length: size },
        'form',
      );
      if (typeof upload_url !== 'string' || !isSlacks(upload_url, String(deployment.config.api_url)))
        throw new ChannelFailure('Slack named no place for a file');
      const headers = { 'content-type': 'application/octet-stream' };
      const body = { method: 'POST' as const, headers, body: bytes, timeout_ms: 120_000 };
      const { status } = await ask(web, 'Slack', upload_url, body);
      if (status !== 200) throw new ChannelFailure(`Slack answered with the status ${status} to a file`);
      uploaded.push({ id: String(file_id), title: name });
    }
    return uploaded;
  }

  /** Whether files that were uploaded before stand in the channel already. Where the bot may not look, it is not known. */
  async function shared(deployment: LiveDeployment, { channel }: ChannelRef, [first]: readonly Uploaded[]) {
    const json = await call(deployment, 'files.info', { file: first?.id }, 'form').catch(unlessRefused);
    const { shares = {} } = (json as { file?: { shares?: Record<string, Record<string, unknown>> } })?.file ?? {};
    return Object.values(shares).some((places) => String(channel) in places);
  }

  /**
   * Shares all files of a reply at once, below its text. Their ids are stored before they are shared: after a lost
   * answer Slack is asked about them, and they are not uploaded again. Where the app may not upload, the reply names
   * the missing files.
   */
  async function attach(deployment: LiveDeployment, { ref, files, kept, keep }: Outgoing): Promise<void> {
    const { channel: channel_id, ...thread } = placeOf(ref);
    try {
      const show = (uploaded: readonly Uploaded[]) =>
        call(deployment, 'files.completeUploadExternal', { files: uploaded, channel_id, ...thread }).then(() => true);
      const before = stepsIn(kept).uploaded;
      // Slack does not keep for ever what was brought and never shown: then it is brought again.
      if (before && ((await shared(deployment, ref, before)) || (await show(before).catch(unlessRefused)))) return;
      const uploaded = await upload(deployment, files);
      await keep({ told: true, uploaded });
      await show(uploaded);
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      const names = files.map(({ name }) => name).join(', ');
      const text = `_${names}: Slack does not let me attach files here (${error.error})._`;
      await call(deployment, 'chat.postMessage', { ...placeOf(ref), text: mrkdwn(text) });
    }
  }

  return {
    limit,
    carries: { each: largestFile, total: 2 * largestFile },

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

    async send(deployment, outgoing) {
      const { kept, keep, files } = outgoing;
      if (!stepsIn(kept).told) await tell(deployment, outgoing);
      if (!files.length) return;
      if (!stepsIn(kept).told) await keep({ told: true });
      await attach(deployment, outgoing);
    },
  };
}
