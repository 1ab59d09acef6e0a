import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '@atrium/contract/cursor.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import { type Db, openDatabase } from '../../src/db/database.ts';
import { compile, type Sql } from '../../src/db/sql.ts';
import { listSummaries } from '../../src/features/conversations/list/list-store.ts';
import { listFiles } from '../../src/features/files/store.ts';
import { listDocuments } from '../../src/features/knowledge-bases/documents/document-store.ts';
import { listRuns } from '../../src/features/runs/store.ts';
import { listToolCalls } from '../../src/features/runs/tools/tool-call-store.ts';
import { lowestIdAt, newId } from '../../src/lib/ids.ts';
import { makeLog } from '../../src/lib/log.ts';
import { testApp } from '../support/test-app.ts';
import { testServer } from '../support/test-database.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { query, workspace } = testing;
const { id: workspace_id, key } = await workspace();
const rows = 20_000;
const kb_id = (await testing.call('POST', '/v1/knowledge-bases', { name: 'many' }, { key })).json.id;
const version_id = newId();

/** Ids that rise with time, as the program makes them: one row a minute, the newest now. */
const idAt =
  "(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 60000), 12, '0') || '7000' || lpad(to_hex(n), 16, '8'))::uuid";
const time = "now() - n * interval '1 minute'";
await query(
  `insert into conversations (workspace_id, id, name, message_count, etag_ms, created_at, last_updated_at, chat_transport,
     deployment_id, is_locked)
   select $1, ${idAt}, 'Order ' || md5(n::text), 1, 1, ${time}, ${time}, case when n % 500 = 0 then 'slack' end,
     case when n % 500 = 0 then $2::uuid end, n % 500 = 0 from generate_series(1, ${rows}) n`,
  [workspace_id, version_id],
);
await query(
  `insert into files (workspace_id, id, filename, content_type, size, source_type, sha256, created_by, created_at)
   select $1, ${idAt}, md5(n::text) || '.txt', case when n % 500 = 0 then 'image/png' else 'text/plain' end, n, 'upload', '', gen_random_uuid(), ${time}
   from generate_series(1, ${rows}) n`,
  [workspace_id],
);
await query(
  `insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, size, source_type, created_at, updated_at)
   select $1, $2, ${idAt}, md5(n::text) || case when n % 500 = 0 then '.pdf' else '.txt' end, '/', 'trained', n, 'file', ${time}, ${time}
   from generate_series(1, ${rows}) n`,
  [workspace_id, kb_id],
);
await query(
  `insert into tool_calls (workspace_id, id, conversation_id, run_id, step, call_id, tool, actor_kind, actor_id, input_hash,
     outcome, ms, cost, created_at)
   select $1, ${idAt}, $2, $2, 1, 'c', 'clock', 'api_key', 'a', 'h', 'ok', 1, 0, ${time} from generate_series(1, ${rows}) n`,
  [workspace_id, newId()],
);
await query(
  `insert into runs (workspace_id, id, kind, conversation_id, user_message_id, message_id, status, input, said, actor_id,
     principal, finished_at, created_at)
   select $1, ${idAt}, 'conversation', (select id from conversations limit 1), gen_random_uuid(), gen_random_uuid(), 'completed', '{}', true, $1, '{}', ${time}, ${time}
   from generate_series(1, ${rows}) n`,
  [workspace_id],
);
await query(
  `insert into run_totals (workspace_id, run_id, calls, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost)
   select $1, id, 1, n, 0, 0, 0, n from (select id, row_number() over () as n from runs where workspace_id = $1) r`,
  [workspace_id],
);
await query('vacuum analyze runs, run_totals, conversations, files, kb_documents, tool_calls');

const [{ name: database }] = await query('select current_database() as name');
const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log: makeLog('silent') });

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The most rows that one step of a page's statement reads. Statements that count are left out. */
async function rowsRead(list: (on: Db) => Promise<unknown>): Promise<number> {
  const statements: Sql[] = [];
  const note = async (statement: Sql) => void statements.push(statement);
  await list({
    rows: async (statement) => {
      await note(statement);
      return [];
    },
    row: async () => undefined,
    one: async <T>() => ({ total: 0 }) as T,
    run: async () => 0,
  });
  const { text, values } = compile(statements[0] as Sql);
  const { rows: plans } = await db.pool.query(`explain (analyze, format json) ${text}`, values);
  const nodes = nodesOf(plans[0]['QUERY PLAN'][0].Plan);
  assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'), JSON.stringify(nodes[0], null, 1));
  const read = (node: PlanNode) =>
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.max(...nodes.map(read));
}

