import type { BlobStore } from '../../../drivers/blobs/driver.ts';
import { BlobMissing } from '../../../drivers/blobs/driver.ts';
import { required } from '../../../lib/required.ts';
import type { ArchivedWorkspaces, ArchiveEntry, WorkspaceRecords } from '../ports.ts';
import {
  ArchiveRefused,
  archiveFormat,
  archiveVersion,
  type FileRecord,
  mostEntries,
  mostEntryBytes,
  mostLineBytes,
  mostRecordBytes,
  mostUnpackedBytes,
  uuids,
} from './archive-format.ts';

/** Those of these ids that are files of a workspace: all, or those which everybody there may read. */
export type FindArchivedFiles = (
  workspace_id: string,
  ids: readonly string[],
  which: 'all' | 'open',
) => Promise<Pick<FileRecord, 'id' | 'filename'>[]>;

const atOnce = 1000;
const pieceLength = 64 * 1024;

export interface ExportDeps {
  parts: readonly WorkspaceRecords[];
  blobs: Pick<BlobStore, 'get'>;
  findFiles: FindArchivedFiles;
}

/** Collects the files that records name. Ids are looked up in batches, since rows name many more than there are files. */
function makeNamedFiles(find: (ids: readonly string[], which: 'all' | 'open') => ReturnType<FindArchivedFiles>) {
  const waiting = new Set<string>();
  const owned = new Set<string>();
  const files = new Map<string, FileRecord>();
  const look = async (ids: readonly string[]) => {
    for (const { id, filename } of await find(ids, 'open')) files.set(id, { id, filename, restricted: false });
    const others = ids.filter((id) => owned.has(id) && !files.has(id));
    if (others.length === 0) return;
    for (const { id, filename } of await find(others, 'all')) files.set(id, { id, filename, restricted: true });
  };
  return {
    /** Files that belong to a record, whoever may read them. */
    add: (ids: readonly string[]) => ids.forEach((id) => void owned.add(id)),
    async see(text: string): Promise<void> {
      for (const [id] of text.matchAll(uuids)) waiting.add(id.toLowerCase());
      if (waiting.size < atOnce) return;
      const ids = [...waiting];
      waiting.clear();
      for (let from = 0; from < ids.length; from += atOnce) await look(ids.slice(from, from + atOnce));
    },
    async all(): Promise<FileRecord[]> {
      await look([...waiting]);
      return [...files.values()];
    },
  };
}

/** Passes entries on while an import would take them. */
async function* withinLimits(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  let [number, total] = [0, 0];
  async function* counted({ name, content }: ArchiveEntry) {
    let bytes = 0;
    for await (const piece of content) {
      const size = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
      [bytes, total] = [bytes + size, total + size];
      if (bytes > mostEntryBytes) throw new ArchiveRefused(`${name} has more than ${mostEntryBytes} bytes`);
      if (total > mostUnpackedBytes) throw new ArchiveRefused(`The workspace has more than ${mostUnpackedBytes} bytes`);
      yield piece;
    }
  }
  for await (const entry of entries) {
    if (++number > mostEntries) throw new ArchiveRefused(`The workspace has more than ${mostEntries} files and tables`);
    yield { name: entry.name, content: counted(entry) };
  }
}

/** The entries of a workspace's archive. Files are those that the records name, since others belong to conversations. */
export const exportWorkspace = (...given: Parameters<typeof entriesOf>) => withinLimits(entriesOf(...given));

async function* entriesOf(
  { parts, blobs, findFiles }: ExportDeps,
  workspace: Awaited<ReturnType<ArchivedWorkspaces['get']>>,
  count: (kind: string, step?: number) => Promise<void> | void,
): AsyncGenerator<ArchiveEntry> {
  const named = makeNamedFiles((ids, which) => findFiles(workspace.id, ids, which));
  async function* linesOf(kind: string, records: AsyncIterable<unknown>, most: { all: number; line: number }) {
    let [bytes, text] = [0, ''];
    for await (const record of records) {
      const line = `${JSON.stringify(record)}\n`;
      const size = Buffer.byteLength(line);
      bytes += size;
      if (bytes > most.all || size > most.line)
        throw new ArchiveRefused(`The ${kind} of the workspace take more than ${Math.min(most.all, most.line)} bytes`);
      await count(kind);
      text += line;
      // Many small pieces take far longer to pack than a few large ones.
      if (text.length < pieceLength) continue;
      await named.see(text);
      yield text;
      text = '';
    }
    await named.see(text);
    yield text;
  }
  async function* entriesOfPart(part: WorkspaceRecords): AsyncGenerator<ArchiveEntry> {
    const listed: unknown[] = [];
    async function* remembered() {
      for await (const record of part.list(workspace.id)) {
        named.add(part.filesOf?.(record) ?? []);
        if (part.contents) listed.push(record);
        yield record;
      }
    }
    const most = { all: mostRecordBytes, line: mostRecordBytes };
    yield { name: `${part.kind}.ndjson`, content: linesOf(part.kind, remembered(), most) };
    if (!part.contents) return;
    const { kind, list } = part.contents;
    for (const record of listed) {
      const name = `${part.kind}/${required(part.idsOf(record)[0]).id}.ndjson`;
      const content = linesOf(kind, list(workspace.id, record), { all: mostEntryBytes, line: mostLineBytes });
      yield { name, content };
    }
  }
  for (const [at, part] of parts.entries()) {
    yield* entriesOfPart(part);
    await count(part.kind, (at + 1) / (parts.length + 1));
  }

  const list: string[] = [];
  for (const { id, filename, restricted } of await named.all()) {
    const content = await blobs.get(workspace.id, id).catch((error: unknown) => {
      if (error instanceof BlobMissing) return undefined;
      throw error;
    });
    if (!content) continue;
    list.push(`${JSON.stringify({ id, filename, restricted })}\n`);
    await count('files');
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
