import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A field of /proc/<pid>/status: a number, of kB where it has a unit. */
function statusField(pid: number, name: string): number | undefined {
  try {
    const found = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}

/** The most memory that the process has had resident, in bytes. */
export const peakMemoryOf = (pid: number): number => (statusField(pid, 'VmHWM') ?? 0) * 1024;

/**
 * Lets a backend of this server take so much more memory than it has now (RLIMIT_AS): beyond it PostgreSQL ends the
 * statement with "out of memory" and the backend lives on. False where the system has no such limit (macOS), no
 * `prlimit`, or does not let us set it.
 */
export async function limitBackend(postmaster: number, pid: number, bytes: number): Promise<boolean> {
  const size = statusField(pid, 'VmSize');
  // The pid came over a connection; only a child of our own server is touched.
  if (size === undefined || statusField(pid, 'PPid') !== postmaster) return false;
  const args = ['--pid', String(pid), `--as=${size * 1024 + bytes}`];
  const options = { env: { PATH: process.env.PATH ?? '/usr/bin:/bin' }, timeout: 10_000 };
  const isDone = (as: object) =>
    run('prlimit', args, { ...options, ...as }).then(
      () => true,
      () => false,
    );
  if (await isDone({})) return true;
  // Root without CAP_SYS_RESOURCE, as in containers: the account that runs the server may.
  const [uid, gid] = [statusField(pid, 'Uid'), statusField(pid, 'Gid')];
  return process.getuid?.() === 0 && uid && gid ? isDone({ uid, gid }) : false;
}
