import { buffer } from 'node:stream/consumers';
import { AppError } from '@atrium/contract/errors.ts';
import { type Entry, type SandboxDriver, SandboxFileRefused } from '../../../drivers/sandboxes/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Opened } from '../../sandboxes/service.ts';
import type { ConversationFiles, KnownFile } from '../conversation-files/service.ts';

const megabyte = 1024 * 1024;
const mostBytes = 20 * megabyte;
const mostInputs = 50;
const mostOutputs = 10;

/** The entries of the working directory and one level below, by path. Hidden files are left out. */
export async function snapshot(driver: SandboxDriver, ref: string): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  const isHidden = (path: string) => /(?:^|\/)[._]{1,2}[^/]/.test(path);
  const top = (await driver.files.list(ref, '')).filter(({ path }) => !isHidden(path));
  const folders = top.filter(({ type }) => type === 'directory').slice(0, 20);
  const inner = await Promise.all(folders.map(({ path }) => driver.files.list(ref, path).catch(() => [])));
  for (const entry of [...top, ...inner.flat()])
    if (entry.type === 'file' && !isHidden(entry.path)) found.set(entry.path, entry);
  return found;
}

/** The files that were written between two snapshots. */
export const findChangedFiles = (before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): Entry[] =>
  [...after.values()].filter((entry) => {
    const old = before.get(entry.path);
    return old?.size !== entry.size || old.modified_at.getTime() !== entry.modified_at.getTime();
  });

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Collected {
  path: string;
  bytes?: Buffer;
  problem?: string;
}

/** Reads the bytes of files, or says why they can't be read. */
export async function collect(driver: SandboxDriver, ref: string, entries: readonly Entry[]): Promise<Collected[]> {
  const collected: Collected[] = [];
  for (const [index, { path, size }] of entries.entries()) {
    if (index >= mostOutputs) collected.push({ path, problem: `one call may make ${mostOutputs} files` });
    else if (size > mostBytes) collected.push({ path, problem: `it is larger than ${mostBytes / megabyte} MB` });
    else
      try {
        collected.push({ path, bytes: await bytesOf(await driver.files.read(ref, path)) });
      } catch (error) {
        if (!(error instanceof SandboxFileRefused)) throw error;
        collected.push({ path, problem: error.message });
      }
  }
  return collected;
}

/** The files that a sandbox gets: the newest ones that are not too large. */
export const copiedFiles = (known: readonly KnownFile[]): KnownFile[] =>
  known.slice(-mostInputs).filter(({ file }) => file.size <= mostBytes);

/**
 * Copies the conversation's files into the sandbox. Each file is copied once, so that later changes of the code stay.
 * Returns the names of all files that are there and the ids of the newly copied ones.
 */
export async function copyFilesIn(
  scope: Scope,
  { driver, ref }: Opened,
  kept: ConversationFiles,
  known: readonly KnownFile[],
  before: ReadonlySet<string>,
): Promise<{ inputs: string[]; brought: string[] }> {
  const there = await snapshot(driver, ref);
  const [inputs, brought]: [string[], string[]] = [[], []];
  for (const one of copiedFiles(known)) {
    const has = there.get(one.path);
    if (before.has(one.file.id)) {
      if (has) inputs.push(one.path);
      continue;
    }
    if (has?.size !== one.file.size)
      try {
        await driver.files.write(ref, one.path, await buffer(await kept.read(scope, one)));
      } catch (error) {
        // The file was deleted meanwhile, or there is no room for it: the code runs without it.
        if (error instanceof SandboxFileRefused || error instanceof AppError) continue;
        throw error;
      }
    inputs.push(one.path);
    brought.push(one.file.id);
  }
  return { inputs, brought };
}
