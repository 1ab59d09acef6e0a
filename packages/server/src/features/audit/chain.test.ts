import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { auditJobs } from './jobs.ts';
import { recordSystemChange } from './system-changes.ts';
import { auditOf } from './testing.ts';

const testing = await testApp();
const { call, query, workspace } = testing;
const { linked, verify, entries } = auditOf(testing);
const { id: group_id, key } = await workspace();

/** Does as a superuser what the triggers refuse. */
async function tamper(text: string, values: unknown[] = []): Promise<void> {
  const tables = ['audit_log', 'audit_links'];
  for (const table of tables) await query(`alter table ${table} disable trigger user`);
  await query(text, values);
  for (const table of tables) await query(`alter table ${table} enable trigger user`);
}

const change = async (name = 'x') => {
  const made = await call('POST', '/v1/agents', { name }, { key });
  assert.equal(made.status, 200, made.text);
  return made;
};
const links = () =>
  query('select position::int, row_id, hash from audit_links where chain_id = $1 order by position', [group_id]);
const faults = async () =>
  (await verify()).faults.map(({ problem, position, entry_id }: Record<string, unknown>) => ({
    problem,
    position,
    entry_id,
  }));

test('links rows while an earlier transaction is open, and the rows of that one when it commits', async () => {
  // A transaction that began first and commits last.
  const database = (await query('select current_database() as name'))[0].name as string;
  const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log: makeLog('silent') });
  after(() => db.close());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const late = db.transaction(undefined, async (tx) => {
    await recordSystemChange(tx, {
      ...{ tenant_id: (await query('select id from tenants'))[0].id, workspace_id: group_id, operation: 'late' },
      target: { kind: 'test', id: 'late' },
    });
    begin();
    await held;
  });
  await begun;
  await change();
  await linked();
  assert.equal((await query("select 1 from audit_log where operation = 'late'")).length, 0);
  release();
  await late;
  await change();
  await linked();
  const [row] = await entries({ operation: 'late', group_id });
  assert.ok(row.position > 0 && /^[0-9a-f]{64}$/.test(row.hash));
  assert.deepEqual(await faults(), []);
});

test('refuses to change or delete rows and links', async () => {
  await change();
  await linked();
  for (const statement of [
    "update audit_log set operation = 'x'",
    'delete from audit_log',
    'truncate audit_log',
    'update audit_links set position = position + 1',
    'delete from audit_links',
    'truncate audit_links',
  ])
    await assert.rejects(query(statement), /append-only/, statement);
  assert.equal((await verify()).ok, true);
});

test('finds a row that was altered, in each of its columns', async () => {
  await change();
  await change();
  await linked();
  const [{ position, row_id }] = (await links()).slice(-2);
  const columns = await query(
    "select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = 'audit_log'::regclass and attnum > 0",
  );
  const others: Record<string, string> = {
    ...{ uuid: 'gen_random_uuid()', json: `'{"a":1}'`, integer: '99', text: `'other'` },
    'timestamp with time zone': "now() - interval '1 hour'",
  };
  for (const { name, type } of columns) {
    if (name === 'id') continue;
    const value = name === 'outcome' ? "'refused'" : others[type];
    await query('create table kept_row as select * from audit_log where id = $1', [row_id]);
    await tamper(`update audit_log set ${name} = ${value} where id = $1`, [row_id]);
    assert.deepEqual(await faults(), [{ problem: 'altered', position, entry_id: row_id }], name);
    await tamper(`update audit_log r set ${name} = k.${name} from kept_row k where r.id = k.id`);
    await query('drop table kept_row');
  }
  assert.equal((await verify()).ok, true);
});

/** Each changes the chain, is looked for, and is undone. */
async function whileTampered(
  work: string[],
  values: unknown[],
  undo: string[],
  look: () => Promise<void>,
): Promise<void> {
  for (const statement of work) await tamper(statement, statement.includes('$1') ? values : []);
  await look();
  for (const statement of undo) await tamper(statement);
}

