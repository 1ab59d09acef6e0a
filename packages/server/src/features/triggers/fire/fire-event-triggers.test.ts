import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { countingTarget } from '../testing.ts';

const flows = countingTarget();
const app = await scriptedApp({ roles: ['http', 'worker'] }, { triggerTargets: [flows.target] });
const { call, query } = app;
const [{ workspace_id }] = await query('select workspace_id from api_keys limit 1');

const ok = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await call(method, path, body, { headers });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};

/** A workflow with an event trigger, and the inputs that it was started with so far. */
async function waiting(definition: object) {
  const workflow_id = flows.make(workspace_id);
  const trigger = await ok('POST', `/v1/workflows/${workflow_id}/triggers`, {
    definition: { type: 'event', ...definition },
  });
  const inputs = () =>
    [...flows.runs.values()].flatMap(({ target_id, input }) => (target_id === workflow_id ? [input] : []));
  return {
    id: trigger.id as string,
    inputs,
    started: (times: number) => until(`${times} started`, () => (inputs().length >= times ? inputs() : undefined)),
  };
}

/** Runs start in parallel; the ids of their deliveries are in the order of the events. */
const inOrder = (inputs: Record<string, unknown>[]) => {
  const id = (input: Record<string, unknown>) => (input['trigger'] as { delivery_id: string }).delivery_id;
  return inputs.toSorted((a, b) => id(a).localeCompare(id(b)));
};

test('starts a run for a changed row, and one run for a thousand rows of one write', async () => {
  const table = await ok('POST', '/v1/tables', { name: 'Orders', columns: [{ name: 'what', type: 'text' }] });
  const other = await ok('POST', '/v1/tables', { name: 'Others', columns: [{ name: 'what', type: 'text' }] });
  const any = await waiting({ event: 'row', table_id: table.id });
  const created = await waiting({ event: 'row.created', table_id: table.id });
  const at = `/v1/tables/${table.id}/rows`;
  const { id } = await ok('POST', at, { what: 'a pen' });
  await ok('POST', `/v1/tables/${other.id}/rows`, { what: 'unheard' });
  await ok('PATCH', `${at}/${id}`, { what: 'a book' });
  await ok('PUT', `${at}`, { on: 'what', rows: [{ what: 'a book' }, { what: 'a cup' }] });
  await ok(
    'POST',
    at,
    Array.from({ length: 1000 }, (_, n) => ({ what: `thing ${n}` })),
  );
  await ok('DELETE', `${at}/${id}`);
  const heard = inOrder(await any.started(6)).map((input) => [
    input['change'],
    input['count'],
    (input['row'] as { what: string } | null)?.what,
  ]);
  assert.deepEqual(heard, [
    ['created', 1, 'a pen'],
    ['updated', 1, 'a book'],
    ['created', 1, 'a cup'],
    ['updated', 1, 'a book'],
    ['created', 1000, undefined],
    ['deleted', 1, undefined],
  ]);
  await created.started(3);
  assert.equal(created.inputs().length, 3);
});

test('starts nothing for a write that is rolled back', async () => {
  const table = await ok('POST', '/v1/tables', { name: 'Taken', columns: [{ name: 'n', type: 'integer' }] });
  const trigger = await waiting({ event: 'row', table_id: table.id });
  const { status } = await call('POST', `/v1/tables/${table.id}/rows`, [{ n: 1 }, { n: 'x' }]);
  assert.equal(status, 422);
  await ok('POST', `/v1/tables/${table.id}/rows`, { n: 2 });
  assert.deepEqual(
    (await trigger.started(1)).map((input) => (input['row'] as { n: number }).n),
    [2],
  );
});

