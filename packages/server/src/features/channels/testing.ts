import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import type { Config } from '../../config.ts';

export interface Heard {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What the fake of a service answers; `undefined` is `{}`. */
export type Answering = (
  heard: Heard,
) => { status?: number; headers?: Record<string, string>; body: unknown } | undefined;

/** A service on loopback that keeps the requests it gets. */
export async function fakeService(answer: Answering = () => undefined) {
  const heard: Heard[] = [];
  let answering = answer;
  const server = createServer(async (request, response) => {
    const one = {
      ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers },
      body: await text(request),
    };
    heard.push(one);
    const { status = 200, headers = {}, body } = answering(one) ?? { body: {} };
    const raw = Buffer.isBuffer(body);
    response.writeHead(status, { 'content-type': raw ? 'application/octet-stream' : 'application/json', ...headers });
    response.end(raw ? body : JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, heard },
    answers: (next: Answering) => {
      answering = next;
    },
  };
}

/** Repeats the look until it finds something, for a minute at most. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>, what = 'it'): Promise<T> {
  for (let tries = 0; tries < 2400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(25);
  }
  return assert.fail(`${what} did not come`);
}

/** An agent that creates files when asked to and then says that it did. */
export const makesFiles = {
  settings: { base_tools: [{ type: 'files', enabled: true }] },
  replies: (...made: { filename: string; format: string; content: string }[]): Reply[] => [
    { tool_calls: made.map((input) => ({ name: 'files_make_document', input })) },
    { text: 'Here it is', deltas: 1 },
  ],
};

/** An app whose channels reach fakes on loopback. */
export async function channelApp(changes: Partial<Config> = {}) {
  const app = await scriptedApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'], ...changes });
  const { call, provider, query } = app;

  /** An agent that says these things, deployed. */
  async function deploy(deployment: object, settings: object = {}, ...replies: Reply[]) {
    const { server, name } = await provider(...replies);
    const definition = { model: [`${name}/one`], max_retries_per_model: 0, agent_title_mode: 'off', ...settings };
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Ada', definition });
    const made = await call('POST', `/v1/agents/${agent.id}/deployments`, deployment);
    assert.equal(made.status, 200, made.text);
    const { json } = made;
    const at = `/v1/agents/${agent.id}/deployments/${json.id}`;
    const get = async () => (await call('GET', at)).json;
    const post = (body: string | Buffer, headers: Record<string, string>) =>
      call('POST', json.inbound_path, body, { key: null, headers: { 'content-type': 'application/json', ...headers } });
    /** The conversations that came of it, oldest first. */
    const conversations = async () => {
      const rows = await query('select id from conversations where deployment_id = $1 order by id', [json.id]);
      return Promise.all(rows.map(async ({ id }) => (await call('GET', `/v1/conversations/${id}`)).json));
    };
    /** All messages of a conversation. */
    const said = async (index = 0): Promise<string[]> =>
      ((await conversations())[index]?.messages ?? []).map(
        ({ message_parts }: { message_parts: { content: string }[] }) => message_parts[0]?.content,
      );
    return { agent, deployment: json, secrets: json.made_secrets, at, get, post, conversations, said, model: server };
  }
  /** A webhook deployment and the replies that its program gets. */
  async function talk(settings: object, more: object, ...replies: Reply[]) {
    const service = await fakeService();
    const config = { reply_url: service.url, ...(more as { config?: object }).config };
    const deployed = await deploy({ channel: 'webhook', ...more, config }, settings, ...replies);
    const key = Buffer.from(deployed.secrets.signing_secret.slice('whsec_'.length), 'base64');
    let count = 0;
    const say = async (text: string, thread = 't') => {
      const body = JSON.stringify({ thread, text });
      const [id, at] = [`m${++count}`, String(Math.floor(Date.now() / 1000))];
      const signature = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
      const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
      const { status } = await deployed.post(body, headers);
      assert.equal(status, 200);
    };
    const replied = () => service.heard.map(({ body }) => JSON.parse(body));
    const told = (index: number) => eventually(() => replied()[index], `message ${index}`);
    /** Waits until all messages are received and all replies delivered. */
    const quiet = () =>
      eventually(async () => {
        const open = await query(
          `select 1 from channel_inbox where deployment_id = $1 and status = 'pending'
           union all select 1 from channel_outbox where deployment_id = $1 and status = 'pending'
           union all select 1 from runs where status in ('queued', 'running')`,
          [deployed.deployment.id],
        );
        return open.length === 0 || undefined;
      });
    return { ...deployed, say, told, replied, quiet };
  }
  return { ...app, deploy, talk };
}
