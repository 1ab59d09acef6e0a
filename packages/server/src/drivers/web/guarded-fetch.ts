import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode } from '../../lib/error-code.ts';
import { makeAllowList } from './allow-list.ts';
import { answerBody } from './answer-body.ts';
import { type Connect, makeCheckedSockets, type Resolve } from './checked-socket.ts';
import { requireAllowedHost, type Web, type WebAnswer, WebRefused, type WebRequest } from './driver.ts';
import { firstHop, type Hop, locationOf, nextHop } from './hops.ts';

const maxRedirects = 5;

const timedOut = () => new WebRefused('timeout', 'its server took too long to answer');

/** Sends one request over an open socket and waits for the head of the answer. */
function exchange(socket: Socket, { url, method, headers, body }: Hop): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body || (method !== 'GET' && method !== 'HEAD') ? { 'content-length': body?.length ?? 0 } : {};
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, ...length, 'accept-encoding': 'identity', host: url.host, connection: 'close' },
    });
    // The listener stays after the answer: errors of the socket also reach the request, where they must be handled.
    request.on('error', reject).once('response', resolve);
    socket.once('close', () => reject(new Error('The connection was closed')));
    request.end(body);
  });
}

/** An error in words for users. Addresses stay in its cause. */
function explained(error: unknown): WebRefused {
  if (error instanceof WebRefused) return error;
  const code = String(errorCode(error));
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(code)) return new WebRefused('unreachable', 'there is no such host', error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return new WebRefused('unreachable', 'the certificate of its server can not be trusted', error);
  if (/^ERR_(INVALID|HTTP|UNESCAPED)/.test(code))
    return new WebRefused('bad_request', 'the request is not valid', error);
  if (/^(HPE_|Z_|ERR__?ERROR_FORMAT|ERR_BROTLI|ERR_ZLIB)/.test(code))
    return new WebRefused('bad_answer', 'its server answered something that can not be read', error);
  return new WebRefused('unreachable', 'its server could not be reached, or broke off', error);
}

const headersOf = (response: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(response.headers)
      // The body is returned decompressed, so these headers would be wrong.
      .filter(
        ([name]) => name !== 'content-encoding' && (name !== 'content-length' || !response.headers['content-encoding']),
      )
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/**
 * The guarded fetch for addresses that callers choose. Every hop is checked when it connects. `allow` is what the
 * operator opens on purpose; `resolve` and `connect` are for tests.
 */
export function makeGuardedWeb(options: { allow: readonly string[]; resolve?: Resolve; connect?: Connect }): Web {
  const open = makeCheckedSockets({ ...options, allow: makeAllowList(options.allow) });

  async function fetch(address: string, given: WebRequest = {}): Promise<WebAnswer> {
    const { max_bytes = 25 * 1024 * 1024, timeout_ms = 30_000, idle_ms = 15_000, follow = true } = given;
    const limits = new AbortController();
    const timer = setTimeout(() => limits.abort(timedOut()), timeout_ms);
    const signal = given.signal ? AbortSignal.any([given.signal, limits.signal]) : limits.signal;
    // A caller that aborts gets its own reason back.
    const explain = (error: unknown) => (signal.aborted ? signal.reason : explained(error));
    let socket: Socket | undefined;
    const drop = () => socket?.destroy();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', drop);
      drop();
    };
    signal.addEventListener('abort', drop);

    try {
      let hop = firstHop(address, given);
      for (let redirects = 0; ; redirects++) {
        requireAllowedHost(hop.url, given.hosts);
        socket = await open(hop.url, signal);
        socket.setTimeout(idle_ms, () => limits.abort(timedOut()));
        const response = await exchange(socket, hop);
        // A response that is never read must not end the process when its connection breaks.
        response.on('error', () => {});
        const status = response.statusCode ?? 0;
        if (status < 200) throw new WebRefused('bad_answer', 'its server answered something that can not be read');
        const location = follow ? locationOf(status, response.headers.location) : undefined;
        if (location === undefined) {
          const bodiless = hop.method === 'HEAD' || status === 204 || status === 304;
          const body = answerBody(response, { max_bytes, bodiless, explain }).once('close', finish);
          return { status, headers: headersOf(response), url: hop.url.href, body };
        }
        drop();
        if (redirects === maxRedirects) throw new WebRefused('too_many_redirects', 'its server sends us on for ever');
        hop = nextHop(hop, status, location);
      }
    } catch (error) {
      finish();
      throw explain(error);
    }
  }
  return { fetch };
}
