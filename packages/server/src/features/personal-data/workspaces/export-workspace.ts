import type { BlobStore } from '../../../drivers/blobs/driver.ts';
import { BlobMissing } from '../../../drivers/blobs/driver.ts';
import type { ArchivedWorkspaces, ArchiveEntry, WorkspaceRecords } from '../ports.ts';
import {
  ArchiveRefused,
  archiveFormat,
  archiveVersion,
  type FileRecord,
  mostEntries,
  mostRecordBytes,
  uuids,
} from './archive-format.ts';

/** Those of these ids that are files of a workspace which everybody there may read. */
export type FindOpenFiles = (workspace_id: string, ids: readonly string[]) => Promise<FileRecord[]>;

const atOnce = 1000;
const spareEntries = 100;

export interface ExportDeps {
  parts: readonly WorkspaceRecords[];
  blobs: Pick<BlobStore, 'get'>;
  findOpenFiles: FindOpenFiles;
}

/** The entries of a workspace's archive. Files are those that the records name, since others belong to conversations and documents. */
export async function* exportWorkspace(
  { parts, blobs, findOpenFiles }: ExportDeps,
  workspace: Awaited<ReturnType<ArchivedWorkspaces['get']>>,
  count: (kind: string, step?: number) => Promise<void> | void,
): AsyncGenerator<ArchiveEntry> {
  const named = new Set<string>();
  async function* linesOf(part: WorkspaceRecords) {
    let bytes = 0;
    for await (const record of part.list(workspace.id)) {
      const line = `${JSON.stringify(record)}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes > mostRecordBytes)
        throw new ArchiveRefused(`The ${part.kind} of the workspace take more than ${mostRecordBytes} bytes`);
      for (const [id] of line.matchAll(uuids)) named.add(id.toLowerCase());
      count(part.kind);
      yield line;
    }
  }
  for (const [at, part] of parts.entries()) {
    yield { name: `${part.kind}.ndjson`, content: linesOf(part) };
    await count(part.kind, (at + 1) / (parts.length + 1));
  }

  const [ids, list] = [[...named], [] as string[]];
  for (let from = 0; from < ids.length; from += atOnce)
    for (const { id, filename } of await findOpenFiles(workspace.id, ids.slice(from, from + atOnce))) {
      const content = await blobs.get(workspace.id, id).catch((error: unknown) => {
        if (error instanceof BlobMissing) return undefined;
        throw error;
      });
      if (!content) continue;
      if (list.push(`${JSON.stringify({ id, filename })}\n`) > mostEntries - spareEntries)
        throw new ArchiveRefused(`The workspace uses more than ${mostEntries - spareEntries} files`);
      count('files');
      yield { name: `files/${id}`, content };
    }
  yield { name: 'files.ndjson', content: list };
  const { name, description, pii_allow } = workspace;
  const head = { format: archiveFormat, version: archiveVersion, exported_at: new Date().toISOString() };
  yield {
    name: 'manifest.json',
    content: [JSON.stringify({ ...head, workspace: { name, description, pii_allow } }, null, 2)],
  };
}
