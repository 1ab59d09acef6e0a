import type { IndexPassage, RetrievalIndex } from '../driver.ts';
import { sampleFilter } from './filters.ts';
import type { OpenTables, StoredSpec } from './open-tables.ts';

interface StoredTexts {
  id: string;
  text: string;
  heading?: string;
}

type TableReads = Pick<RetrievalIndex, 'versionOf' | 'readPassages' | 'samplePassages' | 'state'>;

export const textColumns = ({ headings }: StoredSpec) => ['id', 'text', ...(headings ? ['heading'] : [])];

/** What reads an index without a question. */
export const makeTableReads = ({ read }: OpenTables): TableReads => ({
  versionOf: (index) => read(index, async ({ id, table }) => `${id}-${await table.version()}`),

  readPassages: (index, most) =>
    read(index, async ({ table, spec }) => {
      if ((await table.countRows()) > most) return undefined;
      const rows = (await table.query().select(textColumns(spec)).toArray()) as StoredTexts[];
      return rows.map(({ id, text, heading = '' }): IndexPassage => ({ id, text, heading }));
    }),

  samplePassages: (index, most) =>
    read(index, async ({ table, spec }) => {
      const query = table.query().select(['text', ...(spec.headings ? ['heading'] : [])]);
      const where = sampleFilter(most, await table.countRows());
      if (where !== undefined) query.where(where).limit(2 * most);
      const rows = (await query.toArray()) as { text: string; heading?: string }[];
      return rows.map(({ text, heading = '' }) => ({ text, heading }));
    }),

  state: (index) =>
    read(index, async ({ table, spec }) => {
      // The rows are counted from a list of files; whether those can still be read shows only in reading.
      await table.query().select(['id']).limit(1).toArray();
      return { rows: await table.countRows(), dimension: spec.dimension };
    }),
});
