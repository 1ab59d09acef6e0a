import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../../../..');

/** What a bundle is made from: the sources of the program and of the contract, and this script. Packages are not in it. */
export function stampOfSources(): string {
  const folders = ['packages/server/src', 'packages/contract/src', 'packages/server/scripts/build'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.(ts|js)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const sum = createHash('sha256');
  for (const file of [...files.sort(), join(repository, 'packages/contract/package.json')])
    sum.update(`\n${file.slice(repository.length)}\n`).update(readFileSync(file));
  return sum.digest('hex').slice(0, 16);
}
