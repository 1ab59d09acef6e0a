import { lstat, readdir, readlink } from 'node:fs/promises';
import { SandboxFileRefused } from '../../driver.ts';
import { at, type Held, itself, openAnyAt } from '../open-directory.ts';

/** An entry of a sandbox's working directory. Sockets, devices and pipes are left out. */
type TreeEntry = {
  /** Its name and those of the directories above. */
  names: readonly string[];
  mode: number;
  /** Changes with the content and can't be set back by the code inside. */
  changed_ms: number;
  modified_ms: number;
} & ({ type: 'directory' } | { type: 'file'; size: number; parent: Held } | { type: 'link'; target: string });

/** No deeper, as `usage-worker` counts: each level holds a directory open. */
const deepest = 200;

/**
 * Walks through open directories, so that neither links nor long paths mislead it. Fails with SandboxFileRefused when
 * there are more entries, or they lie deeper, than a sandbox may have.
 */
export async function* walkTree(
  directory: Held,
  left: { entries: number },
  above: readonly string[] = [],
): AsyncGenerator<TreeEntry> {
  if (above.length > deepest) throw new SandboxFileRefused('full', 'the folders of the sandbox lie too deep');
  for (const name of (await readdir(itself(directory))).sort()) {
    if (left.entries-- <= 0) throw new SandboxFileRefused('full', 'the sandbox has too many files');
    const stats = await lstat(at(directory, name)).catch(() => undefined);
    if (!stats) continue;
    const facts = { names: [...above, name], mode: stats.mode & 0o777 };
    const times = { changed_ms: stats.ctimeMs, modified_ms: stats.mtimeMs };
    if (stats.isFile()) yield { ...facts, ...times, type: 'file', size: stats.size, parent: directory };
    else if (stats.isSymbolicLink())
      yield { ...facts, ...times, type: 'link', target: await readlink(at(directory, name)) };
    else if (stats.isDirectory()) {
      yield { ...facts, ...times, type: 'directory' };
      const inner = await openAnyAt(directory, name);
      try {
        yield* walkTree(inner, left, facts.names);
      } finally {
        await inner.handle.close();
      }
    }
  }
}
