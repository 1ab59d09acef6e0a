import { join } from 'node:path';
import { cannotStart } from './cannot-start.ts';
import type { Privileges } from './privileges.ts';
import { openServerLog, serverLogSize, serverLogTail } from './server-log.ts';

interface InitdbOptions {
  /** An empty directory of the account that will run the server. */
  cluster: string;
  /** Relative to the cluster, which the account may be unable to reach by its full path. */
  passwordFile: string;
  log: string;
  native: string;
  privileges: Privileges;
}

// Builtin C.UTF-8: code point order that no upgrade of the system's libraries can change under an index, and case
// mapping for all of Unicode. LC_CTYPE stays libc's for pg_trgm and the text search parser, which under plain C see no
// letters but ASCII; C is the last resort, where the system has no UTF-8 locale.
const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'C'];

export async function initdb({
  cluster,
  passwordFile,
  log: logPath,
  native,
  privileges,
}: InitdbOptions): Promise<void> {
  for (const ctype of ctypes) {
    const args = [
      `--pgdata=${privileges.dataDirArgument(cluster)}`,
      '--username=atrium',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${ctype}`,
      '--data-checksums',
    ];
    const log = openServerLog(logPath);
    const from = serverLogSize(logPath);
    const child = privileges.spawn(join(native, 'bin', 'initdb'), args, { cwd: cluster, output: log.file });
    const failure = await new Promise<string | null>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? `code ${code}`}`));
    }).finally(log.close);
    if (failure === null) return;
    const tail = serverLogTail(logPath, from);
    if (ctype === ctypes.at(-1) || !tail.includes('invalid locale name')) {
      throw cannotStart(`initdb failed: ${failure}.`, tail);
    }
  }
}
