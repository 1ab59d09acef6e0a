import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { bodyOf, makeLocalShell } from './local-shell.ts';

const home = '/home/daytona/work';

/** The part of Daytona's API that we use, and of the toolbox in its sandboxes. */
export async function startFakeDaytona(api_key: string) {
  const shell = makeLocalShell();
  const sandboxes = new Map<string, { state: string; body: Record<string, unknown> }>();

  async function files(
    request: IncomingMessage,
    id: string,
    verb: string,
    path: string,
    body: Buffer,
  ): Promise<[number, unknown?]> {
    const at = join(shell.homeOf(id), path.replace(home, ''));
    if (request.method === 'POST') {
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, body);
      return [200, {}];
    }
    if (!(await stat(at).catch(() => undefined))) return [404];
    if (request.method === 'DELETE') await rm(at, { recursive: true });
    if (request.method !== 'GET') return [204];
    if (verb === 'download') return [200, await readFile(at)];
    const names = await readdir(at);
    return [
      200,
      await Promise.all(
        names.map(async (name) => {
          const found = await stat(join(at, name));
          return {
            name,
            isDir: found.isDirectory(),
            size: found.size,
            modifiedAt: found.mtime.toISOString(),
            mode: '-rw-r--r--',
          };
        }),
      ),
    ];
  }

  async function execute(request: IncomingMessage, id: string, body: Buffer): Promise<[number, unknown?]> {
    const { command, envs } = JSON.parse(body.toString());
    const child = shell.run(id, `exec 2>&1; ${command}`, envs);
    child.stdin?.end();
    request.socket.once('close', () => sandboxes.get(id)?.state === 'stopped' && shell.end(child));
    const closed = once(child, 'close');
    const result = await text(child.stdout as never);
    await closed;
    return [200, { exitCode: child.exitCode ?? 137, result }];
  }

  async function answer(request: IncomingMessage): Promise<[number, unknown?]> {
    const body = await bodyOf(request);
    if (request.headers.authorization !== `Bearer ${api_key}`) return [401];
    const url = new URL(request.url ?? '', 'http://fake');
    const [, area = '', id = '', kind = '', verb = ''] = url.pathname.split('/');
    if (area === 'sandbox' && !id) {
      const made = randomUUID();
      sandboxes.set(made, { state: 'started', body: JSON.parse(body.toString()) });
      shell.make(made);
      return [200, { id: made, state: 'starting' }];
    }
    const sandbox = sandboxes.get(id);
    if (!sandbox) return [404];
    if (area === 'toolbox' && sandbox.state !== 'started') return [400];
    if (area === 'toolbox') {
      if (kind === 'process') return execute(request, id, body);
      return files(request, id, verb, url.searchParams.get('path') ?? '', body);
    }
    if (request.method === 'DELETE') {
      sandboxes.delete(id);
      await shell.remove(id);
    }
    if (kind === 'start') sandbox.state = 'started';
    if (kind === 'stop') sandbox.state = 'stopped';
    return [200, { id, state: sandbox.state, toolboxProxyUrl: `${base_url}/toolbox` }];
  }

  const server = createServer(async (request, reply) => {
    const [status, body] = await answer(request);
    reply.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? {}));
  });
  // A connection that lies idle is let go of by the client only: two that do so at once would cost a request its answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base_url, sandboxes };
}
