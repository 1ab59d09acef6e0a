import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf } from '../conversations/testing.ts';
import { makeTranscript } from '../conversations/transcript.ts';
import type { NewViolations } from './ports.ts';
import { recordViolations } from './violations-store.ts';

const app = await testApp();
const { call, workspace, query } = app;
const db = await databaseOf(app);
const transcript = makeTranscript({ db });

const insult = { category: 'toxicity', severity: 'severe', reason: 'It insults someone.' } as const;
const oath = { category: 'profanity', severity: 'low', reason: 'It swears mildly.' } as const;

/** A conversation with one run, and a function that records violations in it. */
async function begun() {
  const { json: made } = await call('POST', '/v1/conversations', { name: 'test' });
  await call('POST', `/v1/conversations/${made.id}`, { content: 'Hello' });
  const [run] = await query('select id, message_id from runs where conversation_id = $1', [made.id]);
  const found: NewViolations = {
    workspace_id: made.group_id,
    conversation_id: made.id,
    run_id: run.id,
    message_id: run.message_id,
    stage: 'input',
    action: 'warn',
    verdicts: [insult],
    block_after: 0,
    block_message: 'Enough.',
  };
  const record = (changes: Partial<NewViolations> = {}) =>
    db.transaction(undefined, (tx) => recordViolations(tx, { ...found, ...changes }, transcript.countViolation));
  const state = async () => {
    const { json } = await call('GET', `/v1/conversations/${made.id}`);
    const [{ violations }] = await query('select violations from conversations where id = $1', [made.id]);
    return { violations, is_locked: json.is_locked, lock_message: json.lock_message, etag: json.etag };
  };
  return { id: made.id as string, run, record, state };
}

test('counts a text once and stores an entry for each guardrail that flagged it', async () => {
  const { id, run, record } = await begun();
  assert.deepEqual(await record({ verdicts: [insult, oath] }), { violations: 1, is_locked: false });
  assert.deepEqual(await record({ stage: 'output', message_id: null, action: 'fail' }), {
    violations: 2,
    is_locked: false,
  });
  const { json } = await call('GET', `/v1/conversations/${id}/violations`);
  assert.deepEqual([json.total, json.page, json.size, json.pages], [3, 1, 50, 1]);
  const shown = json.items.map((item: Record<string, unknown>) => [
    item['stage'],
    item['category'],
    item['severity'],
    item['reason'],
    item['action'],
    item['run_id'],
    item['message_id'],
  ]);
  assert.deepEqual(shown, [
    ['output', 'toxicity', 'severe', 'It insults someone.', 'fail', run.id, null],
    ['input', 'profanity', 'low', 'It swears mildly.', 'warn', run.id, run.message_id],
    ['input', 'toxicity', 'severe', 'It insults someone.', 'warn', run.id, run.message_id],
  ]);
});

test('counts nothing when nothing is flagged', async () => {
  const { record, state } = await begun();
  assert.equal(await record({ verdicts: [] }), undefined);
  assert.equal((await state()).violations, 0);
});

test('locks the conversation at exactly the fiftieth of fifty concurrent violations', async () => {
  const { record, state } = await begun();
  const counted = await Promise.all(Array.from({ length: 50 }, () => record({ block_after: 50 })));
  const seen = counted.map((one) => one?.violations ?? 0).sort((a, b) => a - b);
  assert.deepEqual(
    seen,
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    counted.filter((one) => one?.is_locked).map((one) => one?.violations),
    [50],
  );
  const { etag: _, ...after } = await state();
  assert.deepEqual(after, { violations: 50, is_locked: true, lock_message: 'Enough.' });
});

test('never locks with a limit of 0, and locks at the next violation after the limit is lowered', async () => {
  const { record, state } = await begun();
  for (let n = 0; n < 5; n++) await record();
  const before = await state();
  assert.deepEqual([before.violations, before.is_locked], [5, false]);
  assert.deepEqual(await record({ block_after: 2 }), { violations: 6, is_locked: true });
  assert.notEqual((await state()).etag, before.etag);
});

test('accepts a limit beyond all numbers of violations', async () => {
  const { record } = await begun();
  assert.deepEqual(await record({ block_after: Number.MAX_SAFE_INTEGER }), { violations: 1, is_locked: false });
});

