import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '../../../..');

const folders = ['packages/server/src', 'packages/contract/src', 'packages/server/scripts/build'];
/** The lock file stands for the packages that are bundled. */
const single = ['packages/contract/package.json', 'package-lock.json'];

/**
 * What a bundle is made from, by paths in the repository: the sources of the program and of the contract, this script,
 * and the versions of packages.
 */
export function listSources(): { files: string[]; folders: string[] } {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true }),
  );
  const pathOf = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name).slice(repository.length + 1);
  const isSource = (name: string) => /(?<!\.test)\.(ts|js|mjs)$/.test(name);
  const files = entries.filter((entry) => entry.isFile() && isSource(entry.name)).map(pathOf);
  return {
    files: [...files.sort(), ...single],
    folders: [...folders, ...entries.filter((entry) => entry.isDirectory()).map(pathOf)],
  };
}

export function stampOfSources({ files } = listSources()): string {
  const sum = createHash('sha256');
  for (const file of files) sum.update(`\n${file}\n`).update(readFileSync(join(repository, file)));
  return sum.digest('hex').slice(0, 16);
}
