import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoNodes, until } from '../../../test/support/two-nodes.ts';
import type { App } from '../../app.ts';

const nodes = await twoNodes();
const { asleep, awake, provider, effects, hold, lapse, ended, query, call } = nodes;

interface Asked {
  id: string;
  status: string;
  arguments: { word: string };
}

/** Says something in a conversation in which `send_once` needs a person's approval; returns the run once it exists. */
async function say(app: App, parallel_tool_calls = true) {
  const tools = [{ type: 'send_once', requires_approval: true }];
  const settings = { model: ['p/one'], parallel_tool_calls, tools };
  const { id } = JSON.parse(await call(awake, 'POST', '/v1/conversations', { name: 'test', settings }));
  const answered = call(app, 'POST', `/v1/conversations/${id}`, { content: 'Hello' }).then((text) => JSON.parse(text));
  answered.catch(() => {});
  const [run] = await until('the run is there', async () => {
    const rows = await query('select id from runs where conversation_id = $1', [id]);
    return rows.length ? rows : undefined;
  });
  return { id: id as string, run_id: run.id as string, answered };
}
const asks = (...words: string[]) => ({
  tool_calls: words.map((word, at) => ({ id: `c${at}`, name: 'send_once', input: { word } })),
});
const pending = (id: string, count = 1) =>
  until('somebody is asked', async () => {
    const items = JSON.parse(await call(awake, 'GET', `/v1/conversations/${id}/approvals?status=pending`)).items;
    return items.length === count ? (items as Asked[]) : undefined;
  });
const decide = (app: App, id: string, { id: approval }: Asked, decision = 'approve') =>
  call(app, 'POST', `/v1/conversations/${id}/approvals/${approval}`, { decision });
const count = (types: readonly string[], type: string) => types.filter((one) => one === type).length;

test('a request of one node can be answered at another, which resumes the run', async () => {
  provider.reply(asks('elsewhere'), { text: 'Sent.' });
  const { id, run_id, answered } = await say(asleep);
  assert.equal((await answered).status, 'awaiting_human_feedback');
  const [asked] = await pending(id);
  await decide(awake, id, asked as Asked);
  const { run, texts, types } = await ended(run_id);
  assert.deepEqual([run.status, texts, effects.get('elsewhere')], ['completed', ['Sent.'], 1]);
  assert.deepEqual([count(types, 'run-pause'), count(types, 'approval-decision')], [1, 1]);
});

test('of answers at two nodes at once one counts', async () => {
  provider.reply(asks('both'), { text: 'Done.' });
  const { id, run_id, answered } = await say(awake);
  await answered;
  const [asked] = await pending(id);
  const answers = await Promise.allSettled(
    [asleep, awake, asleep, awake].map((node) => decide(node, id, asked as Asked)),
  );
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  await ended(run_id);
  assert.equal(effects.get('both'), 1);
});

test('a node that dies between the answer and the call leaves the call to be made once', async () => {
  provider.reply(asks('left'), { text: 'Sent.' });
  const { id, run_id, answered } = await say(awake);
  await answered;
  const [asked] = await pending(id);
  // What an answer stores, by a node that then died.
  await query(
    `update human_requests set status = 'approved', decided_by = 'somebody', decided_at = now() where id = $1`,
    [(asked as Asked).id],
  );
  await query(
    `update runs set status = 'running', node_id = gen_random_uuid(), leased_until = now() - interval '1 second'
     where id = $1`,
    [run_id],
  );
  const { run, texts, types } = await ended(run_id);
  assert.deepEqual([run.status, texts, effects.get('left')], ['completed', ['Sent.'], 1]);
  assert.equal(count(types, 'tool-result'), 1);
});

test('a node that dies in the middle of an approved call has made it once', async () => {
  const release = hold('middle');
  provider.reply(asks('middle'));
  const { id, run_id, answered } = await say(asleep);
  await answered;
  const [asked] = await pending(id);
  await decide(asleep, id, asked as Asked);
  await until('it is under way', () => effects.get('middle'));
  await lapse(run_id);
  const { run } = await ended(run_id);
  release();
  assert.deepEqual([run.status, run.error.code, effects.get('middle')], ['failed', 'tool_interrupted', 1]);
});

