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
  /** The child's end; close it on our side after the start. */
  theirs: number;
  ours: Socket;
}

/**
 * Real pipes. Node connects a child by sockets, which can't be opened by name: `echo oops > /dev/stderr` would fail in
 * every sandbox. Node can't create a pipe, so FIFOs are made in batches and unlinked when they are used.
 */
export function makePipes(): Pipes {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-pipes-'));
  const spare: string[] = [];
  let filling: Promise<void> | undefined;
  let closed = false;

  async function fill(): Promise<void> {
    const names = Array.from({ length: batch }, () => join(dir, randomBytes(8).toString('hex')));
    // The sandbox's user must be able to open it again by /dev/stdout; no other user can enter the directory.
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
    // The next command waits for its own refill and gets the error.
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
      // The directory is removed, whether or not the pipes were made.
      await filling?.catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export interface Pipes {
  /** A pipe for the output of the child. */
  output(): Promise<Pipe>;
  /** A file with the input of the child: the child could not open a FIFO again at its end. */
  input(content: string): number;
  /** Waits for pipes that are being made, since they would keep the directory from being removed. */
  close(): Promise<void>;
}
