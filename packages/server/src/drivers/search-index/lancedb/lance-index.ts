import { IndexMissing, type IndexName, type IndexSpec, type RetrievalIndex } from '../driver.ts';
import { type IndexStorage, specFile } from './index-storage.ts';
import { type Lance, loadLance } from './load.ts';
import { checkedPath, makeOpenTables, pathOf, type StoredSpec, tableName } from './open-tables.ts';
import { makeTableReads } from './table-reads.ts';
import { makeTableSearches } from './table-searches.ts';
import { makeTableWrites } from './table-writes.ts';

const modelFile = 'model.bin';

function schemaOf({ arrow }: Lance, { dimension }: IndexSpec) {
  const { Field, FixedSizeList, Float32, Schema, Utf8 } = arrow;
  const words = ['id', 'document_id', 'run_id', 'path', 'text', 'heading'].map(
    (name) => new Field(name, new Utf8(), false),
  );
  if (dimension === null) return new Schema(words);
  const vector = new FixedSizeList(dimension, new Field('item', new Float32(), true));
  return new Schema([...words, new Field('vector', vector, true)]);
}

export function makeLanceIndex(storage: IndexStorage): RetrievalIndex {
  const tables = makeOpenTables(storage);

  async function remove(path: string): Promise<void> {
    tables.forget(path);
    await storage.remove(path);
  }

  async function createTable(path: string, spec: IndexSpec): Promise<void> {
    const lance = await loadLance();
    await storage.prepare(path);
    const connection = await storage.connect(lance, path);
    const table = await connection.createEmptyTable(tableName, schemaOf(lance, spec));
    table.close();
    connection.close();
    await storage.makeAfterWrite(path)();
  }

  /** The names of an index and of those that belong to it. */
  async function listFamily({ workspace_id, kb_id, name }: IndexName): Promise<string[]> {
    const names = await storage.listNames(checkedPath(workspace_id, kb_id));
    return names.filter((entry) => entry === name || entry.startsWith(`${name}-`));
  }
  const writes = makeTableWrites(storage, tables);

  return {
    ...writes,
    ...makeTableSearches(storage, tables),
    ...makeTableReads(tables),

    async create(index, spec) {
      const path = pathOf(index);
      await remove(path);
      await createTable(path, spec).catch(async (error) => {
        const explained = await storage.explain(path, error);
        throw explained instanceof IndexMissing ? (explained.cause ?? error) : explained;
      });
      const stored: StoredSpec = { ...spec, headings: true };
      await storage.writeFile(path, specFile, Buffer.from(JSON.stringify(stored)));
    },

    async writeModel(index, bytes) {
      const path = pathOf(index);
      if (bytes === null) return storage.removeFile(path, modelFile);
      await storage.writeFile(path, modelFile, bytes);
      if (await storage.readFile(path, specFile)) return;
      // The index was dropped meanwhile.
      await storage.removeFile(path, modelFile);
      throw new IndexMissing();
    },

    readModel: async (index, known) => storage.readFile(pathOf(index), modelFile, known),

    async copyAll(index, name) {
      const names = await listFamily(index);
      if (!names.includes(index.name)) throw new IndexMissing();
      for (const entry of names) {
        const target = pathOf({ ...index, name: name + entry.slice(index.name.length) });
        await remove(target);
        await storage.copy(pathOf({ ...index, name: entry }), target);
      }
    },

    async purgeAll(index) {
      for (const name of await listFamily(index)) await writes.purge({ ...index, name });
    },

    drop: async (index) => remove(pathOf(index)),

    async dropAll({ workspace_id, kb_id }, but) {
      const folder = checkedPath(workspace_id, ...[kb_id ?? []].flat());
      const stays = (name = '') => but !== undefined && (name === but || name.startsWith(`${but}-`));
      for (const path of tables.paths())
        if (path.startsWith(`${folder}/`) && !stays(path.split('/').at(-1))) tables.forget(path);
      if (but === undefined) return storage.remove(folder);
      for (const name of await storage.listNames(folder)) if (!stays(name)) await storage.remove(`${folder}/${name}`);
    },

    removePartial: (before) => storage.removePartial(before),
    close: () => tables.close(),
  };
}
