import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { errorCode } from '../../../../lib/error-code.ts';

const versions = `${sep}_versions${sep}`;

async function listFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A file that the writer has removed meanwhile belongs to a version that is not the newest. */
const ignoreGone = (error: unknown) => {
  if (errorCode(error) !== 'ENOENT') throw error;
};

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch((error) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST') throw error;
    // The file system has no hard links.
    return copyFile(from, to);
  });
}

/**
 * Copies an index as it is now, while a writer may add to it. LanceDB never changes a file that it has written, so its
 * files are linked; a version is listed before the files that it names, and put in place after them.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const manifests = (await listFiles(from)).filter((file) => file.includes(versions));
  const others = (await listFiles(from)).filter((file) => !file.includes(versions));
  for (const file of [...others, ...manifests]) {
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // The files beside the table are replaced by their writers, and small.
    const isOfTable = relative(from, file).includes(sep);
    await (isOfTable ? linkOrCopy(file, target) : copyFile(file, target)).catch(ignoreGone);
  }
}
