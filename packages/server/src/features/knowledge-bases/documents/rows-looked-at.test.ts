import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../db/database.ts';
import { compile, type Sql } from '../../../db/sql.ts';
import { chunksOf, claimDocumentsToIndex, markTrained } from '../index/index-store.ts';
import { startTrainings, storeTrained, type Trained } from '../ingest/training-store.ts';
import { knowledgeApp } from '../testing.ts';
import { findChunksAtPositions, findLiveChunks } from './chunk-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: a plan is as PostgreSQL makes it
type Json = any;

// Without a worker: its vacuum, which follows a deletion, counts the tables, and its trainings take the documents.
const kb = await knowledgeApp({ roles: ['http'] });

/** How many rows of a base's tables a plan has looked at. */
function lookedAt(node: Json): number {
  const own = /^kb_/.test(node['Relation Name']) && node['Node Type'] !== 'ModifyTable';
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum: number, below: Json) => sum + lookedAt(below), own ? rows : 0);
}

test('no more rows are looked at than are asked for, also in a base that PostgreSQL has not counted yet', async () => {
  for (const table of ['kb_documents', 'kb_chunks', 'kb_runs'])
    await kb.query(`alter table ${table} set (autovacuum_enabled = off)`);
  let looked: [string, number][] = [];
  const explaining = (answer: unknown[] = []) => {
    const explain = async (statement: Sql) => {
      const { text, values } = compile(statement);
      const [plan] = await kb.query(`explain (analyze, format json) ${text}`, values);
      looked.push([text, lookedAt(plan['QUERY PLAN'][0].Plan)]);
      return answer;
    };
    return { rows: explain, run: explain } as unknown as Database;
  };
  // None of them counted; then a new one beside others that are.
  for (const round of ['none', 'others']) {
    const id = await kb.base();
    const [{ workspace_id }] = await kb.query('select workspace_id from knowledge_bases where id = $1', [id]);
    const place = { workspace_id, kb_id: id };
    await kb.query(
      `with made as (
         insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, stage, source_type, live_run, current_run)
         select $1, $2, gen_random_uuid(), 'd' || n, '/', 'training', 'queued', 'document', gen_random_uuid(),
           gen_random_uuid() from generate_series(1, 2000) n returning id, live_run, current_run),
       runs as (
         insert into kb_runs (workspace_id, kb_id, id, kind, document_id, input)
         select $1, $2, current_run, 'train', id, '{}' from made)
       insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, headings)
       select $1, $2, id, live_run, gen_random_uuid(), 0, 'word', 0, 4, '{}' from made`,
      [workspace_id, id],
    );
    const some: { id: string; document_id: string; live: string; run_id: string }[] = await kb.query(
      `select c.id, c.document_id, c.run_id as live, d.current_run as run_id
       from kb_chunks c join kb_documents d on d.id = c.document_id where c.kb_id = $1 order by c.id limit 3`,
      [id],
    );
    const live = some.map(({ document_id, live: run_id }) => ({ document_id, run_id, from: 0, to: 1 }));
    const trained = {
      chunks: [],
      segments: [],
      size: 1,
      notes: [],
      table_ids: [],
      images: [],
      doc_metadata: {},
      recipe: 'r',
    };
    const made = some.map((one) => ({ ...one, begun: 1, trained: trained as unknown as Trained }));
    const waiting = some.map((one) => ({
      ...one,
      live_run: one.live,
      indexed: false,
      prefix: '/',
      name: 'd',
      index_rights_id: null,
    }));
    const ids = some.map((one) => one.id);
    looked = [];
    await findLiveChunks(explaining(), workspace_id, id, ids, { prefix: undefined, visible: 'all' });
    await findLiveChunks(explaining(), workspace_id, id, ids, { prefix: '/', visible: [1, 2] });
    await findChunksAtPositions(explaining(), workspace_id, id, live);
    await chunksOf(explaining(), workspace_id, id, live, { after: undefined, most: 10 });
    await startTrainings(explaining(), place, some, true);
    await storeTrained(explaining(), place, made);
    await claimDocumentsToIndex(explaining(), workspace_id, id, 10);
    const told = some.map((one) => ({ id: one.document_id, run: one.run_id, name: 'd' }));
    await markTrained(explaining(told), workspace_id, id, waiting);
    for (const [text, rows] of looked) assert.ok(rows <= 4 * some.length, `${round}: ${rows} rows by ${text}`);
    assert.ok(looked.length >= 11);
    const states = await kb.query(
      `select d.status, r.status as run from kb_documents d join kb_runs r on r.id = d.current_run where d.id = any($1)`,
      [some.map(({ document_id }) => document_id)],
    );
    assert.deepEqual(states, Array(3).fill({ status: 'trained', run: 'completed' }), 'they did what they are for');
    await kb.query('analyze kb_documents, kb_chunks, kb_runs');
  }
});
