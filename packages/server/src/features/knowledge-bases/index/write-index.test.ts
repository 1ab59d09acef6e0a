import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDatabase } from '../../../../test/support/test-database.ts';
import { openDatabase } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { IndexRow } from '../../../drivers/search-index/driver.ts';
import { makeDiskStorage } from '../../../drivers/search-index/lancedb/disk/disk-storage.ts';
import { makeLanceIndex } from '../../../drivers/search-index/lancedb/lance-index.ts';
import { newId } from '../../../lib/ids.ts';
import { makeLog } from '../../../lib/log.ts';
import { findBase, setIndex } from '../store.ts';
import { IndexTaken, makeWriteIndex } from './write-index.ts';

const log = makeLog('silent');
const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 4, log });
const dir = mkdtempSync(join(tmpdir(), 'atrium-write-index-'));
const index = makeLanceIndex(makeDiskStorage(dir));
const writeIndex = makeWriteIndex({ db, index });
const context = { log, signal: new AbortController().signal };
after(async () => {
  index.close();
  await db.close();
  await drop();
  rmSync(dir, { recursive: true, force: true });
});

const row = (text: string): IndexRow => ({
  ...{ id: newId(), document_id: newId(), run_id: newId(), path: '/', text, heading: '', vector: null },
});

async function makeBase() {
  const { id: workspace_id } = await db.one<{ id: string }>(sql`select id from workspaces limit 1`);
  const place = { workspace_id, kb_id: newId() };
  await db.run(sql`
    insert into knowledge_bases (workspace_id, id, name, description, document_types, kb_type, version, meta, settings)
    values (${workspace_id}, ${place.kb_id}, 'base', '', '{}', 'default', '1', '{}', '{}')`);
  const name = newId();
  await index.create({ ...place, name }, { language: 'en', dimension: null });
  await setIndex(db, workspace_id, place.kb_id, { name, language: 'en', model: null, dimension: null });
  const current = async () => ({ ...place, name: String((await findBase(db, workspace_id, place.kb_id))?.index_name) });
  return { place, current };
}

test('a writer that did not come to its end adds nothing to the index of the next one', async () => {
  const { place, current } = await makeBase();
  const first = await current();
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [early, twice] = [row('early'), row('twice')];
  const stopped = writeIndex(place, context, async (writer) => {
    await writer.index.add(first, [early]);
    reached.resolve();
    await resumed.promise;
    // The write that was under way when the process was stopped.
    await index.add(first, [twice]);
    await writer.store((tx) => tx.run(sql`select 1`));
  });
  await reached.promise;
  await writeIndex(place, context, async (writer) => {
    const now = await current();
    assert.notEqual(now.name, first.name);
    await writer.index.add(now, [twice]);
  });
  resumed.resolve();
  // The old index is gone or taken from it; either way nothing of it is stored.
  await assert.rejects(stopped);
  assert.equal((await index.state(await current())).rows, 2);
  await assert.rejects(index.state(first));
});

test('what a writer stores is refused once another has become the writer', async () => {
  const { place } = await makeBase();
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stopped = writeIndex(place, context, async (writer) => {
    reached.resolve();
    await resumed.promise;
    await writer.store((tx) => tx.run(sql`update knowledge_bases set description = 'late' where id = ${place.kb_id}`));
  });
  await reached.promise;
  await writeIndex(place, context, async () => {});
  resumed.resolve();
  await assert.rejects(stopped, IndexTaken);
  assert.equal((await findBase(db, place.workspace_id, place.kb_id))?.description, '');
});

test('the index keeps its name when the writer before came to its end, also by an error', async () => {
  const { place, current } = await makeBase();
  const before = await current();
  await assert.rejects(
    writeIndex(place, context, async () => {
      throw new Error('on purpose');
    }),
  );
  await writeIndex(place, context, async () => {});
  assert.deepEqual(await current(), before);
});