test('finds a row that was deleted, alone or with its link', async () => {
  for (let rows = 0; rows < 4; rows++) await change();
  await linked();
  const [{ position, row_id }] = (await links()).slice(-3);
  const keep = [
    'create table kept_row as select * from audit_log where id = $1',
    'delete from audit_log where id = $1',
  ];
  const restore = ['insert into audit_log select * from kept_row', 'drop table kept_row'];
  await whileTampered(keep, [row_id], restore, async () => {
    assert.deepEqual(await faults(), [{ problem: 'deleted', position, entry_id: row_id }]);
  });
  const keepBoth = [
    ...keep,
    'create table kept_link as select * from audit_links where row_id = $1',
    'delete from audit_links where row_id = $1',
  ];
  const restoreBoth = [...restore, 'insert into audit_links select * from kept_link', 'drop table kept_link'];
  await whileTampered(keepBoth, [row_id], restoreBoth, async () => {
    const [first, second] = await faults();
    assert.deepEqual(first, { problem: 'deleted', position, entry_id: null });
    assert.deepEqual([second.problem, second.position], ['altered', position + 1]);
  });
  assert.equal((await verify()).ok, true);
});

test('finds rows that were moved, and an end that was cut off', async () => {
  for (let rows = 0; rows < 4; rows++) await change();
  await linked();
  const [one, two, last] = (await links()).slice(-3);
  const swap = (from: number, to: number) =>
    `update audit_links set position = case position when ${from} then ${to} else ${from} end
     where chain_id = '${group_id}' and position in (${from}, ${to})`;
  await query('alter table audit_links drop constraint audit_links_pkey');
  await whileTampered([swap(one.position, two.position)], [], [swap(one.position, two.position)], async () => {
    const found = await faults();
    assert.deepEqual(
      found.map(({ problem, position }: { problem: string; position: number }) => [problem, position]),
      [one, two, last].map(({ position }) => ['altered', position]),
    );
  });
  await query('alter table audit_links add primary key (chain_id, position)');
  const cut = [
    'create table kept_row as select * from audit_log where id = $1',
    'create table kept_link as select * from audit_links where row_id = $1',
    'delete from audit_log where id = $1',
    'delete from audit_links where row_id = $1',
  ];
  const restore = ['insert into audit_log select * from kept_row', 'insert into audit_links select * from kept_link'];
  await whileTampered(cut, [last.row_id], restore, async () => {
    assert.deepEqual(await faults(), [{ problem: 'end_removed', position: last.position, entry_id: null }]);
  });
  assert.equal((await verify()).ok, true);
});

test('finds a row that was inserted by hand', async () => {
  const [{ id }] = await query(
    `insert into audit_log (id, tenant_id, workspace_id, operation, outcome, actor_kind, actor_id)
     select gen_random_uuid(), tenant_id, workspace_id, 'agents.update', 'done', 'person', 'x' from audit_log limit 1 returning id`,
  );
  assert.deepEqual(await faults(), [{ problem: 'inserted', position: null, entry_id: id }]);
  await tamper('delete from audit_log where id = $1', [id]);
});

test('retention deletes the oldest rows, and the rest is still verified', async () => {
  for (let rows = 0; rows < 3; rows++) await change();
  await linked();
  const before = await links();
  const database = (await query('select current_database() as name'))[0].name as string;
  const log = makeLog('silent');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log });
  after(() => db.close());
  const expire = async (days: number) => {
    const [job] = auditJobs({ db, days, onCommit: () => {} });
    await job?.handler({ log, signal: new AbortController().signal }, {});
  };
  await expire(0);
  await expire(1);
  assert.equal((await links()).length, before.length);
  const cutoff = before.at(-2);
  await tamper(
    `update audit_log set at = at - interval '3 days' where id in (select row_id from audit_links where chain_id = '${group_id}' and position < ${cutoff.position})`,
  );
  await expire(1);
  assert.deepEqual(
    (await links()).map(({ position }) => position),
    before.slice(-2).map(({ position }) => position),
  );
  await change();
  await linked();
  assert.deepEqual(await faults(), []);
  const [row] = await entries({ operation: 'audit.expire', target_id: group_id });
  assert.deepEqual([row.actor.kind, row.after.position], ['system', cutoff.position - 1]);
  // A beginning that was removed by hand is not taken for retention.
  const position = cutoff.position;
  await query('update audit_chains set deleted_position = $2, deleted_hash = $3 where chain_id = $1', [
    group_id,
    position,
    cutoff.hash,
  ]);
  await query('delete from audit_log where id = $1', [cutoff.row_id]);
  await query('delete from audit_links where row_id = $1', [cutoff.row_id]);
  assert.deepEqual(await faults(), [{ problem: 'beginning_removed', position, entry_id: null }]);
});
