import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { errorCode } from '../../lib/error-code.ts';

// Linux answers from /proc; elsewhere (macOS) `ps` is asked.
const hasProc = process.platform === 'linux';

function ps(pid: number, field: string): string | null {
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    return execFileSync('ps', ['-p', String(pid), '-o', `${field}=`], { encoding: 'utf8', env, stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

// The fields after the command name, which may itself hold spaces and parentheses; [0] is the state.
function procStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Whether the pid is taken, if only by a zombie. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** A zombie does not count as running: PID 1 of a container may never reap it, and it holds nothing. */
export function isRunning(pid: number): boolean {
  if (!exists(pid)) return false;
  const state = hasProc ? procStat(pid)?.[0] : null;
  return state !== 'Z' && state !== 'X';
}

/** Tells a process from a later one with the same pid; null where it can't be read. */
export function startTimeOf(pid: number): string | null {
  return hasProc ? (procStat(pid)?.[19] ?? null) : ps(pid, 'lstart');
}

export function argumentsOf(pid: number): string[] {
  if (!hasProc) return ps(pid, 'command')?.split(' ') ?? [];
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Null where it can't be read: no /proc, or another account's process without CAP_SYS_PTRACE (root in a container). */
export function hasWorkingDirectory(pid: number, dir: string): boolean | null {
  try {
    const theirs = statSync(`/proc/${pid}/cwd`);
    const ours = statSync(dir);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return null;
  }
}

/** Changes with every boot, so that a pid and start time of an earlier one are never taken for a process of this. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
