import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { isAlive, type LockHolder, readLock, writeLock } from './lock-holder.ts';

const lockName = 'atrium.lock';

/** One Atrium process per data directory. Returns the release; throws an error naming the process that has it. */
export function lockDataDir(dir: string): () => void {
  const path = join(dir, lockName);
  const mine = take(path);
  if ('refusedBy' in mine) {
    const { pid, startedAt } = mine.refusedBy;
    throw new Error(
      `The data directory ${dir} is in use by process ${pid} (started ${startedAt}). ` +
        'Stop it first, or set ATRIUM_DATA_DIR to another directory.',
    );
  }
  removeLeavings(dir);
  return () => {
    if (readLock(path)?.id === mine.id) rmSync(path, { force: true });
  };
}

// A stale lock is replaced only by the process holding the right to it: a lock named after the stale one's id, taken
// the same way. Its holder looks again before it replaces, so two processes never break one lock, nor a fresh one.
function take(path: string): { id: string } | { refusedBy: LockHolder } {
  const id = randomUUID();
  const draft = `${path}.draft-${id}`;
  writeLock(draft, id);
  try {
    for (let attempt = 0; ; attempt++) {
      if (link(draft, path)) return { id };
      const holder = readLock(path);
      if (!holder) continue;
      if (isAlive(holder)) return { refusedBy: holder };
      const rightPath = `${path}.${holder.id}`;
      const right = take(rightPath);
      if ('refusedBy' in right) {
        // Another process is replacing the lock at this moment and will hold it; if it hangs, it is named instead.
        if (attempt > 200) return right;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      const unchanged = readLock(path)?.id === holder.id;
      if (unchanged) renameSync(draft, path);
      rmSync(rightPath, { force: true });
      if (unchanged) return { id };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

// Files that killed processes left beside the lock. An incomplete one may belong to a process that is just starting.
function removeLeavings(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(`${lockName}.`)) continue;
    const holder = readLock(join(dir, name));
    if (holder && holder.pid > 0 && !isAlive(holder)) rmSync(join(dir, name), { force: true });
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
