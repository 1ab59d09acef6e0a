import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError, conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { FileListQuery, FileWrite, SandboxFile } from '@atrium/contract/sandboxes/schema.ts';
import { type Entry, SandboxFileRefused } from '../../drivers/sandboxes/driver.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { UploadedFile } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import type { StoredFiles } from './files/stored-files.ts';
import type { Opened, Sandboxes } from './service.ts';

export interface SandboxFilesService {
  list(scope: Scope, id: string, query: FileListQuery): Promise<Paged<SandboxFile>>;
  read(scope: Scope, id: string, path: string): Promise<RawAnswer>;
  write(scope: Scope, id: string, file: FileWrite): Promise<SandboxFile>;
  /** Stores the one file of a form. `fields` is complete when the files have been read. */
  upload(scope: Scope, id: string, files: AsyncIterable<UploadedFile>, fields: { path?: string }): Promise<SandboxFile>;
  remove(scope: Scope, id: string, path: string): Promise<void>;
}

const shown = (entry: Entry): SandboxFile => ({ ...entry, modified_at: entry.modified_at.toISOString() });

/** Decodes the content. Invalid base64 is refused, not read up to the first error. */
function bytesOf({ content, encoding }: FileWrite): Buffer {
  if (encoding === 'utf-8') return Buffer.from(content);
  const plain = content.replaceAll(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(plain))
    throw invalid(['body', 'content'], 'it is not base64', null);
  return Buffer.from(plain, 'base64');
}

/** Reads the one file of a form into memory: engines take a file whole, and it may have 64 MiB at most. */
async function readOnly(files: AsyncIterable<UploadedFile>): Promise<{ filename: string; bytes: Buffer }> {
  let file: { filename: string; bytes: Buffer } | undefined;
  for await (const { field, filename, stream } of files) {
    if (file) throw invalid(['body', field], 'one file at a time', null);
    file = { filename, bytes: await buffer(stream) };
  }
  return file ?? { filename: '', bytes: Buffer.alloc(0) };
}

/** The path that a form asks for. Names of files may hold the path at the client, of which the last part counts. */
function pathOf(given: string | undefined, filename: string): string {
  const own = filename.replace(/^.*[/\\]/s, '');
  const path = given === undefined || given.endsWith('/') ? `${given ?? ''}${own}` : given;
  if (own === '' && path.replace(/^.*\//s, '') === '')
    throw invalid(['body', 'path'], 'the file has no name', given ?? null);
  if (path.length > 4096) throw invalid(['body', 'path'], 'a path has at most 4096 characters', null);
  return path;
}

function told(error: SandboxFileRefused, where: 'query' | 'body', path: string): unknown {
  if (error.code === 'missing') return notFound('file');
  if (error.code === 'too_large') return new AppError('too_large', `The file can't be taken: ${error.message}`);
  if (error.code === 'full') return conflict(`The file can't be kept: ${error.message}`, 'sandbox_full');
  return invalid([where, 'path'], error.message, path);
}

/** Access to the files of sandboxes from outside, also while a sandbox is stopped. */
export function makeSandboxFiles(sandboxes: Sandboxes, stored: StoredFiles): SandboxFilesService {
  async function change<T>(scope: Scope, opened: Opened, work: (opened: Opened) => Promise<T>): Promise<T> {
    const hold = await sandboxes.holdFiles(scope, opened);
    try {
      return await work(opened);
    } finally {
      sandboxes.forgetUsage(opened.row.id);
      await hold.release();
    }
  }

  async function using<T>(
    scope: Scope,
    id: string,
    { where, path, changes = false }: { where: 'query' | 'body'; path: string; changes?: boolean },
    work: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const opened = await sandboxes.open(scope, id);
    try {
      if (!changes) await stored.look(opened);
      const result = await (changes ? change(scope, opened, work) : work(opened));
      await sandboxes.touch(scope, id);
      return result;
    } catch (error) {
      throw error instanceof SandboxFileRefused
        ? told(error, where, path)
        : await sandboxes.explain(scope, opened, error);
    }
  }

  return {
    async list(scope: Scope, id: string, query: FileListQuery): Promise<Paged<SandboxFile>> {
      const entries = await using(scope, id, { where: 'query', path: query.path }, ({ driver, ref }) =>
        driver.files.list(ref, query.path),
      );
      const page = pageOf(query);
      return pageAnswer(entries.slice(page.offset, page.offset + page.size).map(shown), entries.length, page);
    },

    async read(scope: Scope, id: string, path: string): Promise<RawAnswer> {
      const content = await using(scope, id, { where: 'query', path }, ({ driver, ref }) =>
        driver.files.read(ref, path),
      );
      return new RawAnswer(Readable.from(content, { objectMode: false }), {
        'content-type': 'application/octet-stream',
        // A file from a sandbox must never be shown as a page of this server.
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      });
    },

    write: async (scope: Scope, id: string, file: FileWrite): Promise<SandboxFile> =>
      shown(
        await using(scope, id, { where: 'body', path: file.path, changes: true }, ({ driver, ref }) =>
          driver.files.write(ref, file.path, bytesOf(file)),
        ),
      ),

    async upload(scope, id, files, fields) {
      const { filename, bytes } = await readOnly(files);
      const path = pathOf(fields.path, filename);
      return shown(
        await using(scope, id, { where: 'body', path, changes: true }, ({ driver, ref }) =>
          driver.files.write(ref, path, bytes),
        ),
      );
    },

    remove: (scope: Scope, id: string, path: string): Promise<void> =>
      using(scope, id, { where: 'query', path, changes: true }, ({ driver, ref }) => driver.files.remove(ref, path)),
  };
}
