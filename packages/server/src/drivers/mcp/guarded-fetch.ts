import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Web, WebRefused, type WebRequest } from '../web/driver.ts';
import type { McpTarget } from './driver.ts';
import { guardedEvents, mostBytes } from './guarded-body.ts';

type HttpTarget = Extract<McpTarget, { kind: 'http' }>;

const minute = 60_000;
/** No call is longer; those that wait have a limit of their own. */
const longestAnswer = 30 * minute;
/** A stream that is only listened to may be silent for long. */
const longestStream = 24 * 60 * minute;
/** A server that ends the stream we listen to again and again is not asked for it for ever. */
const mostStreams = 10;

const noBody = new Set([101, 204, 205, 304]);

/** The id of the request that a message is, if it is one. */
function requestId(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `fetch` as the protocol's library wants it, through the one guard for addresses that somebody else has chosen. What
 * comes back is bounded, redirects are handed on unfollowed, and secrets stand in the headers of the request alone.
 */
export function makeMcpFetch(web: Web, { url: home, headers: own, token }: HttpTarget): FetchLike {
  let streams = 0;
  const isHome = (url: string) => URL.parse(url)?.origin === URL.parse(home)?.origin;

  async function ask(url: string, init: RequestInit, refused?: string): Promise<Response> {
    const method = (init.method ?? 'GET') as NonNullable<WebRequest['method']>;
    // Whatever address the library is told of, credentials go to the server's own origin alone.
    const bearer = isHome(url) ? await token?.(refused) : undefined;
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(isHome(url) && own),
    };
    const listens = method === 'GET';
    const answer = await web.fetch(url, {
      method,
      headers,
      follow: false,
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      max_bytes: listens ? 1024 * mostBytes : 4 * mostBytes,
      timeout_ms: listens ? longestStream : longestAnswer,
      idle_ms: longestAnswer,
    });
    if (answer.status === 401 && bearer !== undefined && refused === undefined) {
      answer.body.destroy();
      return ask(url, init, bearer);
    }
    const shown = { status: answer.status, headers: { ...answer.headers } };
    if (noBody.has(answer.status)) {
      answer.body.destroy();
      return new Response(null, shown);
    }
    const events = answer.headers['content-type']?.toLowerCase().startsWith('text/event-stream');
    const body = events ? Readable.from(guardedEvents(answer.body, requestId(init.body))) : bounded(answer.body);
    // One that nobody begins to read ends what it would have read from all the same.
    body.once('close', () => answer.body.destroy());
    return new Response(Readable.toWeb(body) as ReadableStream, shown);
  }

  return async (url, init = {}) => {
    // "There is no such stream here" ends the library's tries.
    if ((init.method ?? 'GET') === 'GET' && ++streams > mostStreams) return new Response(null, { status: 405 });
    return ask(String(url), init as RequestInit);
  };
}

function bounded(body: Readable): Readable {
  return Readable.from(
    (async function* () {
      let size = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.length;
        if (size > mostBytes) throw new WebRefused('too_large', 'its answer is larger than 10 MB');
        yield chunk;
      }
    })(),
  );
}
