import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the files of a bundle with their sizes, and is written last. */
export const listFile = 'files.json';

/** The path to start, if there is a bundle of these sources and it is whole: a power cut may have emptied files. */
export function bundleOf(dist, stamp) {
  const folder = join(dist, stamp);
  try {
    const sizes = Object.entries(JSON.parse(readFileSync(join(folder, listFile), 'utf8')));
    const isWhole = sizes.every(([name, size]) => statSync(join(folder, name)).size === size);
    return isWhole ? join(folder, 'main.mjs') : undefined;
  } catch {
    return undefined;
  }
}
