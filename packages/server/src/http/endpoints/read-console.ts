import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { required } from '../../lib/required.ts';

export type Files = ReadonlyMap<string, Buffer>;
const filesAtOnce = 16;

/** The files of a built folder by their paths in addresses. Links are left out: they may lead out of the folder. */
async function readFiles(folder: string): Promise<Files> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries = found.filter((entry) => entry.isFile());
  const paths = new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  // Three quarters of the memory would be texts that hardly any client takes uncompressed.
  const kept = [...paths].filter((path) => !paths.has(`${path}.gz`));
  const files = new Map<string, Buffer>();
  for (let at = 0; at < kept.length; at += filesAtOnce)
    await Promise.all(
      kept.slice(at, at + filesAtOnce).map(async (path) => {
        files.set(`/${path.split(sep).join('/')}`, await readFile(join(folder, path)));
      }),
    );
  return files;
}

/** A file as it was before it was compressed. */
export function findFile(files: Files, path: string): (() => Buffer) | undefined {
  const [plain, packed] = [files.get(path), files.get(`${path}.gz`)];
  if (plain) return () => plain;
  return packed && (() => gunzipSync(packed));
}

/** Reads a built console once, when it is first asked for. One that can't be read is read again: it may just be built. */
export function makeConsoleReader(folder: string): () => Promise<{ files: Files; page: string }> {
  let reading: Promise<{ files: Files; page: string }> | undefined;

  async function readAll() {
    const files = await readFiles(folder);
    return { files, page: required(findFile(files, '/index.html'))().toString() };
  }

  return () => {
    if (reading) return reading;
    const begun = readAll();
    begun.catch(() => {
      reading = undefined;
    });
    reading = begun;
    return begun;
  };
}
