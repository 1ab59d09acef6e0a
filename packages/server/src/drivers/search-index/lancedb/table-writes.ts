import { newId } from '../../../lib/ids.ts';
import { splitUnspacedText } from '../../../lib/text/split-unspaced-text.ts';
import type { IndexRow, RetrievalIndex } from '../driver.ts';
import { analyzerOf } from './analyzer.ts';
import { ofDocuments, quotedId } from './filters.ts';
import type { IndexStorage } from './index-storage.ts';
import { loadLance } from './load.ts';
import type { OpenTable, OpenTables } from './open-tables.ts';
import { countTerms, hasStatistics, sampleSize, storeStatistics } from './term-statistics.ts';

/**
 * So few rows are put in order at once; of more, only when as many have come as this share of what is. Rows that are not
 * in order are looked at one by one; where none is in order any more they are not found at all.
 */
const [fewRows, tailShare, mostTail] = [2000, 0.25, 20_000];

/** What is added anew can be repeated, too. */
const mostRepairs = 3;

type TableWrites = Pick<RetrievalIndex, 'add' | 'remove' | 'removeRows' | 'removeOutdated' | 'move' | 'tend' | 'purge'>;

async function orderAnew({ table, spec }: OpenTable): Promise<void> {
  const lance = await loadLance();
  await table.createIndex('text', { config: analyzerOf(lance, spec.language), replace: true });
  await table.createIndex('path', { config: lance.Index.btree(), replace: true });
  await table.createIndex('document_id', { config: lance.Index.btree(), replace: true });
}

const withIds = (ids: readonly string[]) => `id IN (${ids.map(quotedId).join(', ')})`;

/** Rows of one id are equal, so that none of them can be deleted alone: all are, and added once. */
async function dropRepeated({ table }: OpenTable, rows: { id: string; document_id: string }[]): Promise<void> {
  // Documents have an index, ids have none.
  const documents = [...new Set(rows.map(({ document_id }) => document_id))];
  const those = `${ofDocuments(documents)} AND ${withIds(rows.map(({ id }) => id))}`;
  for (let attempt = 0; attempt < mostRepairs && (await table.countRows(those)) > rows.length; attempt++) {
    await table.delete(those);
    await table.add(rows);
  }
}

async function countWords(storage: IndexStorage, { table, path }: OpenTable): Promise<void> {
  const sample = (await table.query().select(['text']).limit(sampleSize).toArray()) as { text: string }[];
  const texts = sample.map(({ text }) => text);
  await storeStatistics(storage, path, countTerms(texts, await table.countRows()));
}

/**
 * The engine merges two or more files of rows without those that are deleted, and leaves a single one alone. So a row that no
 * search finds is added for the while. The words of the text index are collected anew, and no earlier version is kept.
 */
async function rewrite(storage: IndexStorage, open: OpenTable): Promise<void> {
  const { table, path, spec } = open;
  if ((await table.countRows()) > 0) {
    const id = newId();
    const [headings, vector] = [spec.headings && { heading: '' }, spec.dimension !== null && { vector: null }];
    await table.add([{ id, document_id: id, run_id: id, path: '/', text: '', ...headings, ...vector }]);
    await orderAnew(open);
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    await table.delete(withIds([id]));
  } else for (const { name } of await table.listIndices()) await table.dropIndex(name);
  await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  if (await hasStatistics(storage, path)) await countWords(storage, open);
}

/** What changes the rows of an index. */
export function makeTableWrites(storage: IndexStorage, { write }: OpenTables): TableWrites {
  return {
    add: (index, rows) =>
      write(index, async (open) => {
        if (rows.length === 0) return;
        const { dimension, headings } = open.spec;
        const stored = rows.map(({ vector, text, heading, ...row }: IndexRow) => ({
          ...row,
          text: splitUnspacedText(text),
          ...(headings && { heading: splitUnspacedText(heading) }),
          ...(dimension !== null && { vector: vector?.length === dimension ? Array.from(vector) : null }),
        }));
        await open.table.add(stored);
        if (storage.mayRepeat) await dropRepeated(open, stored);
        // Rows beside an index that holds none are found but not in order.
        if ((await open.table.listIndices()).length === 0) await orderAnew(open);
      }),

    remove: (index, ids) =>
      write(index, async ({ table }) => {
        if (ids.length) await table.delete(ofDocuments(ids));
      }),

    removeRows: (index, ids) =>
      write(index, async ({ table }) => {
        if (ids.length) await table.delete(withIds(ids));
      }),

    removeOutdated: (index, live) =>
      write(index, async ({ table }) => {
        const parts = live.map(
          ({ document_id, run_id }) => `(document_id = ${quotedId(document_id)} AND run_id <> ${quotedId(run_id)})`,
        );
        if (parts.length) await table.delete(parts.join(' OR '));
      }),

    move: (index, ids, path) =>
      write(index, async ({ table }) => {
        await table.update({ where: ofDocuments(ids), values: { path } });
      }),

    async purge(index, most = Number.POSITIVE_INFINITY) {
      let isDone = true;
      await write(index, async (open) => {
        isDone = (await open.table.countRows()) <= most;
        if (isDone) await rewrite(storage, open);
      });
      return isDone;
    },

    tend: (index, how) =>
      write(index, async (open) => {
        const stats = await open.table.indexStats('text_idx');
        if (!stats) return;
        const [rows, tail] = [stats.numIndexedRows, stats.numUnindexedRows];
        const small = rows + tail <= fewRows;
        const most = small ? rows * tailShare : Math.min(mostTail, Math.max(fewRows, rows * tailShare));
        if (how !== 'fully' && tail <= most && !(how === 'replacing' && small && tail > 0)) return;
        if (tail > 0 && (small || tail >= rows)) await orderAnew(open);
        if (how === 'fully' || !small) await open.table.optimize({ cleanupOlderThan: new Date(Date.now() - 60_000) });
        if (how === 'fully') await countWords(storage, open);
      }),
  };
}
