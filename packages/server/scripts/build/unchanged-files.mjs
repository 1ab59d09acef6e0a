import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Tells whether files are those of an earlier hash without reading them: by size, times and inode, as git does. The time of
 * the last change of an inode (ctime) can't be set by a program, so a file that was replaced by one of the same size and
 * mtime is noticed too. Plain JavaScript, since each start reads it and stripping types takes longer than the look.
 */

/** File systems note times in steps of up to two seconds: within one, a file can change twice with the same times. */
const settled_ms = 2000;

function stateOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}` : '';
}

function isSettled(path, now) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return !stat || Math.max(stat.mtimeMs, stat.ctimeMs) < now - settled_ms;
}

/** How files and folders are now. A folder changes when a name in it does. To be read before they are hashed. */
export function readStates(root, paths, now = Date.now()) {
  const areSettled = paths.every((path) => isSettled(join(root, path), now));
  return areSettled ? Object.fromEntries(paths.map((path) => [path, stateOf(join(root, path))])) : undefined;
}

/** Notes the states that belong to a stamp. Without states, or where it can't be written, nothing is noted. */
export function noteStates(file, stamp, states) {
  try {
    rmSync(file, { force: true });
    if (!states) return;
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ stamp, states }));
    renameSync(draft, file);
  } catch {
    // The next start hashes the files.
  }
}

/** The stamp that was noted, if no file has changed since. Paths are put together by hand: each start has thousands. */
export function stampOfUnchanged(file, root) {
  try {
    const { stamp, states } = JSON.parse(readFileSync(file, 'utf8'));
    const folder = `${root.replace(/[\\/]$/, '')}/`;
    for (const path in states) if (stateOf(folder + path) !== states[path]) return undefined;
    return stamp;
  } catch {
    return undefined;
  }
}
