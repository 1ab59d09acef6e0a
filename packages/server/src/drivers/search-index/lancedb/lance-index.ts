import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { splitUnspacedQuestion, splitUnspacedText } from '../../../lib/text/split-unspaced-text.ts';
import {
  type IndexCandidate,
  type IndexFilter,
  type IndexHit,
  IndexMissing,
  type IndexName,
  type IndexPassage,
  type IndexRow,
  type IndexSpec,
  type RetrievalIndex,
} from '../driver.ts';
import { analyzerOf } from './analyzer.ts';
import { makeCloseFiles } from './close-files.ts';
import { copyIndex } from './copy-index.ts';
import { ofDocuments, quotedId, renderFilter, sampleFilter } from './filters.ts';
import { type Lance, loadLance } from './load.ts';
import { readModelFile, writeModelFile } from './model-file.ts';
import { countTerms, findFactor, makeStatisticsReader, sampleSize, storeStatistics } from './term-statistics.ts';

const tableName = 'chunks';
/** How many tables stay open; closed ones are opened again on use. */
const mostOpen = 100;
/**
 * So few rows are put in order at once; of more, only when as many have come as this share of what is. Rows that are not
 * in order are looked at one by one; where none is in order any more they are not found at all.
 */
const [fewRows, tailShare, mostTail] = [2000, 0.25, 20_000];
const safeName = /^[0-9a-z-]{1,64}$/;

/** The stored spec; indexes that were built before headings had a column lack the mark. */
interface StoredSpec extends IndexSpec {
  headings?: true;
}

interface Open {
  /** Differs each time that an index is opened: one that was made anew counts its versions from the beginning. */
  id: string;
  table: Table;
  spec: StoredSpec;
  closeFiles(): Promise<void>;
}

interface StoredTexts {
  id: string;
  text: string;
  heading?: string;
}

const textColumns = ({ headings }: StoredSpec) => ['id', 'text', ...(headings ? ['heading'] : [])];

/** Retries, since a concurrent writer may add a file to a folder that was just emptied. */
const removed = (dir: string) => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });

/** LanceDB throws this error for a query that consists of stop words only. */
const saysNoWords = (error: unknown) => /columns in a record batch must have the same length/.test(String(error));