test('keeps the message of a lock that a user set', async () => {
  const { id, record, state } = await begun();
  await call('POST', `/v1/conversations/${id}/lock`, { message: 'Closed.' });
  await record({ block_after: 1 });
  assert.equal((await state()).lock_message, 'Closed.');
});

test('refuses messages in a locked conversation until it is unlocked, and then counts from zero', async () => {
  const { id, record, state } = await begun();
  await record({ block_after: 2 });
  await record({ block_after: 2 });
  const refused = await call('POST', `/v1/conversations/${id}`, { content: 'Hello?' });
  assert.deepEqual([refused.status, refused.json.detail], [423, 'Enough.']);
  await call('POST', `/v1/conversations/${id}/unlock`);
  assert.equal((await state()).violations, 0);
  assert.equal((await call('POST', `/v1/conversations/${id}`, { content: 'Hello?' })).status, 200);
  assert.deepEqual(await record({ block_after: 2 }), { violations: 1, is_locked: false });
  // Earlier violations are still listed.
  assert.equal((await call('GET', `/v1/conversations/${id}/violations`)).json.total, 3);
});

test('pages entries, and deletes them with their conversation', async () => {
  const { id, record } = await begun();
  for (let n = 0; n < 5; n++) await record({ verdicts: [{ ...insult, reason: `Number ${n}` }] });
  const { json } = await call('GET', `/v1/conversations/${id}/violations?page=2&size=2`);
  assert.deepEqual(
    [json.items.map((item: { reason: string }) => item.reason), json.pages],
    [['Number 2', 'Number 1'], 3],
  );
  await call('DELETE', `/v1/conversations/${id}`);
  assert.deepEqual(await query('select 1 from safety_violations where conversation_id = $1', [id]), []);
  assert.equal(await record(), undefined);
});

test('requires conversations_read to list them', async () => {
  const { id: group, key } = await workspace(['agents_run']);
  const { json: made } = await call('POST', '/v1/conversations', {}, { key });
  const path = `/v1/conversations/${made.id}/violations`;
  assert.equal((await call('GET', path, undefined, { key })).status, 403);
  const permissions = ['conversations_read'];
  const { json: reader } = await call('POST', `/v1/admin/groups/${group}/api-keys`, { name: 'r', permissions });
  assert.deepEqual((await call('GET', path, undefined, { key: reader.value })).json.items, []);
});

test('lists violations of the workspace by agent, category, severity, stage, action, run and time', async () => {
  const { key, id: workspace_id } = await workspace();
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Desk' }, { key });
  const at = `/v1/conversations?assistant_id=${agent.id}`;
  const { json: talk } = await call('POST', at, { name: 'talk' }, { key });
  await call('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' }, { key });
  const [run] = await query('select id from runs where conversation_id = $1', [talk.id]);
  const found: NewViolations = {
    ...{ workspace_id, conversation_id: talk.id, run_id: run.id, message_id: null, stage: 'output', action: 'fail' },
    ...{ verdicts: [insult, oath], block_after: 0, block_message: '' },
  };
  await db.transaction(undefined, (tx) => recordViolations(tx, found, transcript.countViolation));
  const listed = async (filter: string, by = key) => {
    const { status, json, text } = await call('GET', `/v1/violations?${filter}`, undefined, { key: by });
    assert.equal(status, 200, text);
    return json.items.map(({ category }: { category: string }) => category);
  };
  const both = ['profanity', 'toxicity'];
  for (const filter of ['', `assistant_id=${agent.id}`, `run_id=${run.id}`, 'stage=output', 'action=fail'])
    assert.deepEqual((await listed(filter)).sort(), both, filter);
  assert.deepEqual(await listed('category=toxicity'), ['toxicity']);
  assert.deepEqual(await listed('severity=low'), ['profanity']);
  assert.deepEqual(await listed('stage=input'), []);
  assert.deepEqual(await listed('created_after=2100-01-01T00:00:00Z'), []);
  assert.deepEqual((await listed('created_before=2100-01-01T00:00:00Z')).sort(), both);
  // Another workspace finds none of them, by whatever filter.
  const { key: other } = await workspace();
  for (const filter of ['', `assistant_id=${agent.id}`, `conversation_id=${talk.id}`, `run_id=${run.id}`])
    assert.deepEqual(await listed(filter, other), [], filter);
  const { key: weak } = await workspace(['agents_run']);
  assert.equal((await call('GET', '/v1/violations', undefined, { key: weak })).status, 403);
});
