import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testApp } from '../../../../test/support/test-app.ts';
import { testServer } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

const app = await testApp();
const { call, query } = app;
const people = await makePeopleIn(app);
const ada = await people.aMember('Reader');
const agent = (await call('POST', '/v1/agents', { name: 'Desk' })).json;
const members = `/v1/admin/groups/${people.home}/members`;
const memberGroups = `/v1/admin/groups/${people.home}/member-groups`;
const role_id = people.roleNamed('Reader');

async function shareWith(grantee: object): Promise<string> {
  const path = `/v1/conversations?assistant_id=${agent.id}`;
  const { id } = (await call('POST', path, { name: 'Trip' }, as(ada.cookie))).json;
  const made = await call('POST', `/v1/conversations/${id}/shares`, grantee, as(ada.cookie));
  assert.equal(made.status, 200, made.text);
  return id;
}
const sharesOf = async (id: string) =>
  (await call('GET', `/v1/conversations/${id}/shares`, undefined, as(ada.cookie))).json.items.length;

async function aTeam(...ids: string[]): Promise<string> {
  const { json } = await call('POST', '/v1/admin/user-groups', { name: `Team of ${ids.join()}` });
  for (const id of ids) assert.equal((await call('PUT', `/v1/admin/user-groups/${json.id}/members/${id}`)).status, 200);
  assert.equal((await call('PUT', `${memberGroups}/${json.id}`, { role_id })).status, 200);
  return json.id;
}

/** A connection of its own, whose transaction stays open between statements. */
async function connection(t: { after(work: () => unknown): void }): Promise<pg.Client> {
  const [{ database }] = await query('select current_database() as database');
  const client = new pg.Client({ ...testServer(), database });
  await client.connect();
  t.after(() => client.end());
  return client;
}

test('ends the shares with a group that is removed from the workspace, and writes it into the audit log', async () => {
  const bo = await people.aMember('Reader');
  const team = await aTeam(bo.id);
  const id = await shareWith({ user_group_id: team, access: 'write' });
  // Another role of the group ends no share.
  await call('PUT', `${memberGroups}/${team}`, { role_id: people.roleNamed('Editor') });
  assert.equal(await sharesOf(id), 1);
  assert.equal((await call('DELETE', `${memberGroups}/${team}`)).status, 200);
  assert.equal(await sharesOf(id), 0);
  // Bo is a member in their own right, and stays one; the group that comes back brings no share with it.
  await call('PUT', `${memberGroups}/${team}`, { role_id });
  const cookie = (await people.signIn(bo.email)).headers['set-cookie'];
  assert.equal((await call('GET', `/v1/conversations/${id}`, undefined, as(String(cookie)))).status, 404);
  const { items } = (await call('GET', '/v1/admin/audit?operation=conversations.unshareWith')).json;
  assert.partialDeepStrictEqual(items[0].before, { kind: 'user_group', grantee_id: team, access: 'write' });
  assert.equal((await call('GET', '/v1/admin/audit/verify')).json.ok, true);
});

test('ends the shares of a person whose two ways into the workspace end at the same moment', async (t) => {
  const bo = await people.aMember('Reader');
  const team = await aTeam(bo.id);
  const id = await shareWith({ person_id: bo.id });
  const [one, other] = [await connection(t), await connection(t)];
  for (const client of [one, other]) await client.query('begin');
  await one.query('delete from members where person_id = $1', [bo.id]);
  await other.query('delete from user_group_members where user_group_id = $1 and person_id = $2', [team, bo.id]);
  // What a commit does first: the checks at the end of the transaction.
  await one.query('set constraints all immediate');
  const checked = other.query('set constraints all immediate');
  let isChecked = false;
  void checked.finally(() => {
    isChecked = true;
  });
  // The second check waits for the first transaction, or is over.
  await until('the second check waits', async () => {
    const waiting = await query(`select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`);
    return isChecked || waiting.length > 0;
  });
  await one.query('commit');
  await checked;
  await other.query('commit');
  assert.equal(await sharesOf(id), 0);
});

test('looks for lost shares once for all people who leave a group, in a workspace that is watched', async () => {
  const team = await aTeam(
    ...(await Promise.all(Array.from({ length: 4 }, () => people.aMember('Reader')))).map(({ id }) => id),
  );
  const ids = [await shareWith({ user_group_id: team }), await shareWith({ user_group_id: team })];
  await query(
    `insert into event_feeds (workspace_id, watched_until) values ($1, now() + interval '1 hour')
     on conflict (workspace_id) do update set watched_until = excluded.watched_until`,
    [people.home],
  );
  const plan = await query(
    `explain (analyze, format json) delete from user_group_members where user_group_id = '${team}'`,
  );
  const triggers: { 'Trigger Name': string; Calls: number }[] = plan[0]['QUERY PLAN'][0].Triggers;
  const calls = triggers.find((trigger) => trigger['Trigger Name'] === 'publish_lost_shares')?.Calls;
  assert.equal(calls, 1, JSON.stringify(triggers));
  const told = await query(
    "select count(*)::int as count from outbox where event = 'live:conversation.unshared' and data ->> 'conversation_id' = any($1)",
    [ids],
  );
  assert.equal(told[0].count, 8, 'each of four people is told of two conversations');
});

test('tells a person who gets another role of conversations that were shared with the one before', async () => {
  const bo = await people.aMember('Reader');
  const id = await shareWith({ role_id });
  assert.equal((await call('PUT', `${members}/${bo.id}`, { role_id })).status, 200);
  const told = () =>
    query("select 1 from outbox where event = 'live:conversation.unshared' and data ->> 'conversation_id' = $1", [id]);
  assert.equal((await told()).length, 0, 'the same role again');
  await call('PUT', `${members}/${bo.id}`, { role_id: people.roleNamed('Editor') });
  assert.equal((await told()).length, 1);
});
