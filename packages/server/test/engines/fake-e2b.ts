import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { envelope } from '../../src/drivers/sandboxes/e2b/connect-stream.ts';
import { bodyOf, makeLocalShell } from './local-shell.ts';

interface Sandbox {
  token: string;
  paused: boolean;
  body: Record<string, unknown>;
}

/** The part of E2B's API that we use, and of the daemon in its sandboxes, at one address. */
export async function startFakeE2b(api_key: string) {
  const shell = makeLocalShell();
  const sandboxes = new Map<string, Sandbox>();
  const processes = new Map<number, ChildProcess>();

  const send = (reply: ServerResponse, status: number, body?: unknown) =>
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
  const shown = (id: string) => ({ sandboxID: id, envdVersion: '0.4.0', envdAccessToken: sandboxes.get(id)?.token });

  function manage(request: IncomingMessage, reply: ServerResponse, body: Buffer, path: string): void {
    if (request.headers['x-api-key'] !== api_key) return void send(reply, 401);
    const [, id = '', verb = ''] = path.replace(/^\/v2/, '').slice(1).split('/');
    if (request.method === 'POST' && !id) {
      const made = randomUUID();
      sandboxes.set(made, { token: randomUUID(), paused: false, body: JSON.parse(body.toString()) });
      shell.make(made);
      return void send(reply, 201, shown(made));
    }
    const sandbox = sandboxes.get(id);
    if (!sandbox) return void send(reply, 404);
    if (verb === 'connect') sandbox.paused = false;
    if (verb === 'pause') sandbox.paused = true;
    if (request.method === 'DELETE') {
      sandboxes.delete(id);
      void shell.remove(id);
    }
    return void send(reply, request.method === 'DELETE' ? 204 : 200, verb === 'connect' ? shown(id) : undefined);
  }

  function start(reply: ServerResponse, id: string, body: Buffer): void {
    const { process: given } = JSON.parse(body.subarray(5).toString());
    reply.writeHead(200, { 'content-type': 'application/connect+json' });
    const say = (event: object) => reply.write(envelope({ event }));
    // A real sandbox kills only its own processes; here this would kill all processes of the user running the test.
    if (given.args[1] === 'kill -KILL -1') {
      say({ start: { pid: 1 } });
      say({ end: { exitCode: 0 } });
      return void reply.end(envelope({}, 2));
    }
    const child = shell.run(id, given.args[1], given.envs);
    const pid = child.pid as number;
    processes.set(pid, child);
    say({ start: { pid } });
    for (const [stream, source] of [
      ['stdout', child.stdout],
      ['stderr', child.stderr],
    ] as const)
      (source as Readable).on('data', (data: Buffer) => say({ data: { [stream]: data.toString('base64') } }));
    child.on('close', (code) => {
      // A zero is left out, as protocol buffers do.
      say({ end: code === 0 ? { exited: true } : { exitCode: code ?? -1, exited: code !== null } });
      reply.end(envelope({}, 2));
    });
  }

  const server = createServer(async (request, reply) => {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    if (!path.startsWith('/process.')) return manage(request, reply, body, path);
    const id = String(request.headers['e2b-sandbox-id']);
    const sandbox = sandboxes.get(id);
    if (!sandbox || sandbox.paused) return void send(reply, 404);
    if (request.headers['x-access-token'] !== sandbox.token) return void send(reply, 401);
    if (path.endsWith('/Start')) return start(reply, id, body);
    const message = JSON.parse(body.toString());
    const child = processes.get(message.process.pid);
    if (path.endsWith('/SendInput')) child?.stdin?.write(Buffer.from(message.input.stdin, 'base64'));
    if (path.endsWith('/CloseStdin')) child?.stdin?.end();
    if (path.endsWith('/SendSignal') && child) shell.end(child);
    send(reply, 200, {});
  });
  // A connection that lies idle is let go of by the client only: two that do so at once would cost a request its answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sandboxes };
}
