import type { FollowUp } from '@atrium/contract/personal-data/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FileSaver, ImportTarget, WorkspaceRecords } from '../ports.ts';
import { ArchiveRefused, uuids } from './archive-format.ts';
import type { openArchive } from './read-archive.ts';

type Archive = Awaited<ReturnType<typeof openArchive>>;

/** The same id may name records of two kinds, and is written in either case. */
const keyOf = (kind: string, id: string) => `${kind} ${id.toLowerCase()}`;

const add = (sum: number, value: number) => sum + value;

/** Fills an empty workspace from an archive. An interrupted import starts again with another workspace. */
export async function importWorkspace(
  { parts, files }: { parts: readonly WorkspaceRecords[]; files: FileSaver },
  scope: Scope,
  archive: Archive,
  count: (kind: string, records: number, progress: number) => Promise<void>,
): Promise<FollowUp[]> {
  const follow_up: FollowUp[] = [];
  const [byKind, byId] = [new Map<string, string>(), new Map<string, string>()];
  const addId = (kind: string, from: string, to: string) => {
    if (byId.has(from.toLowerCase())) throw new ArchiveRefused(`The archive can not be imported: it has ${from} twice`);
    byKind.set(keyOf(kind, from), to);
    byId.set(from.toLowerCase(), to);
  };
  const target: ImportTarget = {
    scope,
    idOf: (kind, id) => byKind.get(keyOf(kind, id)),
    rewriteIds: (text) => text.replaceAll(uuids, (id) => byId.get(id.toLowerCase()) ?? id),
    note: (entry) => void follow_up.push(entry),
    async *contentsOf(kind, id, schema) {
      counted.set(id, 0);
      for await (const batch of archive.contents(kind, id, schema, target.rewriteIds)) {
        scope.signal.throwIfAborted();
        counted.set(id, (counted.get(id) ?? 0) + batch.length);
        yield batch;
      }
    },
  };
  // By record: the contents of one may be read again after a conflict in the database.
  const counted = new Map<string, number>();

  const read = await Promise.all(
    parts.map(async (part) => ({ part, records: await archive.records(part.kind, part.schema) })),
  );
  const accepted: { part: WorkspaceRecords; records: unknown[] }[] = [];
  for (const { part, records } of read) {
    const taken: unknown[] = [];
    for (const record of records) {
      scope.signal.throwIfAborted();
      const why = await part.refuse(scope, record, target.idOf);
      const kind = required(part.idsOf(record)[0]).kind;
      if (why !== undefined) target.note({ what: 'left_out', kind, name: part.nameOf(record), detail: why });
      else taken.push(record);
    }
    for (const { kind, id } of taken.flatMap((record) => part.idsOf(record))) addId(kind, id, newId());
    accepted.push({ part, records: taken });
  }

  const needed = new Set(
    accepted.flatMap(({ part, records }) => records.flatMap((record) => part.filesOf?.(record) ?? [])),
  );
  const list = (await archive.files()).filter(({ id, restricted }) => !restricted || needed.has(id));
  for (const { id, filename } of list) {
    scope.signal.throwIfAborted();
    addId('file', id, (await files.save(scope, { filename, stream: archive.bytesOf(id) })).id);
  }
  await count('files', list.length, 1 / (parts.length + 1));
  for (const [at, { part, records }] of accepted.entries()) {
    scope.signal.throwIfAborted();
    await part.restore(target, records);
    const progress = (at + 2) / (parts.length + 1);
    await count(part.kind, records.length, progress);
    if (part.contents) await count(part.contents.kind, [...counted.values()].reduce(add, 0), progress);
    counted.clear();
  }
  return follow_up;
}
