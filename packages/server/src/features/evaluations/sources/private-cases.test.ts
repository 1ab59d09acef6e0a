import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;
type Caller = ReturnType<typeof as> | { key: string };

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const people = await makePeopleIn(app);
const { server, name } = await app.provider();
/** Stands in the question and in every answer. */
const word = 'marmalade';
server.answers = () => ({ text: `The ${word} takes five days` });
const admin = { key: app.admin };

async function good(method: string, path: string, body: unknown, by: Caller): Promise<Json> {
  const answer = await app.call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const definition = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, pii_anonimization: [] };
const agent = await good('POST', '/v1/agents', { name: 'Shop', definition }, admin);
const [editor, other] = [await people.aMember('Editor'), await people.aMember('Editor')];
const [asEditor, asOther] = [as(editor.cookie), as(other.cookie)];

async function talkAs(by: Caller, said = `How long does the ${word} take?`): Promise<string> {
  const { id } = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: `About ${word}` }, by);
  await good('POST', `/v1/conversations/${id}/chat`, { content: said }, by);
  return id;
}
/** An evaluation of one case, which is made of a conversation. */
async function evaluationOf(conversation_id: string, by: Caller = admin) {
  const body = { name: 'Set', agent_id: agent.id, conversation_ids: [conversation_id] };
  const made = await good('POST', '/v1/evaluations', body, by);
  return { path: `/v1/evaluations/${made.id}`, id: made.id as string, case_id: made.cases[0].id as string };
}
async function finishedRun(path: string, by: Caller = admin): Promise<Json> {
  const { id } = await good('POST', `${path}/runs`, {}, by);
  return until('the evaluation run is over', async () => {
    const run = await good('GET', `${path}/runs/${id}`, undefined, admin);
    return run.status === 'completed' ? run : undefined;
  });
}
const waysToRead = (path: string, case_id: string, runs: readonly string[]) => [
  '/v1/evaluations?size=100',
  path,
  `${path}/cases`,
  `${path}/cases/${case_id}`,
  ...runs.map((id) => `${path}/runs/${id}`),
  `${path}/report?from=${runs[0]}&to=${runs[1]}`,
];

test('hides the words of a case from callers who may not read its conversation, and shows its verdict', async () => {
  const { path, case_id } = await evaluationOf(await talkAs(asOther));
  const runs = [await finishedRun(path), await finishedRun(path)].map(({ id }) => id);
  const mark = { passed: false, note: `No ${word}` };
  await good('PUT', `${path}/runs/${runs[0]}/results/${case_id}/mark`, mark, admin);
  for (const way of waysToRead(path, case_id, runs)) {
    const { text } = await app.call('GET', way, undefined, asEditor);
    assert.equal(text.includes(word), false, `${way}: ${text}`);
    assert.ok(text.includes('"hidden":"It is made of a conversation that you may not read"'), way);
    // The owner of the conversation and callers with conversations_read.
    for (const by of [asOther, admin]) {
      const read = await app.call('GET', way, undefined, by);
      assert.ok(read.text.includes(word), `${way}: ${read.text}`);
    }
  }
  const [result] = (await good('GET', `${path}/runs/${runs[0]}`, undefined, asEditor)).results;
  assert.deepEqual([result.case_id, result.passed, result.scores.expected], [case_id, true, 1]);
  assert.deepEqual([result.marks[0].passed, result.marks[0].note], [false, null]);
});

test('shows a case to people whom its conversation is shared with, as long as it is', async () => {
  const talk = await talkAs(asOther);
  const { path, case_id } = await evaluationOf(talk);
  const shares = `/v1/conversations/${talk}/shares`;
  const share = await good('POST', shares, { person_id: editor.id, access: 'read' }, asOther);
  const read = async () => (await app.call('GET', `${path}/cases/${case_id}`, undefined, asEditor)).text;
  assert.ok((await read()).includes(word));
  await good('DELETE', `${shares}/${share.id}`, undefined, asOther);
  assert.equal((await read()).includes(word), false);
});

test('keeps a hidden case as it is when a caller who may not read it sends the list back, and refuses a change of it', async () => {
  const { path, case_id } = await evaluationOf(await talkAs(asOther));
  const { cases } = await good('GET', path, undefined, asEditor);
  const written = { messages: ['And a refund?'], expected: 'five days', match: 'contains' };
  const changed = await good('PATCH', path, { cases: [...cases, written] }, asEditor);
  assert.equal(changed.cases.length, 2);
  const [kept, added] = (await good('GET', path, undefined, admin)).cases;
  assert.deepEqual([kept.id, kept.messages], [case_id, [`How long does the ${word} take?`]]);
  assert.deepEqual([added.messages, added.origin, added.hidden], [['And a refund?'], 'written', null]);
  const refused = await app.call('PATCH', `${path}/cases/${case_id}`, { expected: 'x' }, asEditor);
  assert.deepEqual([refused.status, refused.json.code], [403, 'case_hidden']);
  const empty = await app.call('PATCH', path, { cases: [{ messages: [] }] }, asEditor);
  assert.equal(empty.status, 422);
});

