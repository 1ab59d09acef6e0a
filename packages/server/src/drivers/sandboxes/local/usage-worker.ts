import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { errorCode } from '../../../lib/error-code.ts';
import type { Measured } from './usage-counter.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const linux = process.platform === 'linux';
/** Linux: names a file without opening it. */
const O_PATH = 0o10000000;
/** A deeper tree counts as one with too many entries; nothing legitimate is that deep. */
const deepest = 200;

/** Also opens a directory whose owner has removed its own read permission, so that nothing can be hidden in it. */
function openDirectory(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (!linux || errorCode(error) !== 'EACCES') throw error;
  }
  const named = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${named}`, 0o700);
  } finally {
    closeSync(named);
  }
  return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** Walks through open directories, so that neither links nor long paths mislead it. */
function walk(root: string, most: number): Measured {
  const begun = performance.now();
  const total = { bytes: 0, inodes: 0, largest: 0 };
  // A file with several names counts once.
  const seen = new Set<number>();

  const visit = (path: string, depth: number): void => {
    if (depth > deepest) total.inodes = Number.POSITIVE_INFINITY;
    if (total.inodes > most) return;
    let fd: number;
    try {
      fd = openDirectory(path);
    } catch (error) {
      if (depth === 0) throw error;
      // The entry was removed meanwhile.
      return;
    }
    try {
      const here = linux ? `/proc/self/fd/${fd}` : path;
      for (const name of readdirSync(here)) {
        if (total.inodes > most) return;
        const stats = lstatSync(`${here}/${name}`, { throwIfNoEntry: false });
        if (!stats) continue;
        total.inodes++;
        if (stats.isDirectory()) {
          total.bytes += stats.blocks * 512;
          visit(`${here}/${name}`, depth + 1);
          continue;
        }
        if (stats.nlink > 1 && seen.has(stats.ino)) continue;
        if (stats.nlink > 1) seen.add(stats.ino);
        total.bytes += stats.blocks * 512;
        if (stats.isFile() && stats.size > total.largest) total.largest = stats.size;
      }
    } finally {
      closeSync(fd);
    }
  };

  visit(root, 0);
  return { ...total, ms: performance.now() - begun };
}

parentPort?.on('message', ({ id, root, most }: { id: number; root: string; most: number }) => {
  try {
    parentPort?.postMessage({ id, found: walk(root, most) });
  } catch (error) {
    parentPort?.postMessage({ id, error: errorCode(error) ?? 'unknown' });
  }
});
