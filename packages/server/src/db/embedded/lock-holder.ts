import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { errorCode } from '../../lib/error-code.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { bootId, isRunning, startTimeOf } from './process-info.ts';

export interface LockHolder {
  /** A random id per acquisition, which tells a lock that was read apart from a later one. */
  id: string;
  pid: number;
  startTime: string | null;
  bootId: string | null;
  startedAt: string;
}

/** Says that this process holds it. */
export function writeLock(path: string, id: string): void {
  const holder: LockHolder = {
    id,
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    bootId: bootId(),
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  };
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(holder)}\n`);
    // Without this a power cut could leave a lock with a name and no content.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function readLock(path: string): LockHolder | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const holder = parseStored<Partial<LockHolder>>(text);
    if (typeof holder.pid === 'number' && /^[\w-]+$/.test(holder.id ?? '')) return holder as LockHolder;
  } catch {
    // Torn or foreign.
  }
  // link() puts whole files in place, so a torn one belongs to no living process.
  return { id: 'unreadable', pid: 0, startTime: null, bootId: null, startedAt: 'unknown' };
}

export function isAlive(holder: LockHolder): boolean {
  if (holder.pid <= 0 || !isRunning(holder.pid)) return false;
  const boot = bootId();
  if (boot && holder.bootId && boot !== holder.bootId) return false;
  const startTime = startTimeOf(holder.pid);
  return !startTime || !holder.startTime || startTime === holder.startTime;
}
