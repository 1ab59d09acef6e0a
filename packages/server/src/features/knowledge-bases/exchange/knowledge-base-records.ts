import { kbCreate } from '@atrium/contract/knowledge-bases/inputs.ts';
import { visibleTo } from '@atrium/contract/knowledge-bases/visible-to.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { explainRefusal } from '../../../lib/explain-refusal.ts';
import { required } from '../../../lib/required.ts';
import { removeUrlCredentials } from '../../../lib/secrets/mask-url.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../../personal-data/ports.ts';
import { normalizeFolder } from '../documents/folder-path.ts';
import type { KnownViewers } from '../ports.ts';
import { listFolderRights, putFolderRights } from '../rights/rights-store.ts';
import type { KnowledgeBases } from '../service.ts';
import { findBase, insertBase, updateBase } from '../store.ts';
import { listBaseIds, listSiteAddresses } from './document-record-store.ts';
import { restoreViewers } from './restore-viewers.ts';

const baseRecord = z.object({
  id: z.guid(),
  base: kbCreate,
  summary: z.string().max(100_000),
  /** The folders with rights of their own. */
  folders: z.array(z.object({ prefix: z.string().max(2000), visible_to: visibleTo })).max(100_000),
  /** The addresses of sites, which are not part of the archive. */
  sites: z.array(z.string().max(4000)).max(10_000),
});
type BaseRecord = z.output<typeof baseRecord>;

/** The knowledge bases of a workspace, as an archive of the workspace has them. Their documents are records of their own. */
export function makeKnowledgeBaseRecords(deps: {
  db: Database;
  bases: Pick<KnowledgeBases, 'checkSettings'>;
  known: KnownViewers;
}) {
  const { db, bases, known } = deps;

  async function* list(workspace_id: string): AsyncGenerator<BaseRecord> {
    for (const id of await listBaseIds(db, workspace_id)) {
      const row = await findBase(db, workspace_id, id);
      if (!row) continue;
      const { name, description, document_types, kb_type, version, meta, settings } = row;
      yield {
        id,
        base: {
          ...{ name, description, document_types, kb_type, meta, settings_: settings },
          version: version as 'v2' | 'v3',
        },
        summary: row.summary,
        folders: await listFolderRights(db, { workspace_id, kb_id: id }),
        sites: (await listSiteAddresses(db, workspace_id, id)).map(({ url }) => removeUrlCredentials(url)),
      };
    }
  }

  async function restore(target: ImportTarget, { id, base, summary, folders, sites }: BaseRecord): Promise<void> {
    const { scope, note, rewriteIds } = target;
    const leftOut = (detail: string) => note({ what: 'left_out', kind: 'knowledge_base', name: base.name, detail });
    const kb_id = required(target.idOf('knowledge_base', id));
    const { name, description = '', document_types = [], kb_type = 'entity', version = 'v2', meta, settings_ } = base;
    const rights: [path: string, words: string[] | null][] = [];
    for (const { prefix, visible_to } of folders) {
      const words = await restoreViewers(target, known, visible_to, (detail) => leftOut(`${prefix} ${detail}`));
      rights.push([normalizeFolder(prefix), words]);
    }
    await db.transaction(scope, async (tx) => {
      await insertBase(tx, scope.workspace_id, {
        ...{ id: kb_id, name, description, document_types, kb_type, version, settings: settings_ ?? {} },
        meta: JSON.parse(rewriteIds(JSON.stringify(meta ?? {}))) as Record<string, unknown>,
      });
      if (summary) await updateBase(tx, scope.workspace_id, kb_id, { summary });
      const place = { workspace_id: scope.workspace_id, kb_id };
      // Before any document is there, so that none is ever seen by more people.
      for (const [path, words] of rights) await putFolderRights(tx, place, path, words);
    });
    for (const url of sites) leftOut(`The site ${url}; its pages are documents without it`);
  }

  return defineWorkspaceRecords<BaseRecord>({
    kind: 'knowledge_bases',
    schema: baseRecord,
    list,
    nameOf: ({ base }) => base.name,
    idsOf: ({ id }) => [{ kind: 'knowledge_base', id }],
    async refuse(_scope, { base }) {
      try {
        bases.checkSettings(base.settings_ ?? {});
        return undefined;
      } catch (error) {
        const why = explainRefusal(error);
        if (why === undefined) throw error;
        return why;
      }
    },
    async restore(target, records) {
      for (const record of records) await restore(target, record);
    },
  });
}
