import { createHmac } from 'node:crypto';
import { type Answering, fakeService, type Heard } from '../testing.ts';

export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
export const botToken = 'xoxb-0000-test';

interface Completed {
  files: { id: string; title: string }[];
  channel_id: string;
  thread_ts: string;
}

/** Slack's Web API as its documentation tells it: methods answer `ok`, messages get a time stamp, threads can be read. */
export async function fakeSlack() {
  const posted: { channel: string; thread_ts?: string; text: string; ts: string; metadata?: unknown }[] = [];
  const files: { name: string; bytes: string; channel: string; thread_ts?: string }[] = [];
  const shares = new Map<string, string>();
  const uploads = new Map<string, { name: string; bytes: string }>();
  let count = 0;
  const reads = /\/(?:conversations\.(?:replies|history)|files\.(?:getUploadURLExternal|info))$/;
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
    '/api/files.getUploadURLExternal': ({ filename = '', length }) => {
      const id = `F${++count}`;
      uploads.set(id, { name: filename, bytes: '' });
      return Number(length) > 0
        ? { ok: true, file_id: id, upload_url: `${service.url}/upload/${id}` }
        : { ok: false, error: 'invalid_arguments' };
    },
    '/api/files.completeUploadExternal': (body) => {
      const { files: done, channel_id, thread_ts } = body as unknown as Completed;
      for (const { id } of done) {
        shares.set(id, channel_id);
        files.push({ ...(uploads.get(id) as { name: string; bytes: string }), channel: channel_id, thread_ts });
      }
      return { ok: true, files: done };
    },
    '/api/files.info': ({ file: id = '' }) => {
      const channel = shares.get(id);
      const file = { id, shares: channel ? { public: { [channel]: [{ ts: '1.1' }] } } : {} };
      return uploads.has(id) ? { ok: true, file } : { ok: false, error: 'file_not_found' };
    },
    '/api/conversations.replies': (body) => ({
      ok: true,
      messages: posted.filter(({ thread_ts }) => thread_ts === body['ts']),
    }),
  };
  const usual: Answering = ({ path, headers, body }: Heard) => {
    const upload = uploads.get(/^\/upload\/(F\d+)$/.exec(path)?.[1] ?? '');
    // The address is the secret; a token has no business there.
    if (upload) {
      if (headers.authorization) return { status: 400, body: {} };
      upload.bytes = body;
      return { body: Buffer.from(`OK - ${body.length}`) };
    }
    if (headers.authorization !== `Bearer ${botToken}`) return { body: { ok: false, error: 'invalid_auth' } };
    if (path.startsWith('/files/')) return { body: Buffer.from('The code is 4711.') };
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    if (reads.test(path) && !isForm) return { body: { ok: false, error: 'invalid_arguments' } };
    const given = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
    return { body: methods[path]?.(given) ?? { ok: false, error: 'unknown_method' } };
  };
  const service = await fakeService(usual);
  const config = { signing_secret: signingSecret, bot_token: botToken, api_url: `${service.url}/api` };
  return { ...service, usual, posted, files, deployment: { channel: 'slack', config } };
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
