import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { listenOnSocket } from '../../../test/support/socket-client.ts';
import { openEventsAt } from '../events/testing.ts';
import { until } from '../insights/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const { server, name } = await app.provider();
const { call } = app;
server.answers = (body) => {
  const told = JSON.stringify(body['messages']);
  const isRude = told.includes('You are rude');
  return { text: isRude ? 'No idea' : 'A refund takes five days', usage: { input: isRude ? 200 : 100, output: 5 } };
};
const good = async (method: string, path: string, body?: unknown, key?: string): Promise<Json> => {
  const answer = await call(method, path, body, key ? { key } : {});
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const agent = await good('POST', '/v1/agents', { name: 'Shop', definition: { ...base, persona: 'You are kind.' } });
const rude = await good('POST', `/v1/agents/${agent.id}/versions`, {
  definition: { ...base, persona: 'You are rude.' },
});
const newSet = async (...cases: object[]) =>
  `/v1/evaluations/${(await good('POST', '/v1/evaluations', { name: 'Set', agent_id: agent.id, cases })).id}`;
const question = (text: string) => ({ messages: [text], expected: 'five days', match: 'contains' });
const finished = async (at: string, body: object = {}): Promise<Json> => {
  const { id } = await good('POST', `${at}/runs`, body);
  return until(
    () => good('GET', `${at}/runs/${id}`),
    ({ status }) => status === 'completed' || status === 'failed',
  );
};
const keyWith = async (...permissions: string[]): Promise<string> =>
  (await good('POST', `/v1/admin/groups/${agent.group_id}/api-keys`, { name: 'weak', reach: 'workspace', permissions }))
    .value;

test('cases are listed, added, changed and deleted one at a time, and keep their ids', async () => {
  const at = await newSet(question('One?'), question('Two?'));
  const added = await good('POST', `${at}/cases`, { ...question('Three?'), criteria: 'Kind.' });
  const { items, total } = await good('GET', `${at}/cases?size=2&page=2`);
  assert.deepEqual([total, items], [3, [added]]);
  const changed = await good('PATCH', `${at}/cases/${added.id}`, { expected: 'six days', criteria: '' });
  assert.deepEqual(
    [changed.expected, changed.criteria, changed.messages, changed.position, changed.id],
    ['six days', undefined, ['Three?'], 2, added.id],
  );
  assert.deepEqual(await good('GET', `${at}/cases/${added.id}`), changed);
  const [first, second] = (await good('GET', at)).cases;
  await good('DELETE', `${at}/cases/${first.id}`);
  assert.equal((await call('GET', `${at}/cases/${first.id}`)).status, 404);
  assert.equal((await good('GET', `${at}/cases/${added.id}`)).position, 1);

  // A whole list keeps the cases that it names.
  const replaced = await good('PATCH', at, { cases: [{ ...question('New?') }, second, second] });
  assert.deepEqual([replaced.cases.length, replaced.cases[1]], [3, second]);
  assert.equal(new Set(replaced.cases.map(({ id }: Json) => id)).size, 3);
  const stale = { headers: { 'if-match': changed.etag } };
  const late = await call('PATCH', `${at}/cases/${second.id}`, { expected: 'x' }, stale);
  assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch']);
});

test('several callers add cases at once, and none is lost', async () => {
  const at = await newSet();
  await Promise.all([1, 2, 3, 4, 5].map((number) => good('POST', `${at}/cases`, question(`Question ${number}?`))));
  assert.equal((await good('GET', `${at}/cases`)).total, 5);
});

test('cases from before they had ids keep the same id through changes of others', async () => {
  const at = await newSet(question('One?'), question('Two?'));
  const id = at.split('/').at(-1);
  await app.query('update evaluations set cases = $2 where id = $1', [
    id,
    JSON.stringify([question('One?'), question('Two?')]),
  ]);
  const [first, second] = (await good('GET', at)).cases;
  assert.notEqual(first.id, second.id);
  await good('DELETE', `${at}/cases/${first.id}`);
  assert.deepEqual(
    (await good('GET', at)).cases.map((one: Json) => one.id),
    [second.id],
  );
});

test('a case is made of one message, its question or its run, without personal data and without later turns', async () => {
  const talk = await app.converse({}, `?assistant_id=${agent.id}`);
  await app.say(talk, 'I am anna.berg@corp-mail.com');
  const { metadata } = await app.say(talk, 'How long does a refund take?');
  await app.say(talk, 'Thanks');
  const at = await newSet();
  const { messages } = await good('GET', `/v1/conversations/${talk}`);
  const [, , asked, answered] = messages;
  const made = [];
  for (const body of [
    { conversation_id: talk, message_id: asked.id },
    { conversation_id: talk, message_id: answered.id },
    { run_id: metadata.run_id },
  ])
    made.push(await good('POST', `${at}/cases/from-message`, { ...body, criteria: 'Kind.' }));
  for (const one of made) {
    assert.deepEqual(one.messages, ['I am <EMAIL_ADDRESS_1>', 'How long does a refund take?']);
    assert.deepEqual([one.expected, one.criteria], ['A refund takes five days', 'Kind.']);
  }
  assert.equal((await good('GET', `${at}/cases`)).total, 3);
  const tried = (body: object, key?: string) =>
    call('POST', `${at}/cases/from-message`, body, key ? { key } : {}).then(({ status }) => status);
  assert.equal(await tried({ conversation_id: talk }), 422);
  assert.equal(await tried({ conversation_id: talk, message_id: agent.id }), 404);
  const message = { conversation_id: talk, message_id: asked.id };
  assert.equal(await tried(message, await keyWith('agents_edit')), 403, 'it may not read conversations');
  assert.equal(await tried(message, await keyWith('agents_edit', 'agents_run')), 200);
  const { key: elsewhere } = await app.workspace();
  const foreign = await good('POST', '/v1/agents', { name: 'Other' }, elsewhere);
  const set = await good('POST', '/v1/evaluations', { name: 'Set', agent_id: foreign.id }, elsewhere);
  for (const body of [message, { run_id: metadata.run_id }]) {
    const { status } = await call('POST', `/v1/evaluations/${set.id}/cases/from-message`, body, { key: elsewhere });
    assert.equal(status, 404);
  }
});

test('a case has no advice for the operator, which others do not see in the conversation', async () => {
  const talk = await app.converse({ model: ['atrium/extractive'] });
  await app.say(talk, 'Who are you?');
  const { messages } = await good('GET', `/v1/conversations/${talk}`);
  const parts: Json[] = messages[1].message_parts;
  const [advice] = parts.filter((part) => part.advice);
  assert.ok(advice.content.length > 10, JSON.stringify(parts));
  const body = { conversation_id: talk, message_id: messages[1].id };
  const made = await call('POST', `${await newSet()}/cases/from-message`, body, {
    key: await keyWith('agents_edit', 'agents_run'),
  });
  assert.equal(made.status, 200, made.text);
  assert.ok(!JSON.stringify(made.json).includes(JSON.stringify(advice.content).slice(1, -1)), made.text);
});

test('people mark results, change and take back their marks, and the verdict of the machine stays', async () => {
  const at = await newSet(question('How long does a refund take?'));
  const run = await finished(at);
  const [{ case_id, passed }] = run.results;
  const mark = `${at}/runs/${run.id}/results/${case_id}/mark`;
  const other = await keyWith('conversations_read');
  const first = await good('PUT', mark, { passed: true });
  assert.deepEqual([first.passed, first.note, passed], [true, null, true]);
  await good('PUT', mark, { passed: true, note: 'Good' }, other);
  const changed = await good('PUT', mark, { passed: false, note: 'Too short' });
  assert.ok(changed.marked_at > first.marked_at);
  const { results, summary } = await good('GET', `${at}/runs/${run.id}`);
  assert.deepEqual(
    results[0].marks.map(({ note, marked_by_actor }: Json) => [note, marked_by_actor.name]),
    [
      ['Too short', changed.marked_by_actor.name],
      ['Good', 'weak'],
    ],
  );
  assert.deepEqual([results[0].passed, summary.passed, summary.marked, summary.disputed], [true, 1, 1, 1]);
  const report = await good('GET', `${at}/report?from=${run.id}&to=${run.id}`);
  assert.deepEqual(report.cases[0].to.marks, results[0].marks);
  await good('DELETE', mark);
  await good('DELETE', mark);
  const left = (await good('GET', `${at}/runs/${run.id}`)).results[0].marks;
  assert.deepEqual(
    left.map(({ note }: Json) => note),
    ['Good'],
  );
  const weak = await call('PUT', mark, { passed: true }, { key: await keyWith('insights_read') });
  assert.equal(weak.status, 403);
  const { key: elsewhere } = await app.workspace();
  assert.equal((await call('PUT', mark, { passed: true }, { key: elsewhere })).status, 404);
});

test('compares runs by case after cases moved, and says which became worse, dearer or were changed', async () => {
  const at = await newSet(question('Gone?'), question('Stays?'), question('Changed?'));
  const before = await finished(at);
  const [gone, stays, changed] = (await good('GET', at)).cases;
  await good('DELETE', `${at}/cases/${gone.id}`);
  await good('PATCH', `${at}/cases/${changed.id}`, { expected: 'No idea' });
  const after = await finished(at, { version_id: rude.id });
  const report = await good('GET', `${at}/report?from=${before.id}&to=${after.id}`);
  assert.deepEqual(
    report.cases.map(({ case_id, position, change, case_changed }: Json) => [case_id, position, change, case_changed]),
    [
      [stays.id, 0, 'worse', false],
      [changed.id, 1, 'same', true],
    ],
  );
  assert.deepEqual([report.worse, report.same, report.dearer + report.cheaper], [1, 1, 0]);
});

test('a run tells its progress in the events of the workspace', async () => {
  const { port } = await listenOnSocket(app.app);
  const events = await openEventsAt(port)({ 'x-api-key': app.admin }, '?types=evaluation,evaluation_run');
  const unseen = await openEventsAt(port)({ 'x-api-key': await keyWith('agents_run') }, '?types=evaluation_run');
  const at = await newSet(question('One?'), question('Two?'));
  await good('POST', `${at}/cases`, question('Three?'));
  await events.heard('evaluation.updated', at.split('/').at(-1));
  const run = await finished(at);
  await until(
    async () => events.events,
    (all) => all.some(({ event, data }) => event === 'evaluation_run.status' && data.status === 'completed'),
  );
  const steps = events.events.filter(({ event }) => event === 'evaluation_run.progress');
  assert.deepEqual(
    steps.map(({ target_id, data }) => [target_id, data.count, data.progress]),
    [
      [run.id, 1, 33],
      [run.id, 2, 67],
      [run.id, 3, 100],
    ],
  );
  assert.deepEqual(unseen.names(), ['ready']);
  for (const stream of [events, unseen]) stream.stop();
});
