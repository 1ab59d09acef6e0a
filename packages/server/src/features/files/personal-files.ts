import type { Database } from '../../db/database.ts';
import type { BlobStore } from '../../drivers/blobs/driver.ts';
import type { ArchiveEntry, DataSubject, PersonalRecords } from '../personal-data/ports.ts';
import type { Quotas } from './quotas.ts';
import { deleteFile, derivedBlobs, listFilesBy } from './store.ts';

const pageSize = 200;
const first = '00000000-0000-0000-0000-000000000000';

/** Of these files of a workspace, those that a knowledge base is made of. */
export type FindKnowledgeFiles = (workspace_id: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** The files that a person stored. Those that a knowledge base is made of belong to the workspace and are kept. */
export function makePersonalFiles(deps: {
  db: Database;
  blobs: Pick<BlobStore, 'get' | 'delete'>;
  quotas: Pick<Quotas, 'freed'>;
  findKnowledgeFiles: FindKnowledgeFiles;
}): PersonalRecords {
  const { db, blobs, quotas, findKnowledgeFiles } = deps;

  async function* filesOf({ workspace_ids, actor_ids }: DataSubject) {
    for (const workspace_id of workspace_ids)
      for (let after = first; ; ) {
        const page = await listFilesBy(db, workspace_id, actor_ids, after, pageSize);
        const last = page.at(-1);
        if (!last) break;
        const ids = page.map(({ id }) => id);
        const kept = await findKnowledgeFiles(workspace_id, ids);
        for (const file of page) yield { ...file, workspace_id, kept: kept.has(file.id) };
        after = last.id;
      }
  }

  return {
    kind: 'files',

    async *entries(person, count): AsyncGenerator<ArchiveEntry> {
      const list: string[] = [];
      for await (const { workspace_id, id, filename, size, kept } of filesOf(person)) {
        count();
        list.push(`${JSON.stringify({ id, filename, size, workspace_id, in_knowledge_base: kept })}\n`);
        // By its id: what a person calls a file must not become a path on the machine of who unpacks it.
        yield { name: `files/${id}`, content: await blobs.get(workspace_id, id) };
      }
      yield { name: 'files.ndjson', content: list };
    },

    async erase(person) {
      let [files, kept_files_of_knowledge_bases] = [0, 0];
      for await (const { workspace_id, id, kept } of filesOf(person)) {
        if (kept) {
          kept_files_of_knowledge_bases++;
          continue;
        }
        const derived = await derivedBlobs(db, workspace_id, id);
        await db.transaction(undefined, async (tx) => {
          const deleted = await deleteFile(tx, workspace_id, id);
          if (deleted) await quotas.freed(tx, person.scopeIn(workspace_id), deleted);
        });
        for (const blob_id of [id, ...derived]) await blobs.delete(workspace_id, blob_id);
        files++;
      }
      return { files, kept_files_of_knowledge_bases };
    },
  };
}
