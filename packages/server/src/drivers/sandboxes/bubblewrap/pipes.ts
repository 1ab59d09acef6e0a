import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, mkdtempSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const [batch, least] = [48, 8];

export interface Pipe {
  /** What the child gets; to be closed on our side once it has it. */
  theirs: number;
  ours: Socket;
}

/**
 * Real pipes. What Node gives a child are sockets, and those can't be opened by name: `echo oops > /dev/stderr` would
 * fail in every sandbox. Node can't make a pipe, so FIFOs are made in batches and lose their names when they are taken.
 */
export function makePipes(): Pipes {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-pipes-'));
  const spare: string[] = [];
  let filling: Promise<void> | undefined;
  let closed = false;

  async function fill(): Promise<void> {
    const names = Array.from({ length: batch }, () => join(dir, randomBytes(8).toString('hex')));
    // The sandbox's user has to be able to open it again, by way of /dev/stdout; nobody else can pass into the directory.
    await promisify(execFile)('mkfifo', ['-m', '666', '--', ...names]);
    spare.push(...names);
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    return filling;
  }

  async function take<T>(open: (path: string) => T): Promise<T> {
    while (spare.length === 0 && !closed) await refill();
    if (closed) throw new Error('The sandboxes are being closed');
    const path = spare.pop() as string;
    if (spare.length < least) refill().catch(() => {});
    const opened = open(path);
    unlinkSync(path);
    return opened;
  }

  return {
    output: () =>
      take((path): Pipe => {
        const ours = openSync(path, O_RDONLY | O_NONBLOCK);
        const theirs = openSync(path, O_WRONLY);
        return { theirs, ours: new Socket({ fd: ours, readable: true, writable: false }) };
      }),

    input(content: string): number {
      if (content === '') return openSync('/dev/null', 'r');
      const path = join(dir, randomBytes(8).toString('hex'));
      writeFileSync(path, content, { mode: 0o444 });
      const fd = openSync(path, 'r');
      unlinkSync(path);
      return fd;
    },

    async close(): Promise<void> {
      closed = true;
      await filling?.catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export interface Pipes {
  /** For what the child says. */
  output(): Promise<Pipe>;
  /** For what the child is told, all of which is known: a file, because a FIFO could not be opened again at its end. */
  input(content: string): number;
  /** What is just being made would stand in the way of the directory's end. */
  close(): Promise<void>;
}
