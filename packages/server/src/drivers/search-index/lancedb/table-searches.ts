import type { FullTextQuery } from '@lancedb/lancedb';
import { splitUnspacedQuestion } from '../../../lib/text/split-unspaced-text.ts';
import { byScore, type IndexCandidate, type IndexFilter, type IndexHit, type RetrievalIndex } from '../driver.ts';
import { renderFilter } from './filters.ts';
import type { IndexStorage } from './index-storage.ts';
import { type Lance, loadLance } from './load.ts';
import { type OpenTables, pathOf } from './open-tables.ts';
import { textColumns } from './table-reads.ts';
import { findFactor, makeStatisticsReader } from './term-statistics.ts';

type TableSearches = Pick<RetrievalIndex, 'searchText' | 'findCandidates' | 'searchVector'>;

interface FoundRow {
  id: string;
  text?: string;
  heading?: string;
  _score: number;
  _distance: number;
}

/** LanceDB throws this error for a query that consists of stop words only. */
const saysNoWords = (error: unknown) => /columns in a record batch must have the same length/.test(String(error));

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** A result by columns. Its own `toArray` makes rows that look each field up when it is read, which takes longer. */
interface FoundColumns {
  numRows: number;
  schema: { names: PropertyKey[] };
  getChild(name: PropertyKey): { toArray(): ArrayLike<unknown> } | null;
}

function rowsOf(found: FoundColumns): FoundRow[] {
  const columns = found.schema.names.map((name) => [name, found.getChild(name)?.toArray()] as const);
  const rowAt = (_: unknown, at: number) => Object.fromEntries(columns.map(([name, values]) => [name, values?.[at]]));
  return Array.from({ length: found.numRows }, rowAt) as unknown as FoundRow[];
}

async function findRows(
  query: { where(filter: string): unknown; toArrow(): Promise<FoundColumns> },
  filter: IndexFilter,
): Promise<FoundRow[]> {
  const where = renderFilter(filter);
  if (where !== undefined) query.where(where);
  return rowsOf(await query.toArrow());
}

/** The engine counts each word once; words that a question has several times get as much more weight. */
function makeWordQuery({ MatchQuery, BooleanQuery, Occur }: Lance, asked: string): FullTextQuery {
  const counts = new Map<string, number>();
  for (const word of asked.split(/\s+/).filter(hasWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byCount = Map.groupBy(counts.keys(), (word) => counts.get(word) ?? 1);
  if (byCount.size < 2) return new MatchQuery(asked, 'text');
  return new BooleanQuery(
    [...byCount].map(([boost, words]) => [Occur.Should, new MatchQuery(words.join(' '), 'text', { boost })]),
  );
}

async function nothingWithoutWords<T>(work: () => Promise<T[]>): Promise<T[]> {
  try {
    return await work();
  } catch (error) {
    if (saysNoWords(error)) return [];
    throw error;
  }
}

/** What finds rows by words and by vectors. */
export function makeTableSearches(storage: IndexStorage, { read }: OpenTables): TableSearches {
  const readStatistics = makeStatisticsReader(storage);

  return {
    searchText: (index, query, limit, filter = {}, scored_as) =>
      read(index, async ({ table }) => {
        const lance = await loadLance();
        if (!hasWords(query)) return [];
        const asked = splitUnspacedQuestion(query);
        const find = (words: FullTextQuery) => {
          const search = table
            .query()
            .fullTextSearch(words)
            .select(scored_as ? ['id', '_score', 'text'] : ['id', '_score'])
            .limit(limit);
          return findRows(search, filter);
        };
        return nothingWithoutWords(async () => {
          // Words that are asked for equally often may all be stop words, which the engine refuses.
          const found = await find(makeWordQuery(lance, asked)).catch((error: unknown) => {
            if (!saysNoWords(error)) throw error;
            return find(new lance.MatchQuery(asked, 'text'));
          });
          found.sort((a, b) => b._score - a._score || (a.id < b.id ? -1 : 1));
          const factor = scored_as ? findFactor(found, asked, await readStatistics(pathOf(scored_as))) : 1;
          return found.map(({ id, _score }): IndexHit => ({ id, score: _score * factor }));
        });
      }),

    findCandidates: (index, words, limit, filter = {}) =>
      read(index, async ({ table, spec }) => {
        const { MatchQuery } = await loadLance();
        const asked = splitUnspacedQuestion(words.join(' '));
        if (!hasWords(asked)) return [];
        const columns = ['_score', ...textColumns(spec)];
        return nothingWithoutWords(async () => {
          const search = table.query().fullTextSearch(new MatchQuery(asked, 'text')).select(columns).limit(limit);
          return (await findRows(search, filter)).map(
            ({ id, _score, text = '', heading = '' }): IndexCandidate => ({ id, score: _score, text, heading }),
          );
        });
      }),

    searchVector: (index, vector, limit, filter = {}) =>
      read(index, async ({ table, spec }) => {
        if (spec.dimension !== vector.length) return [];
        const search = table
          .query()
          .nearestTo(vector)
          .column('vector')
          .distanceType('cosine')
          .select(['id', '_distance'])
          .limit(limit);
        const found = await findRows(search, filter);
        return found.map(({ id, _distance }): IndexHit => ({ id, score: 1 - _distance })).sort(byScore);
      }),
  };
}
