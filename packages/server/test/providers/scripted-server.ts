import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import type {
  Json,
  RecordedRequest,
  Reply,
  ScriptedProvider,
  Tokens,
} from '../../src/drivers/models/conformance-support.ts';

export type { Json, Reply, ScriptedProvider };

/** One way of speaking: how a reply looks on the wire. */
export interface Dialect {
  frames(reply: Reply, body: Json): string[];
  whole(reply: Reply, body: Json): unknown;
  error(status: number, message: string): unknown;
  /** The text of the last message that a person wrote. */
  asked(body: Json): string;
  /** Whether the path alone asks for a stream, and not a word in the body. */
  always_streams?: true;
}

export const tokensOf = (reply: Reply): Tokens => ({ input: 11, cached: 0, output: 7, reasoning: 0, ...reply.usage });

export const finishOf = (reply: Reply): FinishReason =>
  reply.finish ?? (reply.tool_calls?.length ? 'tool-calls' : 'stop');

export const argumentsOf = (input: unknown) => (typeof input === 'string' ? input : JSON.stringify(input));

/** A text in pieces of about the same length. */
export function pieces(text: string, count = 3): string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

function unscripted(asked: string): Reply {
  return { text: asked.startsWith('SAY ') ? asked.slice(4) : `You said: ${asked}` };
}

async function write(response: ServerResponse, text: string, trickle: number | undefined): Promise<void> {
  const bytes = Buffer.from(text);
  const size = trickle ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    if (trickle !== undefined) await new Promise(setImmediate);
  }
}

async function stream(response: ServerResponse, frames: string[], reply: Reply, gone: Promise<unknown>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  const { before, until } = reply.held ?? {};
  const held = before === undefined ? undefined : frames.findIndex((frame) => frame.includes(before));
  if (held === -1) throw new Error(`No chunk has all of "${before}" in it`);
  for (const [index, frame] of frames.entries()) {
    if (index === reply.drop_after) return void response.socket?.destroy();
    if (index === held) await Promise.race([until, gone]);
    if (response.destroyed) return;
    await write(response, index === reply.malformed_at ? 'data: {"cho\n\n' : frame, reply.trickle);
    if (reply.chunk_delay_ms !== undefined) await sleep(reply.chunk_delay_ms, undefined, { ref: false });
    // Each chunk is a piece of network of its own, and a client that went away is only noticed between turns.
    else await new Promise(setImmediate);
  }
  response.end();
}

/** A provider on a port of its own that answers what the test tells it to, and remembers what it was asked. */
export async function scriptedServer(dialects: Record<string, Dialect>): Promise<ScriptedProvider> {
  const queue: Reply[] = [];
  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const over = Promise.withResolvers<void>();
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: undefined,
      at: 0,
      closed_early: false,
      done: over.promise,
    };
    response.on('close', () => {
      recorded.closed_early = !response.writableFinished;
      over.resolve();
    });
    // Ignore a request whose client disconnects while sending it, so that it consumes no scripted reply.
    const sent = await textOf(request).catch(() => undefined);
    if (sent === undefined) return;
    recorded.at = Date.now();
    recorded.body = sent ? JSON.parse(sent) : undefined;
    provider.requests.push(recorded);

    if (path.endsWith('/models') && provider.models)
      return void json(response, 200, { object: 'list', data: provider.models.map((id) => ({ id, object: 'model' })) });
    const dialect = Object.entries(dialects).find(([end]) => path.endsWith(end))?.[1];
    if (!dialect) return void json(response, 404, { error: { message: `There is no ${path}` } });

    const reply = provider.answers?.(recorded.body) ?? queue.shift() ?? unscripted(dialect.asked(recorded.body));
    // Stop waiting when the client disconnects. The timer does not keep a finished test file alive.
    if (reply.delay_ms !== undefined)
      await Promise.race([sleep(reply.delay_ms, undefined, { ref: false }), over.promise]);
    if (reply.after) await Promise.race([reply.after, over.promise]);
    if (response.destroyed) return;
    const { status, error = 'Something went wrong', headers } = reply;
    if (status !== undefined) json(response, status, dialect.error(status, error), headers);
    else if (dialect.always_streams || recorded.body.stream)
      await stream(response, dialect.frames(reply, recorded.body), reply, over.promise);
    else json(response, 200, dialect.whole(reply, recorded.body), headers);
  });

  // A connection that lies idle is let go of by the client only: two that do so at once would cost a request its answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const provider: ScriptedProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    reply: (...replies) => void queue.push(...replies),
    requests: [],
    last() {
      const request = provider.requests.at(-1);
      if (!request) throw new Error('The provider was not asked anything');
      return request;
    },
    answers: undefined,
    models: undefined,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  return provider;
}
