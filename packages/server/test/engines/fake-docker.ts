import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { after } from 'node:test';
import { bodyOf, makeLocalShell } from './local-shell.ts';

interface Container {
  volume: string;
  script: string;
  env: Record<string, string>;
  config: Record<string, unknown>;
  streams?: Duplex;
  child?: ChildProcess;
  ended: PromiseWithResolvers<number>;
}

/** The part of Docker's API that we use, on a socket. A container is a process in the directory of its volume. */
export async function startFakeDocker() {
  const socket = join(mkdtempSync(join(tmpdir(), 'atrium-docker-')), 'docker.sock');
  const shell = makeLocalShell();
  const [volumes, containers] = [new Set<string>(), new Map<string, Container>()];
  const made: Record<string, unknown>[] = [];

  const frame = (stream: number, data: Buffer) => {
    const header = Buffer.alloc(8);
    header.writeUInt8(stream, 0);
    header.writeUInt32BE(data.length, 4);
    return Buffer.concat([header, data]);
  };

  function start(container: Container): void {
    const child = shell.run(container.volume, container.script, container.env);
    container.child = child;
    const streams = container.streams as Duplex;
    streams.pipe(child.stdin as never);
    for (const [number, source] of [
      [1, child.stdout],
      [2, child.stderr],
    ] as const)
      (source as Readable).on('data', (data: Buffer) => streams.write(frame(number, data)));
    child.on('close', (code, signal) => {
      container.ended.resolve(code ?? (signal ? 137 : 0));
      streams.end();
    });
  }

  async function answer(request: IncomingMessage): Promise<[status: number, body?: unknown]> {
    const body = await bodyOf(request);
    const path = (request.url ?? '').replace(/^\/v1\.41/, '').split('?')[0] as string;
    const [, kind = '', name = '', verb = ''] = path.split('/');
    if (kind === 'images') return name === 'missing' ? [404, { message: 'No such image' }] : [200, {}];
    if (kind === 'volumes' && name === 'create') {
      const { Name } = JSON.parse(body.toString());
      volumes.add(Name);
      shell.make(Name);
      return [201, { Name }];
    }
    if (kind === 'volumes') {
      if (!volumes.has(name)) return [404, { message: 'no such volume' }];
      if (request.method === 'DELETE') {
        volumes.delete(name);
        await shell.remove(name);
        return [204];
      }
      return [200, { Name: name }];
    }
    if (name === 'create') {
      const config = JSON.parse(body.toString());
      made.push(config);
      const id = `c${made.length}`;
      const env = Object.fromEntries(
        (config.Env as string[]).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      );
      const volume = config.HostConfig.Mounts[0].Source as string;
      // Only root can change the owner of files, and the test may run as any user.
      const script = env['ATRIUM_USER'] ? 'true' : (config.Entrypoint[2] as string);
      containers.set(id, { volume, script, env, config, ended: Promise.withResolvers() });
      return [201, { Id: id }];
    }
    const container = containers.get(name);
    if (!container) return [404, { message: 'No such container' }];
    if (verb === 'start') start(container);
    if (verb === 'kill' && container.child) shell.end(container.child);
    if (verb === 'wait') return [200, { StatusCode: await container.ended.promise }];
    if (verb === 'json') return [200, { State: { OOMKilled: false } }];
    if (request.method === 'DELETE') containers.delete(name);
    return [204];
  }

  const server = createServer(async (request, reply) => {
    const [status, body] = await answer(request);
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
  });
  server.on('upgrade', (request, stream) => {
    const container = containers.get((request.url ?? '').split('/')[3] as string) as Container;
    container.streams = stream;
    stream.on('error', () => {});
    stream.write(
      'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    );
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { socket, made, containers };
}
