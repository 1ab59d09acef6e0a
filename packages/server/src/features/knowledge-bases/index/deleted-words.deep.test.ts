import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { knowledgeApp } from '../testing.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'atrium-kb-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const kb = await knowledgeApp({ data_dir });

/** The files below the folder of the indexes that have the word. */
function filesWith(word: string): string[] {
  const root = join(data_dir, 'indexes');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(word));
}

/** The job that follows the deletion in the index has ended. */
const followed = (id: string) =>
  kb.until(
    () =>
      kb.query(
        `select from kb_index_changes where kb_id = $1 union all select from kb_passage_changes where kb_id = $1
         union all select from graphile_worker.jobs where key = 'kb-sync:' || $1::text`,
        [id],
      ),
    ({ length }) => length === 0,
  );

const prose = (word: string, passages: number) =>
  Array.from({ length: passages }, (_, at) => `# Part ${at}\n\nThe ${word} of part ${at} is ripe. `).join('\n\n');

test('leaves no word of a deleted document in any file of the index once the index has followed', async () => {
  const id = await kb.base();
  const others = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.md`, prose(`walnut${name}`, 40)]));
  const documents = await kb.fill(id, { ...others, 'secret.md': prose('zyxmarmalade', 3) });
  await kb.ready(id);
  await followed(id);
  assert.ok(filesWith('zyxmarmalade').length > 0, 'the word is in the index before');
  const secret = documents.find(({ name }) => name === 'secret.md');
  const gone = await kb.call('DELETE', `${kb.at}/${id}/document/${secret.id}`);
  assert.equal(gone.status, 200, gone.text);
  await followed(id);
  assert.deepEqual(filesWith('zyxmarmalade'), []);
  assert.deepEqual([...new Set(await kb.found(id, 'walnuta'))], ['a.md']);
  assert.deepEqual(await kb.found(id, 'zyxmarmalade'), []);
});

test('leaves no word in any file of the index when its last document is deleted', async () => {
  const id = await kb.base();
  const [only] = await kb.fill(id, { 'only.md': prose('qwxpomelo', 3) });
  await kb.ready(id);
  await followed(id);
  assert.equal((await kb.call('DELETE', `${kb.at}/${id}/document/${only.id}`)).status, 200);
  await followed(id);
  assert.deepEqual(filesWith('qwxpomelo'), []);
  assert.deepEqual(await kb.found(id, 'qwxpomelo'), []);
  await kb.fill(id, { 'next.md': prose('walnut', 2) });
  await kb.ready(id);
  assert.deepEqual([...new Set(await kb.found(id, 'walnut'))], ['next.md']);
});

/** The tables, with what they store out of line, whose files have the word. */
async function tablesWith(word: string): Promise<string[]> {
  await kb.query('checkpoint');
  const rows = await kb.query(
    `select t.relname::text as name, f.oid::regclass::text as file
     from pg_class t join pg_class f on f.oid in (t.oid, t.reltoastrelid)
     where t.relkind = 'r' and t.relname like 'kb\\_%'
       and position($1::text::bytea in pg_read_binary_file(pg_relation_filepath(f.oid))) > 0`,
    [word],
  );
  return rows.map(({ name }: { name: string }) => name);
}

test('leaves no word of a deleted document in the tables of PostgreSQL after the vacuum that the deletion schedules', async () => {
  const id = await kb.base();
  const documents = await kb.fill(id, { 'a.md': prose('walnut', 5), 'secret.md': prose('vbnkumquat', 3) });
  await kb.ready(id);
  await followed(id);
  assert.ok((await tablesWith('vbnkumquat')).includes('kb_chunks'));
  const secret = documents.find(({ name }) => name === 'secret.md');
  assert.equal((await kb.call('DELETE', `${kb.at}/${id}/document/${secret.id}`)).status, 200);
  await followed(id);
  const waiting = "select id from graphile_worker.jobs where key = 'vacuum'";
  const [job] = await kb.query(waiting);
  assert.ok(job, 'the deletion has scheduled a vacuum');
  await kb.query('select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())', [job.id]);
  await kb.until(
    () => kb.query('select from graphile_worker.jobs where id = $1', [job.id]),
    ({ length }) => length === 0,
  );
  assert.deepEqual(await tablesWith('vbnkumquat'), []);
  assert.deepEqual([...new Set(await kb.found(id, 'walnut'))], ['a.md']);
});
