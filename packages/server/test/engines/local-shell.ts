import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** What stands behind a fake of an engine: a directory for each sandbox, and a real shell. Only for scripts of tests. */
export function makeLocalShell() {
  const root = mkdtempSync(join(tmpdir(), 'atrium-fake-engine-'));
  const children = new Set<ChildProcess>();
  after(async () => {
    for (const child of children) end(child);
    await rm(root, { recursive: true, force: true });
  });

  function end(child: ChildProcess): void {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }

  return {
    homeOf: (ref: string) => join(root, ref),
    make: (ref: string) => mkdirSync(join(root, ref), { recursive: true }),
    remove: (ref: string) => rm(join(root, ref), { recursive: true, force: true }),
    run(ref: string, script: string, env: Record<string, string>): ChildProcess {
      const child = spawn('bash', ['-c', script], {
        // The fake changes only the directory of the sandbox's files.
        env: { PATH: process.env.PATH, ...env, ATRIUM_HOME: join(root, ref), HOME: join(root, ref) },
        detached: true,
        stdio: 'pipe',
      });
      children.add(child);
      child.once('exit', () => end(child));
      child.once('close', () => children.delete(child));
      child.stdin?.on('error', () => {});
      return child;
    },
    end,
  };
}

export const bodyOf = async (request: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(request));
