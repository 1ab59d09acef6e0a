import { createHmac } from 'node:crypto';
import { type Answering, fakeService, type Heard } from '../testing.ts';

export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
export const botToken = 'xoxb-0000-test';

/** Slack's Web API as its documentation tells it: methods answer `ok`, messages get a time stamp, threads can be read. */
export async function fakeSlack() {
  const posted: { channel: string; thread_ts?: string; text: string; ts: string; metadata?: unknown }[] = [];
  let count = 0;
  const methods: Record<string, (body: Record<string, string>) => Record<string, unknown>> = {
    '/api/chat.postMessage': (body) => {
      const ts = `1700000000.${String(++count).padStart(6, '0')}`;
      posted.push({ ...(body as unknown as (typeof posted)[number]), ts });
      return { ok: true, channel: body['channel'], ts };
    },
    '/api/chat.update': (body) => {
      const message = posted.find(({ ts }) => ts === body['ts']);
      if (!message) return { ok: false, error: 'message_not_found' };
      Object.assign(message, { text: body['text'] });
      return { ok: true, ts: message.ts };
    },
    '/api/conversations.replies': (body) => ({
      ok: true,
      messages: posted.filter(({ thread_ts }) => thread_ts === body['ts']),
    }),
  };
  const usual: Answering = ({ path, headers, body }: Heard) => {
    if (headers.authorization !== `Bearer ${botToken}`) return { body: { ok: false, error: 'invalid_auth' } };
    if (path.startsWith('/files/')) return { body: Buffer.from('The code is 4711.') };
    return { body: methods[path]?.(JSON.parse(body)) ?? { ok: false, error: 'unknown_method' } };
  };
  const service = await fakeService(usual);
  const config = { signing_secret: signingSecret, bot_token: botToken, api_url: `${service.url}/api` };
  return { ...service, usual, posted, deployment: { channel: 'slack', config } };
}

export function slackHeaders(body: string, at = Math.floor(Date.now() / 1000)): Record<string, string> {
  const digest = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${digest}` };
}

let counted = 0;

/** A delivery of the Events API. */
export const slackEvent = (event: object) => ({
  ...{ token: 'unused', team_id: 'T1', api_app_id: 'A1', type: 'event_callback', event_id: `Ev${++counted}` },
  ...{ event_time: 1700000000, authorizations: [{ team_id: 'T1', user_id: 'UBOT', is_bot: true }] },
  event: { type: 'message', channel: 'C1', channel_type: 'channel', user: 'U1', ...event },
});