test('the words of a case that fails before publishing are hidden from an Editor who may not read its conversation', async () => {
  const { path, id } = await evaluationOf(await talkAs(asOther));
  await good('PATCH', path, { name: 'Gate' }, admin);
  await good('PUT', `/v1/agents/${agent.id}/publish-gate`, { evaluation_id: id }, admin);
  server.answers = () => ({ text: `Nothing of ${word} fits here at all` });
  const publish = () => app.call('PATCH', `/v1/agents/${agent.id}`, { definition: { persona: 'New' } }, asEditor);
  const refused = await until('the run of the gate is over', async () => {
    const answer = await publish();
    return answer.json.code === 'evaluation_failed' ? answer : undefined;
  });
  server.answers = () => ({ text: `The ${word} takes five days` });
  await good('DELETE', `/v1/agents/${agent.id}/publish-gate`, undefined, admin);
  assert.equal(refused.text.includes(word), false, refused.text);
  assert.equal(JSON.stringify(refused.json).includes('"passed":0'), true);
});

test('deletes cases and their results with the conversation that they are made of', async () => {
  const talk = await talkAs(asOther);
  const { path, case_id } = await evaluationOf(talk);
  const runs = [await finishedRun(path), await finishedRun(path)].map(({ id }) => id);
  await good('DELETE', `/v1/conversations/${talk}`, undefined, asOther);
  for (const way of waysToRead(path, case_id, runs)) {
    const { text } = await app.call('GET', way, undefined, admin);
    if (way !== '/v1/evaluations?size=100') assert.equal(text.includes(word), false, `${way}: ${text}`);
  }
  assert.deepEqual((await good('GET', path, undefined, admin)).cases, []);
  const { results, summary } = await good('GET', `${path}/runs/${runs[0]}`, undefined, admin);
  assert.deepEqual([results, summary.cases], [[], 0]);
  const stored = await app.query(
    'select r.result::text as text from evaluation_results r join evaluation_runs e on e.id = r.evaluation_run_id where e.evaluation_id = $1 union all select cases::text from evaluation_runs where evaluation_id = $1 union all select cases::text from evaluations where id = $1',
    [path.split('/').at(-1)],
  );
  assert.equal(JSON.stringify(stored).includes(word), false);
});

test('the owner of the conversation releases a case, whose personal data is replaced and which then outlives it', async () => {
  const talk = await talkAs(asOther);
  const { path, case_id } = await evaluationOf(talk);
  const run = await finishedRun(path);
  await good('PATCH', `${path}/cases/${case_id}`, { criteria: 'Names anna.berg@corp-mail.com' }, admin);
  const release = `${path}/cases/${case_id}/release`;
  const refused = await app.call('POST', release, {}, asEditor);
  assert.deepEqual([refused.status, refused.json.code], [403, 'not_owner']);
  const released = await good('POST', release, {}, asOther);
  assert.deepEqual([released.origin, released.criteria], ['released', 'Names <EMAIL_ADDRESS_1>']);
  assert.ok(Math.abs(Date.parse(released.released_at) - Date.now()) < 60_000);
  assert.deepEqual((await good('GET', `${path}/runs/${run.id}`, undefined, admin)).results, []);
  await good('DELETE', `/v1/conversations/${talk}`, undefined, asOther);
  const read = await good('GET', `${path}/cases/${case_id}`, undefined, asEditor);
  assert.deepEqual([read.messages, read.hidden], [[`How long does the ${word} take?`], null]);
  const again = await app.call('POST', release, {}, admin);
  assert.deepEqual([again.status, again.json.code], [409, 'already_released']);
});

test('shows cases whose source is not known to callers with runs_read_all only, who may release them', async () => {
  const body = { name: 'Old', agent_id: agent.id, cases: [] };
  const { id } = await good('POST', '/v1/evaluations', body, admin);
  // As a version without sources has stored it.
  const old = [{ id: agent.id, messages: [`About ${word}`], match: 'similar' }];
  await app.query('update evaluations set cases = $2 where id = $1', [id, JSON.stringify(old)]);
  const path = `/v1/evaluations/${id}/cases/${agent.id}`;
  const hidden = await good('GET', path, undefined, asEditor);
  assert.deepEqual([hidden.origin, hidden.messages], ['unknown', []]);
  assert.match(hidden.hidden, /source is not known/);
  assert.deepEqual((await good('GET', path, undefined, admin)).messages, [`About ${word}`]);
  assert.equal((await app.call('POST', `${path}/release`, {}, asEditor)).status, 403);
  await good('POST', `${path}/release`, {}, admin);
  assert.deepEqual((await good('GET', path, undefined, asEditor)).messages, [`About ${word}`]);
});

test('the erasure of a person deletes the cases that are made of their words and counts them', async () => {
  const gone = await people.aMember('Editor');
  const own = await evaluationOf(await talkAs(as(gone.cookie)));
  const shared = await talkAs(asOther, 'Is anybody there?');
  const share = { person_id: gone.id, access: 'write' };
  await good('POST', `/v1/conversations/${shared}/shares`, share, asOther);
  await good('POST', `/v1/conversations/${shared}/chat`, { content: `My ${word}` }, as(gone.cookie));
  const joined = await evaluationOf(shared);
  const { id } = await good('POST', `/v1/admin/users/${gone.id}/erase`, {}, admin);
  const job = await until('the erasure is over', async () => {
    const seen = await good('GET', `/v1/data-jobs/${id}`, undefined, admin);
    return seen.status === 'done' || seen.status === 'failed' ? seen : undefined;
  });
  assert.deepEqual([job.status, job.report.evaluation_cases], ['done', 2]);
  for (const { path } of [own, joined]) assert.deepEqual((await good('GET', path, undefined, admin)).cases, []);
});
