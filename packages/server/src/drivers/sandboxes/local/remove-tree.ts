import { lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { errorCode } from '../../../lib/error-code.ts';
import { at, type Held, itself, openAnyAt } from './open-directory.ts';

const trash = '.trash';

/**
 * Removes a file, or a directory with its content, at any depth: a tree may be deeper than the longest path. Inner
 * directories are moved up beside the first one before they are emptied, so that nothing lies deeper than two levels.
 */
export async function removeTree(parent: Held, name: string): Promise<void> {
  if (!(await lstat(at(parent, name))).isDirectory()) return unlink(at(parent, name));
  let counter = 0;
  const bin = await makeBin(parent);
  try {
    await rename(at(parent, name), at(bin, String(counter++)));
    const waiting = ['0'];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const directory = await openAnyAt(bin, next);
      try {
        for (const entry of await readdir(itself(directory), { withFileTypes: true })) {
          if (!entry.isDirectory()) {
            await unlink(at(directory, entry.name));
            continue;
          }
          // A directory without permissions can't be moved; opening it restores them.
          await (await openAnyAt(directory, entry.name)).handle.close();
          const aside = String(counter++);
          await rename(at(directory, entry.name), at(bin, aside));
          waiting.push(aside);
        }
      } finally {
        await directory.handle.close();
      }
      await rmdir(at(bin, next));
    }
  } finally {
    await bin.handle.close();
  }
  await rmdir(at(parent, bin.path.slice(bin.path.lastIndexOf('/') + 1)));
}

async function makeBin(parent: Held): Promise<Held> {
  for (let attempt = 0; ; attempt++) {
    const name = `${trash}-${process.pid}-${attempt}-${Date.now().toString(36)}`;
    try {
      await mkdir(at(parent, name), 0o700);
      return await openAnyAt(parent, name);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || attempt > 10) throw error;
    }
  }
}
