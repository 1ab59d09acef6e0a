import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, listFile } from './bundle-of.mjs';

/*
 * dist/ has a folder for each bundle, named by the stamp of the sources that it was made from. A server that runs reads
 * what it needs later from its own, so bundles stay for a while.
 */

const kept_ms = 30 * 24 * 3600 * 1000;
const unfinished_ms = 3600 * 1000;
const unfinished = 'unfinished-';

const sizesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== listFile)
      .map((name) => [name, statSync(join(folder, name)).size]),
  );

/** Has a bundle written beside the others and gives it its name when it is whole. */
export async function writeBundle(
  dist: string,
  stamp: string,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, unfinished));
  try {
    await write(folder);
    writeFileSync(join(folder, listFile), JSON.stringify(sizesIn(folder)));
    // An image or an administrator may have built it; the user of the service has to read it.
    chmodSync(folder, 0o755);
    // Another start may have made the same one meanwhile; one that is not whole gives way.
    if (bundleOf(dist, stamp)) return;
    remove(dist, stamp);
    renameSync(folder, join(dist, stamp));
  } catch (error) {
    if (!bundleOf(dist, stamp)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes its name away first: a removal that is cut off must not leave half a bundle. */
function remove(dist: string, name: string): void {
  const folder = mkdtempSync(join(dist, unfinished));
  try {
    renameSync(join(dist, name), join(folder, name));
  } catch {
    // There is none.
  }
  rmSync(folder, { recursive: true, force: true });
}

/** What can't be removed stays: another start may be removing it, or another user may own it. */
export function removeOldBundles(dist: string, current: string): void {
  for (const name of readdirSync(dist)) {
    const most_ms = name.startsWith(unfinished) ? unfinished_ms : kept_ms;
    try {
      const age = Date.now() - statSync(join(dist, name)).mtimeMs;
      if (name !== current && age > most_ms) remove(dist, name);
    } catch {
      // It stays.
    }
  }
}