test('a node that dies before the run waits does not ask twice', async () => {
  const release = hold('beside');
  const beside = { id: 'b', name: 'send_again', input: { word: 'beside' } };
  provider.reply({ tool_calls: [beside, ...asks('asked').tool_calls] });
  const { id, run_id } = await say(asleep);
  await until('the other call is under way', () => effects.get('beside'));
  await pending(id);
  await lapse(run_id);
  await until(
    'it waits',
    async () =>
      (await query('select status from runs where id = $1', [run_id]))[0].status === 'awaiting_human_feedback',
  );
  release();
  assert.deepEqual([effects.get('beside'), effects.get('asked')], [2, undefined]);
  const [asked] = await pending(id);
  provider.reply({ text: 'Both.' });
  await decide(awake, id, asked as Asked);
  const { run, texts, types } = await ended(run_id);
  assert.deepEqual([run.status, texts, effects.get('asked')], ['completed', ['Both.'], 1]);
  assert.deepEqual([count(types, 'approval-request'), count(types, 'tool-result')], [1, 2]);
});

test('an answer that comes before the run has begun to wait is not waited for', async () => {
  const release = hold('slow');
  provider.reply({
    tool_calls: [{ id: 'b', name: 'send_again', input: { word: 'slow' } }, ...asks('early').tool_calls],
  });
  const { id, run_id } = await say(awake);
  await until('the other call is under way', () => effects.get('slow'));
  const [asked] = await pending(id);
  await decide(asleep, id, asked as Asked);
  assert.equal(effects.get('early'), undefined);
  provider.reply({ text: 'Both.' });
  release();
  const { run, types } = await ended(run_id);
  assert.deepEqual([run.status, effects.get('early')], ['completed', 1]);
  assert.deepEqual([count(types, 'run-pause'), count(types, 'run-resume')], [0, 1]);
});

test('an answer at the very moment the run begins to wait is heard', async () => {
  // The row of the conversation is held while both want it: the answer waits behind it, and the run too.
  for (let round = 0; round < 5; round++) {
    const word = `race ${round}`;
    provider.reply(asks(word), { text: 'Sent.' });
    const { id, run_id } = await say(awake);
    const [asked] = await until('somebody is asked', async () => {
      const rows = await query(`select id from human_requests where run_id = $1`, [run_id]);
      return rows.length ? rows : undefined;
    });
    await decide(awake, id, asked);
    const { run } = await ended(run_id);
    assert.deepEqual([run.status, effects.get(word)], ['completed', 1]);
  }
});

test('any node ends expired requests, also when the asking node is gone', async () => {
  provider.reply(asks('late'), { text: 'Nobody.' });
  const { run_id, answered } = await say(asleep);
  await answered;
  await query(`update human_requests set expires_at = now() - interval '1 second' where run_id = $1`, [run_id]);
  const { run, texts, events } = await ended(run_id);
  assert.deepEqual([run.status, texts, effects.get('late')], ['completed', ['Nobody.'], undefined]);
  assert.ok(events.some((event) => event.type === 'approval-decision' && event.by === null));
});

test('a run that waits holds no place: others of its workspace are answered', async () => {
  const { asleep: _, ...small } = await twoNodes({ max_runs: 2, max_runs_per_workspace: 2 });
  const settings = { model: ['p/one'], tools: [{ type: 'send_once', requires_approval: true }] };
  for (let made = 0; made < 5; made++) {
    small.provider.reply(asks(`waiting ${made}`));
    const { id } = JSON.parse(await small.call(small.awake, 'POST', '/v1/conversations', { name: 'test', settings }));
    const seen = JSON.parse(await small.call(small.awake, 'POST', `/v1/conversations/${id}`, { content: 'Hello' }));
    assert.equal(seen.status, 'awaiting_human_feedback');
  }
});
