import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EngineFailed } from '../driver.ts';

/** A version that every engine since Docker 20.10 supports. */
const version = 'v1.41';

export interface EngineAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is said by Docker's documentation, call by call
  json: any;
}

/** Docker's HTTP API on its socket. */
export function makeEngineApi(socketPath: string) {
  const options = (method: string, path: string, headers: Record<string, string | number> = {}) => ({
    socketPath,
    method,
    path: `/${version}${path}`,
    headers: { host: 'docker', ...headers },
  });
  const unreachable = (error: Error) => new EngineFailed(`Docker can't be reached at ${socketPath}: ${error.message}`);

  return {
    async call(method: string, path: string, body?: unknown): Promise<EngineAnswer> {
      const content = body === undefined ? '' : JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) };
      const answer = await new Promise<IncomingMessage>((resolve, reject) =>
        request(options(method, path, headers), resolve)
          .on('error', (error) => reject(unreachable(error)))
          .end(content),
      );
      const said = await text(answer);
      let json: unknown;
      try {
        json = JSON.parse(said);
      } catch {
        json = undefined;
      }
      return { status: answer.statusCode ?? 0, json };
    },

    /** Attaches to the streams of a container; written data goes to its input. */
    attach: (id: string): Promise<Duplex> =>
      new Promise((resolve, reject) => {
        const path = `/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`;
        request(options('POST', path, { connection: 'Upgrade', upgrade: 'tcp', 'content-length': 0 }))
          .on('upgrade', (_, socket, head) => {
            if (head.length > 0) socket.unshift(head);
            resolve(socket);
          })
          .on('response', (answer) => {
            answer.resume();
            reject(new EngineFailed(`Docker refused to attach (${answer.statusCode})`));
          })
          .on('error', (error) => reject(unreachable(error)))
          .end();
      }),
  };
}
