import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@atrium/contract/errors.ts';
import type { UploadedFile } from '../../../lib/route.ts';

const largest = 100 * 1024 * 1024;

async function* limited(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > largest) throw new AppError('too_large', `A file to import has at most ${largest / 1024 / 1024} MB`);
    yield chunk;
  }
}

/** Puts the one file of a form on the disk while something is done with it: a file is read more than once. */
export async function withSpooledUpload<T>(
  files: AsyncIterable<UploadedFile>,
  work: (path: string, filename: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'atrium-import-'));
  try {
    const path = join(dir, 'file');
    let filename: string | undefined;
    for await (const sent of files) {
      if (filename !== undefined) throw invalid(['body', sent.field], 'one file at a time', null);
      filename = sent.filename;
      await pipeline(sent.stream, limited, createWriteStream(path));
    }
    return await work(path, filename ?? '');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