test('fires at the end of a conversation and at a failed run of the given agent only', async () => {
  const { name } = await app.provider({ text: 'Yes' }, { status: 400, error: 'no' }, { text: 'Yes' });
  const definition = { model: [`${name}/one`], max_retries_per_model: 0 };
  const agent = await ok('POST', '/v1/agents', { name: 'heard', definition });
  const other = await ok('POST', '/v1/agents', { name: 'unheard', definition });
  const ended = await waiting({ event: 'conversation.ended', agent_id: agent.id });
  const failed = await waiting({ event: 'run.failed', agent_id: agent.id });
  const say = async (agent_id: string) => {
    const { id } = await ok('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: 'test' });
    return ok('POST', `/v1/conversations/${id}`, { content: 'Hello' });
  };
  const first = await say(agent.id);
  const second = await say(agent.id);
  await say(other.id);
  const ends = inOrder(await ended.started(2));
  assert.deepEqual(
    ends.map(({ conversation_id, status, assistant_id }) => [conversation_id, status, assistant_id]),
    [
      [first.id, 'completed', agent.id],
      [second.id, 'failed', agent.id],
    ],
  );
  const [failure] = await failed.started(1);
  assert.equal(
    (failure as unknown as { error: { code: string } }).error.code,
    second.messages.at(-1).message_parts.at(-1).code,
  );
  assert.equal(ended.inputs().length, 2);
});

test('fires when a document is trained', async () => {
  // A summary in the background would consume an answer that is meant for an agent.
  const base = await ok('POST', '/v1/knowledge-bases', { name: 'Heard', settings_: { auto_summary: false } });
  const trained = await waiting({ event: 'document.trained', knowledge_base_id: base.id });
  const body =
    '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nPaper is white.\r\n--b--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const [run_id] = await ok('POST', `/v1/knowledge-bases/${base.id}/upload_train`, body, headers);
  const [input] = await trained.started(1);
  assert.deepEqual([input?.['name'], input?.['run_id'], input?.['knowledge_base_id']], ['a.txt', run_id, base.id]);
});

test('starts an agent in a new conversation, whose end does not fire the same trigger', async () => {
  const { name, server } = await app.provider({ text: 'I have read it' }, { text: 'And that' });
  const definition = { model: [`${name}/one`] };
  const agent = await ok('POST', '/v1/agents', { name: 'woken', definition });
  const at = `/v1/agents/${agent.id}/triggers`;
  const itself = {
    type: 'event',
    event: 'conversation.ended',
    agent_id: agent.id,
    message: 'Over: ((conversation_id))',
  };
  const loop = await ok('POST', at, { name: 'loop', definition: itself });
  const hook = { type: 'webhook', message: 'Order ((order.id)) of ((customer)): ((items))' };
  const { routing_key, id } = await ok('POST', at, { name: 'Orders', definition: hook });
  const sent = { order: { id: 17 }, customer: 'Ada', items: ['pen'] };
  assert.equal((await call('POST', `/hooks/${routing_key}`, sent, { key: null })).status, 200);
  const delivered = async (trigger_id: string) =>
    until('it has started', async () => {
      const { items } = await ok('GET', `/v1/triggers/${trigger_id}/deliveries`);
      return items[0]?.run_id ? items : undefined;
    });
  const [delivery] = await delivered(id);
  const run = await until('the run is over', async () => {
    const now = await ok('GET', `/v1/runs/${delivery.run_id}`);
    return now.finished_at ? now : undefined;
  });
  const conversation = await ok('GET', `/v1/conversations/${run.conversation_id}`);
  const [question, answer] = conversation.messages;
  assert.equal(question.message_parts[0].content, 'Order 17 of Ada: [\n "pen"\n]');
  assert.equal(answer.message_parts[0].content, 'I have read it');
  assert.deepEqual([conversation.chat_transport, conversation.name], ['trigger', 'Orders']);
  // Its end fires the second trigger, whose end fires nothing.
  const [again] = await delivered(loop.id);
  assert.equal(again.input.conversation_id, run.conversation_id);
  await until('that is over too', async () => (await ok('GET', `/v1/runs/${again.run_id}`)).finished_at);
  await until('the outbox is empty', async () => (await query('select from outbox')).length === 0);
  assert.equal((await ok('GET', `/v1/triggers/${loop.id}/deliveries`)).total, 1);
  assert.equal(server.requests.length, 2);

  await ok('DELETE', `/v1/agents/${agent.id}`);
  assert.equal((await call('POST', `/hooks/${routing_key}`, sent, { key: null })).status, 404);
  assert.equal((await call('GET', `/v1/triggers/${id}`)).status, 404);
  await ok('POST', `/v1/agents/${agent.id}/restore`);
  assert.equal((await ok('GET', at)).length, 2);
});

test('repeats a start that was not recorded, and finds the same run', async () => {
  const { name, server } = await app.provider({ text: 'Once' });
  const agent = await ok('POST', '/v1/agents', { name: 'once', definition: { model: [`${name}/one`] } });
  const made = await ok('POST', `/v1/agents/${agent.id}/triggers`, {
    definition: { type: 'webhook', message: 'Hello' },
  });
  const { id } = await ok('POST', `/v1/triggers/${made.id}/fire`, {});
  const started = () =>
    until('it has started', async () => {
      const { items } = await ok('GET', `/v1/triggers/${made.id}/deliveries`);
      return items[0].status === 'started' ? items[0].run_id : undefined;
    });
  const first = await started();
  for (const age of ['1 minute', '3 days']) {
    await query('update runs set created_at = now() - $2::interval where id = $1', [first, age]);
    const again = `update trigger_deliveries set status = 'pending', run_id = null, next_attempt_at = now() where id = $1`;
    await query(again, [id]);
    await query(`select pg_notify('atrium_bell', '["trigger-deliveries",""]')`);
    assert.equal(await started(), first);
  }
  const { total } = await ok('GET', `/v1/conversations?assistant_id=${agent.id}`);
  await until('it is over', async () => (await ok('GET', `/v1/runs/${first}`)).finished_at);
  assert.deepEqual([total, server.requests.length], [1, 1]);
});

test('does not fire for rows that the started agent changes itself', async () => {
  const table = await ok('POST', '/v1/tables', { name: 'Numbers', columns: [{ name: 'n', type: 'integer' }] });
  const input = { table: 'numbers', rows: [{ n: 2 }] };
  const { name } = await app.provider({ tool_calls: [{ name: 'tables_insert', input }] }, { text: 'Done' });
  const settings = { model: [`${name}/one`], pii_anonimization: [], tables: [{ id: table.id, access: 'write' }] };
  const agent = await ok('POST', '/v1/agents', { name: 'writer', definition: settings });
  const definition = { type: 'event', event: 'row', table_id: table.id, message: 'Look' };
  const made = await ok('POST', `/v1/agents/${agent.id}/triggers`, { definition });
  await ok('POST', `/v1/tables/${table.id}/rows`, { n: 1 });
  const [{ run_id }] = await until('it was woken', async () => {
    const { items } = await ok('GET', `/v1/triggers/${made.id}/deliveries`);
    return items[0]?.run_id ? items : undefined;
  });
  await until('it is done', async () => (await ok('GET', `/v1/runs/${run_id}`)).finished_at);
  await until('the outbox is empty', async () => (await query('select from outbox')).length === 0);
  assert.equal((await ok('GET', `/v1/tables/${table.id}/rows`)).items.length, 2);
  assert.equal((await ok('GET', `/v1/triggers/${made.id}/deliveries`)).total, 1);
});

test('filters messages of a chat service by triggers', async () => {
  const agent = await ok('POST', '/v1/agents', { name: 'in chat' });
  const at = `/v1/agents/${agent.id}/triggers`;
  const made = await ok('POST', `${at}/slack`, { team_id: 'T1', channel: 'C2', keyword: null });
  assert.deepEqual(made.definition, { type: 'slack', team_id: 'T1', channel: 'C2', keyword: null });
  assert.deepEqual([made.routing_key, made.assistant_id], ['slack:T1:C2', agent.id]);
  assert.equal((await ok('POST', `${at}/teams`, { team_id: 'T1' })).routing_key, 'teams:T1');
  assert.equal((await call('POST', `${at}/telegraph`, { team_id: 'T1' })).status, 422);
  assert.equal((await call('POST', `/v1/triggers/${made.id}/fire`, {})).status, 409);
  assert.deepEqual((await ok('GET', at)).map(({ id }: { id: string }) => id)[0], made.id);
  await ok('DELETE', `/v1/triggers/${made.id}`);
  assert.equal((await ok('GET', at)).length, 1);
});

test('writes no events when no trigger or webhook waits for them', async () => {
  const { id, key } = await app.workspace();
  const as = { key };
  const table = (await call('POST', '/v1/tables', { name: 'Quiet', columns: [{ name: 'n', type: 'integer' }] }, as))
    .json;
  const before = (await query('select nextval(pg_get_serial_sequence($1, $2)) as n', ['outbox', 'id']))[0].n;
  await call('POST', `/v1/tables/${table.id}/rows`, { n: 1 }, as);
  const after = (await query('select nextval(pg_get_serial_sequence($1, $2)) as n', ['outbox', 'id']))[0].n;
  assert.equal(Number(after), Number(before) + 1, `workspace ${id} listens to nothing`);
});
