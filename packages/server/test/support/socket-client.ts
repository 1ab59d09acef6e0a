import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { after } from 'node:test';
import type { App } from '../../src/app.ts';
import { adminKey } from './test-config.ts';

export const json = { 'content-type': 'application/json' };

interface Sent {
  body?: string | Buffer;
  headers?: Record<string, string | string[]>;
  key?: string | null;
}

/** The program on a port, for what only a real connection shows. Closed when the test file ends. */
export async function listenOnSocket({ server }: App) {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  after(() => server.server.closeAllConnections());

  /** One request over a socket of its own. A body is cut off when the server has answered before reading all of it. */
  async function send(method: string, path: string, { body, headers = json, key = adminKey }: Sent = {}) {
    const length =
      body === undefined || headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) };
    const out = request({
      port,
      method,
      path,
      agent: false,
      headers: { ...(key && { 'x-api-key': key }), ...length, ...headers },
    });
    out.on('error', () => {});
    out.end(body);
    const [response] = await once(out, 'response');
    const text = await textOf(response);
    assert.match(response.headers['x-request-id'], /^[\w.:-]+$/);
    return {
      status: response.statusCode as number,
      json: text ? JSON.parse(text) : undefined,
      headers: response.headers as Record<string, string>,
    };
  }

  /** Sends raw bytes and returns the response up to the end of the connection. */
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    return textOf(socket);
  }

  return { port, send, sendRaw };
}

/** Summarizes the validation errors of a 422. */
export const told = ({ json: { detail } }: { json: { detail: { type: string; loc: string[] }[] } }) =>
  detail.map(({ type, loc }) => `${loc.join('.')} ${type}`);
