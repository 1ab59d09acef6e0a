import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { asError } from '../lib/as-error.ts';
import { errorCode } from '../lib/error-code.ts';
import { answerMalformed } from './errors.ts';
import { fixedSecurityHeaders } from './security-headers.ts';

interface Address {
  host: string;
  port: number;
}

export interface ReservedPort {
  /** The number of the port, also where any free one was asked for. */
  port: number;
  /** Lets the server take over the listening socket. No connection is refused in between. Returns its address. */
  handOver(server: FastifyInstance): Promise<string>;
  /** Stops listening, unless the port was handed over. */
  release(): Promise<void>;
}

/** What to do about a port that can't be taken, by the code of the error. */
function explain(error: unknown, { host, port }: Address): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `The address is in use: port ${port} on ${host}. Stop the program that listens there, or set PORT to a free port (PORT=0 takes any).`,
    EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set HOST to one of its addresses.`,
    ENOTFOUND: `HOST is ${host}, which is no known name. Set HOST to an address of this machine.`,
  };
  const reason = reasons[String(errorCode(error))];
  return reason === undefined ? asError(error) : new Error(reason, { cause: error });
}

/** Answers every request until the program is ready: it lives, but can't work yet. */
function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?', 1)[0];
  const [status, body] =
    path === '/health'
      ? [200, { status: 'ok' }]
      : path === '/ready'
        ? [503, { status: 'not_ready', database: 'starting', migrations: 'pending' }]
        : [503, { detail: 'Atrium is starting; try again in a moment', code: 'starting' }];
  response.setHeaders(fixedSecurityHeaders);
  response.setHeader('x-request-id', randomUUID());
  if (status === 503) response.setHeader('retry-after', '1');
  // A connection that is kept would stay with this server, which never becomes ready.
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(JSON.stringify(body));
}

/**
 * Listens before anything is made: a start that can't have its port leaves nothing behind, and a request that comes too
 * early is answered instead of refused.
 */
export async function reservePort(address: Address): Promise<ReservedPort> {
  const starting = createServer(answerStarting).on('clientError', answerMalformed);
  try {
    await once(starting.listen(address), 'listening');
  } catch (error) {
    throw explain(error, address);
  }
  let handedOver = false;
  return {
    port: (starting.address() as AddressInfo).port,
    async handOver(server) {
      // Node listens with the socket of a server that is given in place of options; the framework reads the address.
      const options: Address = Object.assign(Object.create(starting), address);
      const listening = await server.listen(options);
      handedOver = true;
      starting.closeIdleConnections();
      return listening;
    },
    async release() {
      if (handedOver) return;
      starting.closeAllConnections();
      await new Promise((closed) => starting.close(closed));
    },
  };
}
