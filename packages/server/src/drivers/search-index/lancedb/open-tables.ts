import type { Table } from '@lancedb/lancedb';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { IndexMissing, type IndexName, type IndexSpec } from '../driver.ts';
import { type IndexStorage, specFile } from './index-storage.ts';
import { loadLance } from './load.ts';

export const tableName = 'chunks';
/** How many tables stay open; closed ones are opened again on use. */
const mostOpen = 100;
const safeName = /^[0-9a-z-]{1,64}$/;

/** The stored spec; indexes that were built before headings had a column lack the mark. */
export interface StoredSpec extends IndexSpec {
  headings?: true;
}

export interface OpenTable {
  /** Differs each time that an index is opened: one that was made anew counts its versions from the beginning. */
  id: string;
  path: string;
  table: Table;
  spec: StoredSpec;
  afterWrite(): Promise<void>;
}

export function checkedPath(...parts: readonly string[]): string {
  for (const part of parts) if (!safeName.test(part)) throw new TypeError('No name of an index');
  return parts.join('/');
}

export const pathOf = ({ workspace_id, kb_id, name }: IndexName) => checkedPath(workspace_id, kb_id, name);

/** The open tables of a process. */
export function makeOpenTables(storage: IndexStorage) {
  const tables = new LruCache<string, Promise<OpenTable>>({ max: mostOpen });

  /** Does not close the table, since a search may still read from it; garbage collection closes it. */
  const forget = (path: string) => void tables.delete(path);

  async function openTable(path: string): Promise<OpenTable> {
    // Asked first: a base that was never trained must not load the library.
    const spec = await storage.readFile(path, specFile);
    if (!spec || spec === 'unchanged') throw new IndexMissing();
    const lance = await loadLance();
    const connection = await storage.connect(lance, path);
    const table = await connection.openTable(tableName);
    const afterWrite = storage.makeAfterWrite(path);
    return { id: newId(), path, table, spec: parseStored<StoredSpec>(spec.bytes.toString()), afterWrite };
  }

  function find(path: string): Promise<OpenTable> {
    const known = tables.get(path);
    if (known) return known;
    const opened = openTable(path);
    tables.set(path, opened);
    opened.catch(() => tables.delete(path));
    return opened;
  }

  /** Turns errors of LanceDB, except write conflicts, into those of the index: it is rebuilt, or can't be reached now. */
  async function attempt<T>(path: string, work: (open: OpenTable) => Promise<T>): Promise<T> {
    try {
      return await work(await find(path));
    } catch (error) {
      if (error instanceof TypeError) throw error;
      forget(path);
      if (error instanceof IndexMissing || /commit conflict|concurrent/i.test(String(error))) throw error;
      throw await storage.explain(path, error);
    }
  }

  /** Reads. A writer may remove the files of a version while it is read, so what can't be read is opened anew once. */
  async function read<T>(index: IndexName, work: (open: OpenTable) => Promise<T>): Promise<T> {
    const path = pathOf(index);
    try {
      return await attempt(path, work);
    } catch (error) {
      if (!(error instanceof IndexMissing) || error.cause === undefined) throw error;
      return attempt(path, work);
    }
  }

  const write = (index: IndexName, work: (open: OpenTable) => Promise<void>) =>
    attempt(pathOf(index), async (open) => {
      await work(open);
      await open.afterWrite();
    });

  return { read, write, forget, paths: () => [...tables.keys()], close: () => tables.clear() };
}

export type OpenTables = ReturnType<typeof makeOpenTables>;
