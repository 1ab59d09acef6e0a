import type { Db } from '../../../db/database.ts';
import { containsText } from '../../../db/list-query.ts';
import { replanEachTime, type Sql, sql } from '../../../db/sql.ts';
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

const foundColumns = sql`c.id, d.kb_id, d.id as document_id, d.name, c.content, c.start_at as start, c.end_at as "end", c.page`;
/** Comparing one passage without the index takes about a tenth of a millisecond. */
const mostCompared = 100;

interface SoughtPassages {
  words: readonly string[];
  visible: Visible;
  limit: number;
}

const hasWords = (content: Sql, words: readonly string[]) =>
  sql`search_words(${content}) @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})`;

/** Those among the first passages of the newest documents. */
const findFirstPassages = (db: Db, workspace_id: string, { words, visible, limit }: SoughtPassages) =>
  db.rows<FoundPassage>(sql`
    select p.id, p.kb_id, p.document_id, p.name, p.content, p.start, p."end", p.page from (
      select ${foundColumns}, c.position
      from kb_documents d, lateral (
        select * from kb_chunks c where c.workspace_id = d.workspace_id and c.kb_id = d.kb_id and c.document_id = d.id
          and c.run_id = d.live_run and c.enabled order by c.position limit ${mostCompared}) c
      where d.workspace_id = ${workspace_id} and d.live_run is not null and ${isVisible(sql`d`, visible)}
      order by d.id desc, c.position limit ${mostCompared}) p
    where ${hasWords(sql`p.content`, words)}
    order by p.document_id desc, p.position limit ${limit}${replanEachTime}`);

const findAllPassages = (db: Db, workspace_id: string, { words, visible, limit }: SoughtPassages) =>
  db.rows<FoundPassage>(sql`
    select ${foundColumns}
    from kb_chunks c join kb_documents d on d.workspace_id = c.workspace_id and d.kb_id = c.kb_id
      and d.id = c.document_id and d.live_run = c.run_id
    where c.workspace_id = ${workspace_id} and c.enabled and ${isVisible(sql`d`, visible)}
      and ${hasWords(sql`c.content`, words)}
    order by d.id desc, c.position limit ${limit}${replanEachTime}`);

/**
 * Passages of visible documents that have all words, those of the newest documents first. Common words are in the first
 * passages; by the index, all passages that have them would be read and sorted.
 */
export async function findPassages(db: Db, workspace_id: string, sought: SoughtPassages): Promise<FoundPassage[]> {
  const first = await findFirstPassages(db, workspace_id, sought);
  return first.length === sought.limit ? first : findAllPassages(db, workspace_id, sought);
}
