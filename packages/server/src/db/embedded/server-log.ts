import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs';

const maxBytes = 10 * 1024 * 1024;
const tailBytes = 4096;

/** A file and not a pipe: the server outlives a killed parent, and writing to a broken pipe would hurt it. */
export function openServerLog(path: string): { file: number; close: () => void } {
  const file = openSync(path, 'a', 0o600);
  if (fstatSync(file).size > maxBytes) ftruncateSync(file, 0);
  return { file, close: () => closeSync(file) };
}

export function serverLogSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines written since `from`. */
export function serverLogTail(path: string, from: number): string {
  const size = serverLogSize(path);
  const start = Math.max(from, size - tailBytes);
  if (size <= start) return '';
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(size - start);
    const length = readSync(file, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, length).trimEnd().split('\n').slice(-15).join('\n');
  } finally {
    closeSync(file);
  }
}
