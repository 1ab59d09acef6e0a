import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, testApp } from '../../../test/support/test-app.ts';
import type { Config } from '../../config.ts';

type Json = Answer['json'];

/** A form with these files, as a browser sends it. */
function formOf(files: Record<string, string | Buffer>): { body: Buffer; headers: Record<string, string> } {
  const parts = Object.entries(files).flatMap(([name, content]) => [
    Buffer.from(`--B\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...parts, Buffer.from('--B--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  };
}

/** A program whose bases can be filled and asked in one line each. */
export async function knowledgeApp(changes: Partial<Config> = {}) {
  const app = await testApp({ roles: ['http', 'worker'], db_pool: 12, ...changes });
  const { call } = app;
  const at = '/v1/knowledge-bases';

  async function base(settings_: object = {}, more: object = {}): Promise<string> {
    const made = await call('POST', at, { name: 'Base', settings_, ...more });
    assert.equal(made.status, 200, made.text);
    return made.json.id;
  }

  const get = async (id: string): Promise<Json> => (await call('GET', `${at}/${id}`)).json;
  const documents = async (id: string, status = ''): Promise<Json[]> =>
    (await call('GET', `${at}/${id}/documents${status && `/${status}`}?size=100`)).json.items;

  /** Asks again until it is so; two minutes at most. */
  async function until<T>(ask: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
    for (let attempt = 0; attempt < 4800; attempt++) {
      const value = await ask();
      if (good(value)) return value;
      await sleep(25);
    }
    assert.fail(`it did not come to pass: ${app.logged.filter((line) => /error|warn/.test(line)).join('\n')}`);
  }
  /** Nothing is left to train. */
  const trained = async (id: string) => {
    await until(
      () => get(id),
      (kb) => kb.training_documents === 0,
    );
    return documents(id);
  };
  const ready = (id: string) =>
    until(
      () => get(id),
      (kb) => kb.status === 'ready' || kb.status === 'error',
    );

  async function upload(id: string, files: Record<string, string | Buffer>, prefix = '/'): Promise<string[]> {
    const { body, headers } = formOf(files);
    const query = new URLSearchParams({ prefix });
    const sent = await call('POST', `${at}/${id}/upload_train?${query}`, body, { headers });
    assert.equal(sent.status, 200, sent.text);
    return sent.json;
  }
  /** Uploads and waits until all are trained. */
  async function fill(id: string, files: Record<string, string | Buffer>, prefix = '/'): Promise<Json[]> {
    await upload(id, files, prefix);
    return trained(id);
  }
  const search = async (id: string, query: string, more: object = {}): Promise<Json[]> => {
    const found = await call('POST', `${at}/${id}/search`, { query, ...more });
    assert.equal(found.status, 200, found.text);
    return found.json;
  };
  const names = (hits: Json[]): string[] => hits.map((hit) => hit.document_source.name);
  const found = async (id: string, query: string, more: object = {}) => names(await search(id, query, more));
  const chunks = async (id: string): Promise<Json[]> => (await call('GET', `${at}/${id}/chunks?size=100`)).json.items;
  const patch = async (id: string, body: object): Promise<Json> => {
    const answer = await call('PATCH', `${at}/${id}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  return { ...app, at, base, get, documents, until, trained, ready, upload, fill, search, names, found, chunks, patch };
}

/** A vector by which words a text has, so that a test knows which is near which. */
const concepts = [/cat|kitten|feline/i, /dog|puppy|canine/i, /car|automobile|vehicle/i];

export interface FakeProvider {
  url: string;
  /** Bodies of the calls at each path. */
  embeddings: Json[];
  chats: Json[];
  reranks: Json[];
  down: boolean;
  /** Some requests wait for this before they are answered. */
  hold(body: Json): Promise<void> | undefined;
  dimension: number;
  /** Pictures whose address is longer than this show a bird. */
  heron: number;
  /** What the language model says to a request. */
  say(system: string, text: string): string;
  score(query: string, passage: string): number;
}

/** A server with an embedding model, a language model and a ranking API, on a port of its own. */
export async function fakeProvider(): Promise<FakeProvider> {
  const server = createServer(async (request, response) => {
    const sent = await text(request).catch(() => undefined);
    // The client disconnected before it sent its request.
    if (sent === undefined) return;
    const body = JSON.parse(sent || '{}');
    const json = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    await provider.hold(body);
    if (provider.down) return void json(503, { error: { message: 'down' } });
    if (request.url?.endsWith('/embeddings')) {
      provider.embeddings.push(body);
      // A model that sees gets texts and pictures; this one knows a picture by its size.
      if (typeof body.input[0] === 'object') {
        const data = body.input.map(({ text: said, image }: Json, index: number) => {
          const [heron, other] = said ? [/bird/i.test(said), false] : [image.length > provider.heron, true];
          return { index, embedding: [heron ? 1 : 0, heron ? 0 : 1, other && heron ? 0.1 : 0, 0.01] };
        });
        return void json(200, { data });
      }
      const vector = (input: string) =>
        Array.from({ length: provider.dimension }, (_, at) => (concepts[at]?.test(input) ? 1 : 0.01));
      const data = body.input.map((input: string, index: number) => ({
        object: 'embedding',
        index,
        embedding: vector(input),
      }));
      return void json(200, { object: 'list', data, model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } });
    }
    if (request.url?.endsWith('/rerank')) {
      provider.reranks.push(body);
      const results = body.documents.map((one: string, index: number) => ({
        index,
        relevance_score: provider.score(body.query, one),
      }));
      return void json(200, { results });
    }
    if (request.url?.endsWith('/models')) return void json(200, { data: [{ id: 'talker' }] });
    provider.chats.push(body);
    const part = (role: string) => {
      const { content } = body.messages.findLast((one: Json) => one.role === role) ?? { content: '' };
      return typeof content === 'string' ? content : content.map((one: Json) => one.text ?? '').join('');
    };
    const said = provider.say(part('system'), part('user'));
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'talker', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunk({ role: 'assistant', content: said }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  // A connection that lies idle is let go of by the client only: two that do so at once would cost a request its answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    embeddings: [],
    chats: [],
    reranks: [],
    down: false,
    hold: () => undefined,
    dimension: 3,
    heron: 500,
    say: () => 'A summary.',
    score: () => 0.5,
  };
  return provider;
}

/** The same as providers of a configuration are. */
export const asProvider = (url: string, models: string[] = ['talker']): Config['providers'] => [
  {
    name: 'fake',
    provider: 'openai-compatible',
    base_urls: [url],
    models,
    api_key: 'k',
    api_version: null,
    region: null,
    access_key_id: null,
    secret_access_key: null,
  },
];
