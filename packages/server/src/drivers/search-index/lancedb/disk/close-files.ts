import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Ignores files that LanceDB has deleted in the meantime during its cleanup. */
async function setMode(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/**
 * Takes the files of an index from everyone but the account of this process. The engine makes them as the process's umask
 * says, which sandboxes need as it is. The folder above is closed before anything is in it; this makes copies of the files
 * safe too. Each call looks at what came since the last.
 */
export function makeCloseFiles(dir: string): () => Promise<void> {
  const closed = new Set<string>();

  async function close(folder: string): Promise<void> {
    if (!closed.has(folder)) await setMode(folder, 0o700);
    closed.add(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return [];
    });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await close(path);
      else if (!closed.has(path)) await setMode(path, 0o600);
      closed.add(path);
    }
  }

  return () => close(dir);
}
