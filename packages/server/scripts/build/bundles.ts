import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * dist/ has a folder for each bundle, and a file `current` that names the one to start. A server that runs still reads from
 * its own, so the bundle before the current one stays.
 */

const pointer = (dist: string) => join(dist, 'current');

/** The name of the bundle that `npm start` would start. */
export function currentBundle(dist: string): string | undefined {
  if (!existsSync(pointer(dist))) return undefined;
  const name = readFileSync(pointer(dist), 'utf8');
  return existsSync(join(dist, name, 'main.mjs')) ? name : undefined;
}

/** Has a bundle written and makes it the current one. Until it is whole, nothing starts it. */
export async function publishBundle(
  dist: string,
  name: string,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const before = currentBundle(dist);
  // While sources do not have a bundle of their own, none is started.
  rmSync(pointer(dist), { force: true });
  const unfinished = `unfinished-${process.pid}`;
  mkdirSync(join(dist, unfinished), { recursive: true });
  await write(join(dist, unfinished));
  // Another start may have made the same one meanwhile.
  if (!existsSync(join(dist, name))) renameSync(join(dist, unfinished), join(dist, name));
  writeFileSync(join(dist, `${unfinished}.name`), name);
  renameSync(join(dist, `${unfinished}.name`), pointer(dist));
  const isKept = (entry: string) =>
    [name, before, 'current'].includes(entry) || (entry.startsWith('unfinished-') && entry !== unfinished);
  for (const entry of readdirSync(dist))
    if (!isKept(entry)) rmSync(join(dist, entry), { recursive: true, force: true });
}