const page = { size: 50, offset: 0 };
const conversations = (more: object) => (on: Db) =>
  listSummaries(on, workspace_id, { include_empty: false, only_of: undefined, ...more }, { ...page, ...more });
const files = (more: object) => (on: Db) =>
  listFiles(on, workspace_id, { visible: { rights: 'all', reach: 'all' }, ...more }, { ...page, ...more });
const documents = (more: object) => (on: Db) =>
  listDocuments(on, workspace_id, kb_id, { visible: 'all', ...more } as never, { ...page, ...more });
const toolCalls = (more: object) => (on: Db) => listToolCalls(on, workspace_id, more, { ...page, ...more });

const runs = (sort: RunSort, after: Position) => (on: Db) =>
  listRuns(on, workspace_id, { only_of: undefined }, sort, { ...page, after });

const before = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const times = { created_after: before(10_060), created_before: before(10_000) };
const cases: Record<string, (on: Db) => Promise<unknown>> = {
  'conversations unfiltered': conversations({}),
  'conversations by channel': conversations({ channel: 'slack' }),
  'conversations by deployment': conversations({ deployment_id: version_id }),
  'conversations that are locked': conversations({ locked: true }),
  'conversations by name': conversations({ search: 'c4ca4238a0' }),
  'conversations by times': conversations({ ...times, sort: 'created_at' }),
  'conversations that changed': conversations({ updated_after: before(60) }),
  'conversations sorted by name': conversations({ sort: 'name' }),
  'conversations sorted by creation': conversations({ sort: '-created_at' }),
  'files unfiltered': files({}),
  'files by kind': files({ kind: 'image' }),
  'files by name': files({ search: 'c4ca4238a0' }),
  'files by times': files(times),
  'files sorted by name': files({ sort: '-filename' }),
  'files sorted by size': files({ sort: 'size' }),
  'documents unfiltered': documents({}),
  'documents by kind': documents({ kind: 'pdf' }),
  'documents by name': documents({ search: 'c4ca4238a0' }),
  'documents by times': documents(times),
  'documents that changed': documents({ updated_after: before(60), sort: '-updated_at' }),
  'documents sorted by name': documents({ sort: 'name' }),
  'documents sorted by size': documents({ sort: '-size' }),
  'tool calls by times': toolCalls(times),
  'conversations after a position': conversations({ after: { key: before(rows / 2), id: newId() } }),
  'conversations sorted by name after a position': conversations({
    sort: 'name',
    after: { key: 'order 8', id: newId() },
  }),
  'conversations of an agent after a position': conversations({
    ...{ assistant_version_id: version_id, after: { key: before(rows / 2), id: newId() } },
  }),
  'files after a position': files({ after: { key: null, id: lowestIdAt(Date.parse(before(rows / 2))) } }),
  'files sorted by size after a position': files({ sort: '-size', after: { key: String(rows / 2), id: newId() } }),
  'documents after a position': documents({ after: { key: null, id: lowestIdAt(Date.parse(before(rows / 2))) } }),
  'documents sorted by name after a position': documents({ sort: '-name', after: { key: '8', id: newId() } }),
  'tool calls after a position': toolCalls({ after: { key: null, id: lowestIdAt(Date.parse(before(rows / 2))) } }),
  'runs after a position': runs('-created_at', { key: null, id: lowestIdAt(Date.parse(before(rows / 2))) }),
  'runs sorted by cost after a position': runs('-cost', { key: String(rows / 2), id: newId() }),
};
for (const [what, list] of Object.entries(cases))
  test(`a page of ${what} reads few of ${rows} rows, on an index`, async () => {
    const read = await rowsRead(list);
    assert.ok(read < rows / 20, `${read} rows were read`);
  });

test.after(() => db.close());