export function makeLanceIndex(root: string): RetrievalIndex {
  const open = new LruCache<string, Promise<Open>>({ max: mostOpen });
  const readStatistics = makeStatisticsReader();
  const dirOf = ({ workspace_id, kb_id, name }: IndexName) => {
    for (const part of [workspace_id, kb_id, name])
      if (!safeName.test(part)) throw new TypeError('No name of an index');
    return join(root, workspace_id, kb_id, name);
  };

  /** Does not close the table, since a search may still read from it; garbage collection closes it. */
  const forget = (dir: string) => void open.delete(dir);

  function connect(lance: Lance, dir: string): Promise<Connection> {
    // Another process may write what this one reads.
    return lance.connect(dir, { readConsistencyInterval: 0 });
  }

  async function opened(dir: string): Promise<Open> {
    // Asked of the disk first: a base that was never trained must not load the library.
    const spec = await readFile(join(dir, 'spec.json'), 'utf8').catch(() => undefined);
    if (spec === undefined) throw new IndexMissing();
    const lance = await loadLance();
    const connection = await connect(lance, dir);
    try {
      const table = await connection.openTable(tableName);
      return { id: newId(), table, spec: parseStored<StoredSpec>(spec), closeFiles: makeCloseFiles(dir) };
    } catch (error) {
      throw new IndexMissing(error);
    }
  }

  function tableOf(index: IndexName): Promise<Open> {
    const dir = dirOf(index);
    const known = open.get(dir);
    if (known) return known;
    const made = opened(dir);
    open.set(dir, made);
    made.catch(() => open.delete(dir));
    return made;
  }

  /** Turns errors of LanceDB, except write conflicts, into IndexMissing, so that the index is rebuilt. */
  async function within<T>(index: IndexName, work: (open: Open) => Promise<T>): Promise<T> {
    try {
      return await work(await tableOf(index));
    } catch (error) {
      if (error instanceof TypeError) throw error;
      forget(dirOf(index));
      if (/commit conflict|concurrent/i.test(String(error))) throw error;
      throw error instanceof IndexMissing ? error : new IndexMissing(error);
    }
  }

  const writing = (index: IndexName, work: (open: Open) => Promise<void>) =>
    within(index, async (own) => {
      await work(own);
      await own.closeFiles();
    });

  async function orderAnew({ table, spec }: Open): Promise<void> {
    const lance = await loadLance();
    await table.createIndex('text', { config: analyzerOf(lance, spec.language), replace: true });
    await table.createIndex('path', { config: lance.Index.btree(), replace: true });
    await table.createIndex('document_id', { config: lance.Index.btree(), replace: true });
  }

  async function countWords({ table }: Open, dir: string): Promise<void> {
    const sample = (await table.query().select(['text']).limit(sampleSize).toArray()) as { text: string }[];
    const texts = sample.map(({ text }) => text);
    await storeStatistics(dir, countTerms(texts, await table.countRows()));
  }

  async function hits(query: { where(filter: string): unknown; toArray(): Promise<unknown[]> }, filter: IndexFilter) {
    const where = renderFilter(filter);
    if (where !== undefined) query.where(where);
    return (await query.toArray()) as {
      id: string;
      text?: string;
      heading?: string;
      _score: number;
      _distance: number;
    }[];
  }

  return {
    async create(index, spec) {
      const dir = dirOf(index);
      const lance = await loadLance();
      const { Field, FixedSizeList, Float32, Schema, Utf8 } = lance.arrow;
      forget(dir);
      await removed(dir);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await chmod(root, 0o700);
      const words = ['id', 'document_id', 'run_id', 'path', 'text', 'heading'].map(
        (name) => new Field(name, new Utf8(), false),
      );
      const vector =
        spec.dimension === null
          ? []
          : [new Field('vector', new FixedSizeList(spec.dimension, new Field('item', new Float32(), true)), true)];
      const connection = await connect(lance, dir);
      const table = await connection.createEmptyTable(tableName, new Schema([...words, ...vector]));
      table.close();
      connection.close();
      await makeCloseFiles(dir)();
      await writeFile(join(dir, 'spec.json'), JSON.stringify({ ...spec, headings: true } satisfies StoredSpec), {
        mode: 0o600,
      });
    },

    add: (index, rows) =>
      writing(index, async (own) => {
        if (rows.length === 0) return;
        const { dimension, headings } = own.spec;
        await own.table.add(
          rows.map(({ vector, text, heading, ...row }: IndexRow) => ({
            ...row,
            text: splitUnspacedText(text),
            ...(headings && { heading: splitUnspacedText(heading) }),
            ...(dimension !== null && { vector: vector?.length === dimension ? Array.from(vector) : null }),
          })),
        );
        // Rows beside an index that holds none are found but not in order.
        if ((await own.table.listIndices()).length === 0) await orderAnew(own);
      }),

    remove: (index, ids) =>
      writing(index, async ({ table }) => {
        if (ids.length) await table.delete(ofDocuments(ids));
      }),

    removeRows: (index, ids) =>
      writing(index, async ({ table }) => {
        if (ids.length) await table.delete(`id IN (${ids.map(quotedId).join(', ')})`);
      }),

    removeOutdated: (index, live) =>
      writing(index, async ({ table }) => {
        const parts = live.map(
          ({ document_id, run_id }) => `(document_id = ${quotedId(document_id)} AND run_id <> ${quotedId(run_id)})`,
        );
        if (parts.length) await table.delete(parts.join(' OR '));
      }),

    move: (index, ids, path) =>
      writing(index, async ({ table }) => {
        await table.update({ where: ofDocuments(ids), values: { path } });
      }),

    tend: (index, how) =>
      writing(index, async (own) => {
        const stats = await own.table.indexStats('text_idx');
        if (!stats) return;
        const [rows, tail] = [stats.numIndexedRows, stats.numUnindexedRows];
        const small = rows + tail <= fewRows;
        const most = small ? rows * tailShare : Math.min(mostTail, Math.max(fewRows, rows * tailShare));
        if (how !== 'fully' && tail <= most && !(how === 'replacing' && small && tail > 0)) return;
        if (tail > 0 && (small || tail >= rows)) await orderAnew(own);
        if (how === 'fully' || !small) await own.table.optimize({ cleanupOlderThan: new Date(Date.now() - 60_000) });
        if (how === 'fully') await countWords(own, dirOf(index));
      }),

    searchText: (index, query, limit, filter = {}, scored_as) =>
      within(index, async ({ table }) => {
        const { MatchQuery } = await loadLance();
        if (!/[\p{L}\p{N}]/u.test(query)) return [];
        const asked = splitUnspacedQuestion(query);
        try {
          const search = table
            .query()
            .fullTextSearch(new MatchQuery(asked, 'text'))
            .select(scored_as ? ['id', '_score', 'text'] : ['id', '_score'])
            .limit(limit);
          const found = await hits(search, filter);
          found.sort((a, b) => b._score - a._score || (a.id < b.id ? -1 : 1));
          const factor = scored_as ? findFactor(found, asked, await readStatistics(dirOf(scored_as))) : 1;
          return found.map(({ id, _score }): IndexHit => ({ id, score: _score * factor }));
        } catch (error) {
          if (saysNoWords(error)) return [];
          throw error;
        }
      }),

    findCandidates: (index, words, limit, filter = {}) =>
      within(index, async ({ table, spec }) => {
        const { MatchQuery } = await loadLance();
        const asked = splitUnspacedQuestion(words.join(' '));
        if (!/[\p{L}\p{N}]/u.test(asked)) return [];
        const query = new MatchQuery(asked, 'text');
        const columns = ['_score', ...textColumns(spec)];
        try {
          const found = await hits(table.query().fullTextSearch(query).select(columns).limit(limit), filter);
          return found.map(
            ({ id, _score, text = '', heading = '' }): IndexCandidate => ({ id, score: _score, text, heading }),
          );
        } catch (error) {
          if (saysNoWords(error)) return [];
          throw error;
        }
      }),

    versionOf: (index) => within(index, async ({ id, table }) => `${id}-${await table.version()}`),

    readPassages: (index, most) =>
      within(index, async ({ table, spec }) => {
        if ((await table.countRows()) > most) return undefined;
        const rows = (await table.query().select(textColumns(spec)).toArray()) as StoredTexts[];
        return rows.map(({ id, text, heading = '' }): IndexPassage => ({ id, text, heading }));
      }),

    samplePassages: (index, most) =>
      within(index, async ({ table, spec }) => {
        const query = table.query().select(['text', ...(spec.headings ? ['heading'] : [])]);
        const where = sampleFilter(most, await table.countRows());
        if (where !== undefined) query.where(where).limit(2 * most);
        const rows = (await query.toArray()) as { text: string; heading?: string }[];
        return rows.map(({ text, heading = '' }) => ({ text, heading }));
      }),

    writeModel: (index, bytes) => writeModelFile(dirOf(index), bytes),
    readModel: (index, known) => readModelFile(dirOf(index), known),

    searchVector: (index, vector, limit, filter = {}) =>
      within(index, async ({ table, spec }) => {
        if (spec.dimension !== vector.length) return [];
        const search = table
          .query()
          .nearestTo(vector)
          .column('vector')
          .distanceType('cosine')
          .select(['id', '_distance'])
          .limit(limit);
        const found = await hits(search, filter);
        return found.map(({ id, _distance }): IndexHit => ({ id, score: 1 - _distance }));
      }),

    state: (index) =>
      within(index, async ({ table, spec }) => {
        // The rows are counted from a list of files; whether those can still be read shows only in reading.
        await table.query().select(['id']).limit(1).toArray();
        return { rows: await table.countRows(), dimension: spec.dimension };
      }),

    async copyAll(index, name) {
      const dir = dirOf(index);
      const base = dirname(dir);
      const copies = (entry: string) => entry === index.name || entry.startsWith(`${index.name}-`);
      const names = (await readdir(base).catch(() => [])).filter(copies);
      if (!names.includes(index.name)) throw new IndexMissing();
      for (const entry of names) {
        const target = dirOf({ ...index, name: name + entry.slice(index.name.length) });
        forget(target);
        await removed(target);
        await copyIndex(join(base, entry), target);
      }
    },

    async drop(index) {
      const dir = dirOf(index);
      forget(dir);
      await removed(dir);
    },

    async dropAll({ workspace_id, kb_id }, but) {
      const dir = join(root, ...[workspace_id, kb_id ?? []].flat());
      if (![workspace_id, kb_id ?? workspace_id].every((part) => safeName.test(part))) throw new TypeError('No id');
      const stays = (name: string) => but !== undefined && (name === but || name.startsWith(`${but}-`));
      for (const known of [...open.keys()]) if (known.startsWith(`${dir}/`) && !stays(basename(known))) forget(known);
      if (but === undefined) return removed(dir);
      for (const name of await readdir(dir).catch(() => [])) if (!stays(name)) await removed(join(dir, name));
    },

    close: () => open.clear(),
  };
}
