import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Attempt, MessageMetadata, RunEvent } from '@atrium/contract/runs/events.ts';
import type { AppOptions } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { MessagePart } from '../../src/features/messages/ports.ts';
import { readChunks, readMessage } from '../../src/features/runs/dialects/testing.ts';
import { openaiProvider } from '../providers/openai-provider.ts';
import type { Reply, ScriptedProvider } from '../providers/scripted-server.ts';
import { testApp } from './test-app.ts';

/** A provider on a port of its own, closed when the test file ends. */
export async function closing(made: Promise<ScriptedProvider>): Promise<ScriptedProvider> {
  const provider = await made;
  after(() => provider.close());
  return provider;
}

/** A server that returns these bodies in order without checking them, then repeats the last one. */
export async function rawServer(...bodies: string[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies[Math.min(asked++, bodies.length - 1)]);
  });
  // As those of the scripted providers, an idle connection is let go of by the client only.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked };
}

/** Returns the event types in order, with repeated deltas merged into one. */
export const inOrder = (events: readonly RunEvent[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1] || !type.endsWith('-delta'));

/** Attempts without what differs from time to time. */
export const comparableAttempts = ({ attempts }: { attempts: Attempt[] }) =>
  attempts.map(({ model, address, status }) => [model.split('/')[1], address, status]);

/** An app with a scripted model. Tests can read the client's stream, the stored records and the model's requests. */
export async function scriptedApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await testApp(changes, options);
  const { call, query } = app;
  let count = 0;

  /** An account at these addresses; the name to put before its models' names. */
  async function account(base_urls: string[], provider = 'openai-compatible'): Promise<string> {
    const name = `p${++count}`;
    const body = { name, provider, base_urls, api_key: 'k', models: ['one', 'two'] };
    const made = await call('POST', '/v1/admin/providers', body);
    assert.equal(made.status, 200, made.text);
    return name;
  }

  /** A provider with an account of its own, so that tests side by side do not take each other's answers. */
  async function provider(...replies: Reply[]) {
    const server = await closing(openaiProvider());
    server.reply(...replies);
    return { server, name: await account([server.url]) };
  }

  /** A conversation that has its name already, so that the model is not asked for one. */
  async function converse(settings: object, query = ''): Promise<string> {
    const made = await call('POST', `/v1/conversations${query}`, { name: 'test', settings });
    assert.equal(made.status, 200, made.text);
    return made.json.id;
  }

  /** Reads the newest stored reply and the event log of its run. */
  async function stored(id: string) {
    const { json: conversation } = await call('GET', `/v1/conversations/${id}`);
    const reply = conversation.messages.at(-1);
    const metadata = reply.metadata as MessageMetadata;
    const parts = reply.message_parts as MessagePart[];
    const rows = await query('select type, data from run_events where run_id = $1 order by seq', [metadata.run_id]);
    const events = rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }) as RunEvent);
    const text = parts.flatMap((part) => (part.type === 'text' ? part.content : [])).join('');
    const error = parts.find((part) => part.type === 'error');
    const status = conversation.status as string;
    return { conversation, status, reply, parts, text, error, metadata, events };
  }

  /** Sends a message, reads the stream with the AI SDK as a chat client does, and returns it with the stored records. */
  async function say(id: string, content = 'Hello', more: object = {}) {
    const url = `/v1/conversations/${id}/stream?format=ui`;
    const headers = { 'x-api-key': app.admin };
    const answer = await app.app.server.inject({ method: 'POST', url, headers, payload: { content, ...more } });
    assert.equal(answer.statusCode, 200, answer.payload);
    const chunks = await readChunks(answer.payload);
    const { message, errors } = await readMessage(chunks);
    const shown = message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
    return { id, chunks: chunks.map(({ type }) => type), shown, errors, ...(await stored(id)) };
  }

  const ask = async (settings: object, content?: string) => say(await converse(settings), content);
  return { ...app, account, provider, converse, stored, say, ask };
}
