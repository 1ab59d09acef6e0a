import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** Private characters that stand before and after a found word. */
const [opening, closing] = ['\uE000', '\uE001'];

/** The text search configurations of PostgreSQL by the languages of the index. */
const configurations: Record<string, string> = {
  ...{ ar: 'arabic', da: 'danish', de: 'german', el: 'greek', en: 'english', es: 'spanish', fi: 'finnish' },
  ...{ fr: 'french', hu: 'hungarian', it: 'italian', nb: 'norwegian', nl: 'dutch', no: 'norwegian', pt: 'portuguese' },
  ...{ ro: 'romanian', ru: 'russian', sv: 'swedish', ta: 'tamil', tr: 'turkish' },
};

function rangesIn(marked: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let marks = 0;
  for (const { index, 0: mark } of marked.matchAll(/[\uE000\uE001]/g)) {
    const at = index - marks++;
    const last = ranges.at(-1);
    if (mark === opening) ranges.push({ start: at, end: at });
    else if (last) last.end = at;
  }
  return ranges;
}

/** Where the words of a question stand in texts, in other forms of theirs too. */
export async function markWords(db: Db, texts: readonly string[], question: string, language: string | null) {
  const configuration = configurations[language ?? ''] ?? 'simple';
  const options = `HighlightAll=true, StartSel=${opening}, StopSel=${closing}`;
  const clean = texts.map((text) => text.replaceAll(/[\uE000\uE001]/g, ' '));
  const rows = await db.rows<{ marked: string }>(sql`
    select ts_headline(${configuration}::text::regconfig, own.text, plainto_tsquery(${configuration}::text::regconfig, ${question}), ${options}) as marked
    from unnest(${clean}::text[]) with ordinality as own (text, place) order by own.place`);
  return rows.map(({ marked }) => rangesIn(marked));
}
