import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** User ids that no distribution assigns; in a container with few ids, some between those of services. */
const [wide, narrow] = [
  { first: 0x70000000, count: 0x0fffffff },
  { first: 60_578, count: 606 },
];

function isMapped(uid: number): boolean {
  try {
    const lines = readFileSync('/proc/self/uid_map', 'utf8').trim().split('\n');
    return lines.some((line) => {
      const [inside = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
      return uid >= inside && uid < inside + length;
    });
  } catch {
    return false;
  }
}

/**
 * The user id of a sandbox when we are root: its own, so that code which breaks out has no access to other sandboxes.
 */
export function uidOf(id: string): number {
  const { first, count } = isMapped(wide.first + wide.count) ? wide : narrow;
  return first + (createHash('sha256').update(id).digest().readUInt32LE(0) % count);
}

/** Whether any user of this machine can run a file: the file, and every directory above it. */
export function isPublic(path: string): boolean {
  try {
    if ((statSync(path).mode & 0o005) !== 0o005) return false;
    for (let above = dirname(path); ; above = dirname(above)) {
      if ((statSync(above).mode & 0o001) === 0) return false;
      if (above === '/') return true;
    }
  } catch {
    return false;
  }
}

export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
