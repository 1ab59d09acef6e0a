import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { EngineFailed } from '../driver.ts';

/** Where root shows the directories of sandboxes to their users. */
export const visibleRootPath = '/mnt';

const script = `mount --bind -- "$1" ${visibleRootPath} && echo ready && exec cat`;

/**
 * When the server is root, sandboxes run as users of their own, which can't enter our data directory. Their directories
 * are mounted at another path, in a mount namespace that is made once and ends with the server: its only process waits
 * for the end of its input.
 */
export function makeVisibleRoot(root: string, path: string) {
  let keeper: ChildProcess | undefined;
  let making: Promise<string> | undefined;

  async function make(): Promise<string> {
    const args = ['--mount', '--propagation', 'private', '--', 'sh', '-c', script, 'sh', root];
    const child = spawn('unshare', args, { cwd: '/', env: { PATH: path }, stdio: ['pipe', 'pipe', 'pipe'] });
    keeper = child;
    child.unref();
    const failed = once(child, 'exit').then(() => {
      making = undefined;
      throw new EngineFailed('unshare or mount failed: root needs the right to make mount namespaces (CAP_SYS_ADMIN)');
    });
    // The race below reports the failure; a later one must not end the process.
    failed.catch(() => {});
    await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), failed]);
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?(): void } | null)?.unref?.();
    return `/proc/${child.pid}/ns/mnt`;
  }

  return {
    /** The file by which to enter the namespace. */
    namespace(): Promise<string> {
      making ??= make().catch((error) => {
        making = undefined;
        throw error;
      });
      return making;
    },
    close: () => void keeper?.stdin?.end(),
  };
}
