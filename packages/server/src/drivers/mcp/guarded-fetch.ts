import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Web, WebRefused, type WebRequest } from '../web/driver.ts';
import type { McpTarget } from './driver.ts';
import { guardedEvents, mostBytes } from './guarded-body.ts';

type HttpTarget = Extract<McpTarget, { kind: 'http' }>;

const minute = 60_000;
/** No call takes longer; callers have limits of their own. */
const longestAnswer = 30 * minute;
/** A stream of notifications may be silent for long. */
const longestStream = 24 * 60 * minute;
/** A server that keeps ending the stream of notifications is not asked for it again and again. */
const mostStreams = 10;

const noBody = new Set([101, 204, 205, 304]);

/** The id of the request in a message, if it is a request. */
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
 * The `fetch` of the MCP library, over the guarded fetch. Answers are limited in size, redirects are not followed, and
 * secrets are only in the headers of the request.
 */
export function makeMcpFetch(web: Web, { url: home, headers: own, hosts = [], token }: HttpTarget): FetchLike {
  let streams = 0;
  const isHome = (url: string) => URL.parse(url)?.origin === URL.parse(home)?.origin;

  async function ask(url: string, init: RequestInit, refused?: string): Promise<Response> {
    const method = (init.method ?? 'GET') as NonNullable<WebRequest['method']>;
    // Credentials go only to the server's own origin, also when the library uses another address.
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
      hosts,
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
    // An answer that is never read closes its connection all the same.
    body.once('close', () => answer.body.destroy());
    return new Response(Readable.toWeb(body) as ReadableStream, shown);
  }

  return async (url, init = {}) => {
    // This status makes the library stop trying.
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
