import type { Db } from '../../../db/database.ts';
import { identifier, join, sql } from '../../../db/sql.ts';
import { shownColumns } from './read-row-store.ts';
import type { Row, RowSource } from './row-source.ts';

const mostWords = 12;

/** Words worth looking for, each once. */
const wordsIn = (text: string) =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].slice(0, mostWords);

/** Finds the rows that contain most of the words, in any column. */
export async function searchRows(db: Db, source: RowSource, text: string, limit: number): Promise<Row[]> {
  const words = wordsIn(text);
  if (words.length === 0 || source.columns.length === 0) return [];
  const all = sql`lower(concat_ws(' ', ${join(
    source.columns.map(({ name }) => sql`${identifier(name)}::text`),
    sql`, `,
  )}))`;
  const score = join(
    words.map((word) => sql`(position(${word} in found.words) > 0)::int`),
    sql` + `,
  );
  return db.rows<Row>(sql`
    select ${shownColumns(source)}
    from (select *, ${all} as words from ${source.relation}) as found
    where ${score} > 0 order by ${score} desc, id limit ${limit}`);
}
