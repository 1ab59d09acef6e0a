import type { z } from 'zod';
import type { WorkspaceRecords } from '../ports.ts';
import {
  ArchiveRefused,
  archiveFormat,
  archiveVersion,
  fileRecord,
  manifest,
  mostRecordBytes,
} from './archive-format.ts';
import { openZip, type ReadRange } from './zip-reader.ts';

const mostManifestBytes = 1024 ** 2;
const fileEntry = /^files\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

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

/** Opens an archive and reads its manifest. Throws ArchiveRefused for one that no export has made. */
export async function openArchive(size: number, range: ReadRange, parts: readonly WorkspaceRecords[]) {
  const known = new Set(['manifest.json', 'files.ndjson', ...parts.map(({ kind }) => `${kind}.ndjson`)]);
  const zip = await openZip(size, range, (name) => known.has(name) || fileEntry.test(name));
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
    bytesOf(id: string): AsyncIterable<Uint8Array> {
      const bytes = zip.read(`files/${id}`);
      if (!bytes) throw new ArchiveRefused(`The archive can not be imported: files/${id} is missing`);
      return bytes;
    },
  };
}
