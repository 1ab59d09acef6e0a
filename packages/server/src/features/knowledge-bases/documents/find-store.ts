import type { Db } from '../../../db/database.ts';
import { containsText } from '../../../db/list-query.ts';
import { replanEachTime, sql } from '../../../db/sql.ts';
import { isVisible, type Visible } from '../rights/rights-store.ts';

export const findBasesByName = (db: Db, workspace_id: string, q: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from knowledge_bases where workspace_id = ${workspace_id} and ${containsText(sql`name`, q)}
    order by id desc limit ${limit}${replanEachTime}`);

/** Visible documents of all knowledge bases, by name. */
export const findDocumentsByName = (
  db: Db,
  workspace_id: string,
  { q, visible, limit }: { q: string; visible: Visible; limit: number },
) =>
  db.rows<{ id: string; kb_id: string; name: string }>(sql`
    select d.id, d.kb_id, d.name from kb_documents d
    where d.workspace_id = ${workspace_id} and ${containsText(sql`d.name`, q)} and ${isVisible(sql`d`, visible)}
    order by d.id desc limit ${limit}${replanEachTime}`);

export interface FoundPassage {
  id: string;
  kb_id: string;
  document_id: string;
  name: string;
  content: string;
  start: number;
  end: number;
  page: number | null;
}

/** Passages of visible documents that have all words, those of the newest documents first. */
export const findPassages = (
  db: Db,
  workspace_id: string,
  { words, visible, limit }: { words: readonly string[]; visible: Visible; limit: number },
) =>
  db.rows<FoundPassage>(sql`
    select c.id, c.kb_id, c.document_id, d.name, c.content, c.start_at as start, c.end_at as "end", c.page
    from kb_chunks c join kb_documents d on d.workspace_id = c.workspace_id and d.kb_id = c.kb_id
      and d.id = c.document_id and d.live_run = c.run_id
    where c.workspace_id = ${workspace_id} and c.enabled and ${isVisible(sql`d`, visible)}
      and search_words(c.content) @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})
    order by d.id desc, c.position limit ${limit}${replanEachTime}`);
