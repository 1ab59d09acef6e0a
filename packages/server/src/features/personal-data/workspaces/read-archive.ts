import type { z } from 'zod';
import type { WorkspaceRecords } from '../ports.ts';
import {
  ArchiveRefused,
  archiveFormat,
  archiveVersion,
  fileRecord,
  manifest,
  mostLineBytes,
  mostRecordBytes,
} from './archive-format.ts';
import { openZip, type ReadRange } from './zip-reader.ts';

const mostManifestBytes = 1024 ** 2;
const idEntry = /^([a-z_]+)\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(\.ndjson)?$/;
const [batchLines, batchBytes] = [1000, 4 * 1024 ** 2];
const lineFeed = 0x0a;

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArchiveRefused(`The archive can not be imported: ${place} is no JSON`);
  }
}

function parsePart<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ArchiveRefused(`The archive can not be imported: ${place} is not valid at ${issue?.path.join('.') || '/'}`);
}

/** The lines of a text; one that is too long is refused before it is held in memory. */
async function* readLines(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [open, size]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...open, chunk.subarray(from, end)]);
      [open, size, from] = [[], 0, end + 1];
    }
    open.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > mostLineBytes)
      throw new ArchiveRefused(
        `The archive can not be imported: ${name} has a line of more than ${mostLineBytes} bytes`,
      );
  }
  if (size > 0) yield Buffer.concat(open);
}

/** Opens an archive and reads its manifest. Throws ArchiveRefused for one that no export has made. */
export async function openArchive(size: number, range: ReadRange, parts: readonly WorkspaceRecords[]) {
  const known = new Set(['manifest.json', 'files.ndjson', ...parts.map(({ kind }) => `${kind}.ndjson`)]);
  const withContents = new Set(parts.filter(({ contents }) => contents).map(({ kind }) => kind));
  const isAllowed = (name: string) => {
    const [, folder = '', isContents] = idEntry.exec(name) ?? [];
    return known.has(name) || (isContents ? withContents.has(folder) : folder === 'files');
  };
  const zip = await openZip(size, range, isAllowed);
  const first = parseJson(await zip.text('manifest.json', mostManifestBytes), 'manifest.json');
  const { format, version } = (first ?? {}) as { format?: unknown; version?: unknown };
  if (format !== archiveFormat) throw new ArchiveRefused('The file is no archive of a workspace');
  if (version !== archiveVersion)
    throw new ArchiveRefused(`The archive has another version than ${archiveVersion}, the one that can be imported`);

  async function records<T>(kind: string, schema: z.ZodType<T>): Promise<T[]> {
    const lines = (await zip.text(`${kind}.ndjson`, mostRecordBytes)).split('\n').filter((line) => line !== '');
    return lines.map((line, index) => {
      const place = `line ${index + 1} of ${kind}.ndjson`;
      return parsePart(schema, parseJson(line, place), place);
    });
  }

  return {
    manifest: parsePart(manifest, first, 'manifest.json'),
    records,
    files: () => records('files', fileRecord),
    /** The contents of a record in batches, none where there is no such entry. */
    async *contents<T>(kind: string, id: string, schema: z.ZodType<T>, rewrite: (text: string) => string) {
      const name = `${kind}/${id}.ndjson`;
      let [batch, bytes, number]: [T[], number, number] = [[], 0, 0];
      for await (const line of readLines(name, zip.read(name) ?? (async function* () {})())) {
        const place = `line ${++number} of ${name}`;
        batch.push(parsePart(schema, parseJson(rewrite(line.toString('utf8')), place), place));
        bytes += line.length;
        if (batch.length < batchLines && bytes < batchBytes) continue;
        yield batch;
        [batch, bytes] = [[], 0];
      }
      if (batch.length) yield batch;
    },
    bytesOf(id: string): AsyncIterable<Uint8Array> {
      const bytes = zip.read(`files/${id}`);
      if (!bytes) throw new ArchiveRefused(`The archive can not be imported: files/${id} is missing`);
      return bytes;
    },
  };
}
