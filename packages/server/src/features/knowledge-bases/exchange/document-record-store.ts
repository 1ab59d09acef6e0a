import type { KbDocument } from '@atrium/contract/knowledge-bases/schema.ts';
import type { VisibleTo } from '@atrium/contract/knowledge-bases/visible-to.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { NewDocument } from '../documents/document-store.ts';
import { visibleToColumn } from '../rights/rights-store.ts';

export type StoredDocument = Omit<NewDocument, 'visible_to' | 'current_run'> & {
  kb_id: string;
  status: KbDocument['status'];
  visible_to: VisibleTo;
  /** Passages that people have switched off, edited or added. */
  changed_passages: number;
};

/** The documents and folders of a workspace, whoever sees them. */
export const listStoredDocuments = (db: Db, workspace_id: string, after: string, limit: number) =>
  db.rows<StoredDocument>(sql`
    select d.id, d.kb_id, d.name, coalesce(d.given_prefix, d.prefix) as prefix, d.status, d.size, d.source_type, d.file_id,
      d.owns_file, d.source_url, d.doc_type, d.doc_metadata, ${visibleToColumn(sql`d`)} as visible_to,
      (select count(*)::int from kb_chunks c where c.workspace_id = d.workspace_id and c.kb_id = d.kb_id
        and c.document_id = d.id and c.run_id = d.live_run and c.version > 0) as changed_passages
    from kb_documents d where d.workspace_id = ${workspace_id} and d.id > ${after} order by d.id limit ${limit}`);

/** The ids of all knowledge bases of a workspace. */
export const listBaseIds = async (db: Db, workspace_id: string) =>
  (
    await db.rows<{ id: string }>(sql`select id from knowledge_bases where workspace_id = ${workspace_id} order by id`)
  ).map(({ id }) => id);

export const listSiteAddresses = (db: Db, workspace_id: string, kb_id: string) =>
  db.rows<{ url: string }>(sql`
    select url from kb_sites where workspace_id = ${workspace_id} and kb_id = ${kb_id} order by id`);
