import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge, flowsOf, watchedNodes } from '../testing.ts';

const { watched, nodes } = watchedNodes();
const app = await testApp({ web_allow: ['127.0.0.1'] }, { nodes });
const { call } = app;
const { flow, sync } = flowsOf(call);

const greeting = () =>
  flow(
    [
      aNode('in', 'InputNode', { label: 'Author' }),
      aNode('text', 'ComposeTextNode', { template: 'Hello ((who)), ((Author))!' }),
      aNode('out', 'OutputNode', { label: 'Greeting' }),
    ],
    ['in.output -> text.variables[who]', 'text.output -> out.input'],
  );

test('starts a workflow over HTTP, runs it to its end and stores its output', async () => {
  const id = await greeting();
  const { status, json: begun } = await call('POST', `/v1/workflows/${id}/runs`, { input: { Author: 'Ada' } });
  assert.equal(status, 200);
  assert.deepEqual([begun.workflow_id, begun.kind, begun.finished_at], [id, 'workflow', null]);
  const text = (await call('GET', `/v1/runs/${begun.id}/events`)).text;
  const frames = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  assert.equal(frames.at(-1).data.workflow_status, 'completed');
  assert.ok(frames.every(({ redisId }) => /^\d+-\d+$/.test(redisId)));
  const { json: run } = await call('GET', `/v1/workflows/${id}/runs/${begun.id}`);
  assert.deepEqual(run.output, {
    'out::output': { text: 'Hello Ada, Ada!', label: 'Greeting', value: 'Hello Ada, Ada!' },
  });
  assert.deepEqual([run.status, run.progress], ['completed', 100]);
  assert.deepEqual(run.progress_details.executed_nodes, ['in', 'text', 'out']);
  assert.deepEqual(Object.keys(run.progress_details), [
    ...['executed_nodes', 'remaining_nodes', 'running_nodes', 'skipped_nodes', 'error_handler_nodes'],
    ...['per_node_progress', 'per_edge_progress', 'per_edge_counts', 'subflow_executions', 'run_logs'],
  ]);
  const { usage, agent, version, trigger_id, actor, person, parent_run_id, ...item } = (
    await call('GET', `/v1/runs/${begun.id}`)
  ).json;
  assert.deepEqual(item, run);
  assert.deepEqual(
    [usage.tokens, agent, version, trigger_id, person, parent_run_id],
    [0, null, null, null, null, null],
  );
  assert.equal(actor.kind, 'service_account_key');
  assert.deepEqual((await call('GET', `/v1/workflows/${id}/run/${begun.id}`)).json, run);
  const etag = frames[1].redisId;
  const rest = (await call('GET', `/v1/runs/${begun.id}/events?etag=${etag}`)).text;
  assert.equal(rest.match(/redisId/g)?.length, frames.length - 2);
});

test('takes inputs by label, by id and by id with the name of the input; they win over fixed values', async () => {
  const id = await greeting();
  for (const input of [{ Author: 'Ada' }, { in: 'Ada' }, { 'in::input': 'Ada' }])
    assert.equal(
      (await sync(id, input, '?output_only=true')).Greeting.text,
      'Hello Ada, ((Author))!'.replace('((Author))', 'Ada'),
    );
  const ids = await sync(id, { Author: 'Bo' }, '?output_only=true&use_output_ids=true');
  assert.equal(ids['out::output'].text, 'Hello Bo, Bo!');
});

test('answers a request for the output alone with the reason and the run when there is none', async () => {
  watched.failing = true;
  const failing = await flow([aNode('f', 'FlakyNode'), aNode('o', 'OutputNode')], ['f.output -> o.input']);
  const waiting = await flow(
    [aNode('ask', 'ApprovalNode', { question: '?' }), aNode('o', 'OutputNode')],
    ['ask.approved -> o.input'],
  );
  const alone = async (id: string) => {
    const headers = { 'idempotency-key': `alone ${id}`.replace(' ', '-') };
    const ask = () => call('POST', `/v1/workflows/${id}/runs/sync?output_only=true`, {}, { headers });
    const first = await ask();
    assert.deepEqual((await ask()).json, first.json, 'it is not run again');
    const { json: runs } = await call('GET', `/v1/workflows/${id}/runs`);
    const [{ created_at }] = runs.items.slice(-1);
    const counted = async (search: string) =>
      (await call('GET', `/v1/workflows/${id}/runs?${search}`)).json.items.length;
    assert.equal(await counted(`created_after=${created_at}`), runs.items.length);
    assert.equal(await counted(`created_before=${created_at}`), 0);
    assert.equal(runs.total, 1);
    return { ...first, run: runs.items[0] };
  };
  const failed = await alone(failing);
  const { id, error } = failed.run;
  assert.deepEqual(
    [failed.status, failed.json],
    [409, { detail: `The run ${id} failed at the node f (flaky): ${error.message}`, code: 'run_failed' }],
  );
  const asked = await alone(waiting);
  assert.deepEqual([asked.status, asked.json.code], [409, 'awaiting_human_feedback']);
  assert.ok(asked.json.detail.includes(`/v1/runs/${asked.run.id}/approvals`));
  const whole = await call('POST', `/v1/workflows/${failing}/runs/sync`, {});
  assert.deepEqual([whole.status, whole.json.status], [200, 'failed'], 'the run itself says how it stands');
});

test('a condition skips one branch, and a merge joins both', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('if', 'ConditionNode', { expression: 'number(value) > 3' }),
      aNode('big', 'ComposeTextNode', { template: 'big ((v))' }),
      aNode('small', 'ComposeTextNode', { template: 'small ((v))' }),
      aNode('merge', 'MergeNode', { mode: 'text' }),
      aNode('out', 'OutputNode'),
    ],
    [
      'in.output -> if.value',
      'if.true -> big.variables[v]',
      'if.false -> small.variables[v]',
      'big.output -> merge.values[a]',
      'small.output -> merge.values[b]',
      'merge.output -> out.input',
    ],
  );
  const run = await sync(id, { n: 5 });
  assert.equal(run.output.out.text, 'big 5');
  assert.deepEqual(run.progress_details.skipped_nodes, ['small']);
  assert.equal((await sync(id, { n: 2 })).output.out.text, 'small 2');
});

test('a loop runs its body for each item, also in parallel, and collects the results in order', async () => {
  const definition = (config: object) =>
    flow(
      [
        aNode('in', 'InputNode', { label: 'list', type: 'list' }),
        aNode('loop', 'LoopNode', config as Record<string, unknown>),
        aNode('each', 'ComposeTextNode', { template: '((i)):((x))((Suffix))' }),
        aNode('suffix', 'InputNode', { label: 'Suffix', fixed_value: true, value: '!' }),
        aNode('out', 'OutputNode', { label: 'out' }),
      ],
      [
        'in.output -> loop.list',
        'loop.item -> each.variables[x]',
        'loop.index -> each.variables[i]',
        'suffix.output -> each.variables[Suffix]',
        'each.output -> loop.result',
        'loop.results -> out.input',
      ],
    );
  const expected = ['0:a!', '1:b!', '2:c!'];
  for (const config of [{}, { at_once: 3 }]) {
    const run = await sync(await definition(config), { list: ['a', 'b', 'c'] });
    assert.deepEqual(run.output.out.value, expected);
    assert.equal(run.progress_details.per_node_progress.each.times, 3);
  }
  const short = await sync(await definition({ max_items: 2 }), { list: [1, 2, 3] });
  assert.equal(short.error.code, 'too_many_items');
});

test('a nested workflow returns its outputs by their labels', async () => {
  const inner = await greeting();
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'name' }),
      aNode('sub', 'SubWorkflowNode', { workflow_id: inner }),
      aNode('out', 'OutputNode', { label: 'out' }),
    ],
    ['in.output -> sub.inputs[Author]', 'sub.output -> out.input'],
  );
  const run = await sync(id, { name: 'Ada' });
  assert.deepEqual(run.output.out.value, { Greeting: 'Hello Ada, Ada!' });
  assert.deepEqual(run.progress_details.subflow_executions, { sub: [{ workflow_id: inner, executed: 3 }] });
});

test('a delay returns its value after the given time', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('wait', 'DelayNode', { seconds: 0.2 }),
      aNode('out', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> wait.value', 'wait.output -> out.input'],
  );
  const started = Date.now();
  assert.equal((await sync(id, { n: 'x' })).output.o.text, 'x');
  assert.ok(Date.now() - started >= 190);
});

test('reads a variable of the workspace by its name', async () => {
  await call('POST', '/v1/variables', { name: 'city', type: 'string', source: 'inline', inline_value: 'Oslo' });
  const id = await flow(
    [aNode('v', 'VariableNode', { name: 'city' }), aNode('o', 'OutputNode')],
    ['v.output -> o.input'],
  );
  assert.equal((await sync(id)).output.o.value, 'Oslo');
});

test('a switch takes the output of the first expression that holds', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('sw', 'SwitchNode', { cases: ['value == "a"', 'value == "b"'] }),
      aNode('one', 'OutputNode', { label: 'one' }),
      aNode('two', 'OutputNode', { label: 'two' }),
      aNode('other', 'OutputNode', { label: 'other' }),
    ],
    ['in.output -> sw.value', 'sw.case_1 -> one.input', 'sw.case_2 -> two.input', 'sw.otherwise -> other.input'],
  );
  for (const [n, label] of [
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'other'],
  ])
    assert.deepEqual(Object.keys((await sync(id, { n }, '?output_only=true')) as object), [label]);
});

test('a failure goes to on_error if that is connected, else to the error handler node, else it fails the run', async () => {
  watched.failing = true;
  const caught = await flow(
    [aNode('f', 'FlakyNode'), aNode('ok', 'OutputNode', { label: 'ok' }), aNode('bad', 'OutputNode', { label: 'bad' })],
    ['f.output -> ok.input', 'f.on_error -> bad.input'],
  );
  const run = await sync(caught);
  assert.deepEqual([run.status, run.output.bad.value.code], ['completed', 'flaky']);
  const handled = await flow(
    [
      aNode('f', 'FlakyNode'),
      aNode('ok', 'OutputNode', { label: 'ok' }),
      aNode('h', 'ErrorHandlerNode'),
      aNode('bad', 'OutputNode', { label: 'bad' }),
    ],
    ['f.output -> ok.input', 'h.error -> bad.input'],
  );
  const second = await sync(handled);
  assert.deepEqual([second.status, second.output.bad.value.node_id], ['completed', 'f']);
  assert.deepEqual(second.progress_details.error_handler_nodes, ['h']);
  watched.failing = false;
  assert.deepEqual(Object.keys((await sync(handled, {}, '?output_only=true')) as object), ['ok']);
});

test('the input of a run never replaces a value of another node', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('check', 'JsonTransformNode', { expression: 'value == "safe"' }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> check.value', 'check.output -> o.input'],
  );
  const forged = { n: 'evil', 'check::value': 'safe', 'o::input': 'true' };
  const run = await sync(id, forged);
  assert.equal(run.output.o.value, false);
  // A node that runs alone gets its inputs from the input of the run.
  const alone = await sync(id, { 'check::value': 'safe' }, '', { single_node_id: 'check' });
  assert.equal(alone.output.check.value, true);
});

test('a traced run logs the inputs and outputs of its nodes, large ones shortened', async () => {
  const id = await flow(
    [aNode('in', 'InputNode', { label: 'n' }), aNode('o', 'OutputNode', { label: 'o' })],
    ['in.output -> o.input'],
  );
  const run = await sync(id, { n: 'x'.repeat(100_000) }, '', { tracing: true });
  const lines = Object.values(run.progress_details.run_logs).flat() as string[];
  assert.match(lines[0] ?? '', /^inputs: .*xxx/);
  assert.ok(lines.every((line) => line.length <= 10_000));
  assert.equal(run.output.o.value.length, 100_000);
});

test('retries a node by its config', async () => {
  watched.failing = true;
  const id = await flow(
    [aNode('f', 'FlakyNode', { max_retries: 2, retry_delay: 0.01 }), aNode('o', 'OutputNode')],
    ['f.output -> o.input'],
  );
  const run = await sync(id);
  assert.equal(run.status, 'failed');
  assert.equal(run.progress_details.run_logs.f.filter((line: string) => line.startsWith('Try')).length, 2);
});

test('a run of some nodes takes missing values from its input', async () => {
  const id = await greeting();
  const run = await sync(id, { 'text::variables': { who: 'you' }, Author: 'A' }, '?use_output_ids=true', {
    single_node_id: 'text',
  });
  assert.equal(run.output['text::output'].text, 'Hello you, A!');
  assert.equal(
    (await call('POST', `/v1/workflows/${id}/runs`, { node_ids: ['nobody'] })).json.detail[0].loc.join('.'),
    'body.node_ids.0',
  );
});

test('stores large values apart from the journal and reads them back whole', async () => {
  const id = await greeting();
  const long = 'x'.repeat(100_000);
  const run = await sync(id, { Author: long });
  assert.equal(run.output.Greeting.text, `Hello ${long}, ${long}!`);
  const [{ size }] = await app.query('select sum(length(events)) as size from workflow_journal where run_id = $1', [
    run.id,
  ]);
  assert.ok(Number(size) < 5000, `the journal has ${size} characters`);
});

test('starts one run for repeated requests with one Idempotency-Key', async () => {
  const id = await greeting();
  const headers = { 'idempotency-key': 'once' };
  const ask = () => call('POST', `/v1/workflows/${id}/runs`, { input: { Author: 'Ada' } }, { headers });
  const [first, second] = [await ask(), await ask()];
  assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text]);
  const whole = () =>
    call(
      'POST',
      `/v1/workflows/${id}/runs/sync`,
      { input: { Author: 'Bo' } },
      { headers: { 'idempotency-key': 'sync' } },
    );
  const [one, two] = [await whole(), await whole()];
  assert.deepEqual([one.json.status, two.text], ['completed', one.text]);
  assert.equal((await call('GET', `/v1/workflows/${id}/runs`)).json.total, 2);
});

test('serves runs of both kinds at /v1/runs, each to callers that may run its kind', async () => {
  const place = await app.workspace();
  const group = `/v1/admin/groups/${place.id}/api-keys`;
  const only = async (...permissions: string[]) =>
    (await call('POST', group, { name: 'x', permissions, reach: 'workspace' })).json.value;
  const [flows, agents, neither] = [await only('flows_run'), await only('agents_run'), await only('files_read')];
  const own = { key: place.key };
  const { json: made } = await call('POST', '/v1/workflows', {}, own);
  const { json: run } = await call('POST', `/v1/workflows/${made.id}/runs/sync`, {}, own);
  const { json: talk } = await call('POST', '/v1/conversations', { settings: { model: ['atrium/extractive'] } }, own);
  await call('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' }, own);
  const kinds = async (key: string, query = '') =>
    (await call('GET', `/v1/runs${query}`, undefined, { key })).json.items.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(await kinds(place.key), ['conversation', 'workflow']);
  assert.deepEqual([await kinds(flows), await kinds(agents)], [['workflow'], ['conversation']]);
  assert.deepEqual(await kinds(place.key, '?kind=workflow'), ['workflow']);
  assert.deepEqual(await kinds(place.key, '?page=2&size=1'), ['workflow']);
  const status = async (key: string) => (await call('GET', `/v1/runs/${run.id}`, undefined, { key })).status;
  assert.deepEqual([await status(flows), await status(agents), await status(neither)], [200, 404, 403]);
  assert.equal((await call('GET', '/v1/runs', undefined, { key: neither })).status, 403);
});

suite('what people are asked in a workspace', () => {
  const model = ['atrium/extractive'];
  const question = 'Really?';
  /** A workspace with a conversation and, later, a workflow that wait for an approval. */
  async function waiting() {
    const place = await app.workspace();
    const at = { key: place.key };
    const only = async (...permissions: string[]) => (await makeAccountKey(app, place.id, permissions)).value;
    const list = async (query = '', key = place.key) =>
      (await call('GET', `/v1/approvals${query}`, undefined, { key })).json;
    const tools = [{ type: 'clock', requires_approval: true }];
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Ada', definition: { model, tools } }, at);
    const { json: talk } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'A talk' }, at);
    // This model calls the tool that a message names.
    const said = await call('POST', `/v1/conversations/${talk.id}`, { content: 'Now', tool: 'clock_now' }, at);
    assert.equal(said.json.status, 'awaiting_human_feedback');
    const nodes = [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('ask', 'ApprovalNode', { question, wait_seconds: 900, permission: 'flows_edit', four_eyes: true }),
    ];
    const definition = { nodes, edges: [anEdge('in.output -> ask.value')] };
    const { json: flow } = await call('POST', '/v1/workflows', { name: 'A flow', definition }, at);
    const { json: run } = await call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { n: 'seven' } }, at);
    assert.equal(run.status, 'awaiting_human_feedback');
    return { at, only, list, agent, talk, flow, run };
  }
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  test('lists approvals of both kinds, the latest first, with all that is needed to decide', async () => {
    const { at, list, agent, talk, flow, run } = await waiting();
    const { items, ...page } = await list();
    assert.deepEqual(page, { total: 2, page: 1, size: 50, pages: 1, next: null });
    const [step, tool] = items;
    const { json: ofTalk } = await call('GET', `/v1/conversations/${talk.id}/approvals`, undefined, at);
    // The scope of an approval is known once it is given, so the list of waiting approvals does not have it.
    const { scope: __, scope_ended_at: ___, ...waitingCall } = ofTalk.items[0];
    assert.partialDeepStrictEqual(tool, {
      ...waitingCall,
      ...{ kind: 'conversation', type: 'approval', needs: 'agents_run', four_eyes: false, question: null },
      ...{ conversation_name: 'A talk', agent_id: agent.id, agent_name: 'Ada', workflow_id: null, node_id: null },
    });
    const { json: ofRun } = await call('GET', `/v1/runs/${run.id}/approvals`, undefined, at);
    const { decision: _, ...asked } = ofRun[0];
    assert.partialDeepStrictEqual(step, {
      ...{ ...asked, question, details: 'seven', needs: 'flows_edit', four_eyes: true },
      ...{ kind: 'workflow', type: 'approval', status: 'pending', workflow_id: flow.id, workflow_name: 'A flow' },
      ...{ run_id: run.id, node_id: 'ask', conversation_id: null, agent_id: null, tool: null, arguments: null },
    });
    assert.deepEqual(idsOf(await list('?kind=conversation')), [tool.id]);
    assert.deepEqual(idsOf(await list('?kind=workflow')), [step.id]);
    const second = await list('?page=2&size=1');
    assert.deepEqual([idsOf(second), second.total, second.pages], [[tool.id], 2, 2]);
    assert.deepEqual(idsOf(await list('?page=3&size=1')), []);
  });

  test('lists an approval to callers that may run its kind, in its own workspace', async () => {
    const { only, list } = await waiting();
    const kinds = async (...permissions: string[]) =>
      (await list('', await only(...permissions))).items.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(
      [await kinds('agents_run', 'conversations_read'), await kinds('flows_run')],
      [['conversation'], ['workflow']],
    );
    assert.equal((await list('?kind=workflow', await only('agents_run'))).total, 0);
    const neither = await only('files_read');
    assert.equal((await call('GET', '/v1/approvals', undefined, { key: neither })).status, 403);
    const elsewhere = await app.workspace();
    assert.deepEqual((await list('?status=all', elsewhere.key)).items, []);
  });

  test('removes a decided approval from the list, and finds it by its status', async () => {
    const { at, only, list, talk, run } = await waiting();
    const [step, tool] = idsOf(await list());
    const no = { decision: 'reject', note: 'No' };
    const key = await only('flows_run', 'flows_edit');
    assert.equal((await call('POST', `/v1/runs/${run.id}/approvals/${step}`, no, { key })).status, 200);
    assert.deepEqual(idsOf(await list()), [tool]);
    const yes = { decision: 'approve' };
    assert.equal((await call('POST', `/v1/conversations/${talk.id}/approvals/${tool}`, yes, at)).status, 200);
    assert.equal((await list()).total, 0);
    assert.deepEqual([idsOf(await list('?status=approved')), idsOf(await list('?status=rejected'))], [[tool], [step]]);
    assert.partialDeepStrictEqual((await list('?status=rejected')).items, [{ status: 'rejected', note: 'No' }]);
    assert.deepEqual(idsOf(await list('?status=all')), [step, tool]);
    assert.deepEqual(idsOf(await list('?status=decided')), [step, tool]);
    assert.equal((await call('GET', '/v1/approvals?status=approve', undefined, at)).status, 422);
  });

  test('removes an approval when its time or its run is over', async () => {
    const late = await waiting();
    const ids = idsOf(await late.list());
    for (const table of ['human_requests', 'workflow_approvals'])
      await app.query(`update ${table} set expires_at = now() - interval '1 second' where id = any($1)`, [ids]);
    assert.equal((await late.list()).total, 0);
    assert.deepEqual(idsOf(await late.list('?status=expired')), ids);

    const { at, list, talk, run } = await waiting();
    const asked = idsOf(await list());
    await call('POST', `/v1/conversations/${talk.id}/stop`, undefined, at);
    await call('POST', `/v1/runs/${run.id}/stop`, undefined, at);
    assert.equal((await list()).total, 0);
    assert.deepEqual(idsOf(await list('?status=withdrawn')), asked);
  });
});

test('filters runs by status and by what they belong to', async () => {
  const { key } = await app.workspace();
  const own = { key };
  const failing = await flow(
    [aNode('in', 'InputNode', { label: 'Author' }), aNode('f', 'JsonTransformNode', { expression: 'number(value)' })],
    ['in.output -> f.value'],
    {},
    key,
  );
  const fine = await flow([aNode('text', 'ComposeTextNode', { template: 'Hello' })], [], {}, key);
  const idle = await flow([], [], {}, key);
  const flows = [await sync(failing, { Author: 'Bo' }, '', {}, key), await sync(failing, { Author: '1' }, '', {}, key)];
  flows.push(await sync(fine, {}, '', {}, key));
  assert.deepEqual(
    flows.map(({ status }) => status),
    ['failed', 'completed', 'completed'],
  );
  const make = async (path: string, body: object) => (await call('POST', path, body, own)).json.id as string;
  const agent = await make('/v1/agents', { name: 'a', definition: { model: ['nobody/none'] } });
  const silent = await make('/v1/agents', { name: 'b' });
  const of = await make(`/v1/conversations?assistant_id=${agent}`, {});
  const alone = await make('/v1/conversations', { settings: { model: ['atrium/extractive'] } });
  for (const id of [of, alone]) await call('POST', `/v1/conversations/${id}`, { content: 'Hello' }, own);
  const list = (search: string, as = own) => call('GET', `/v1/runs?${search}`, undefined, as);
  const [failed, second] = [flows[0].id, flows[1].id];
  const found = async (search: string) => {
    const { status, json } = await list(search);
    assert.equal(status, 200, search);
    assert.equal(json.total, json.items.length);
    return json.items.map((run: { id: string; conversation_id?: string }) => run.conversation_id ?? run.id);
  };
  assert.deepEqual(await found('status=failed'), [of, failed]);
  assert.deepEqual(await found('status=completed'), [alone, flows[2].id, second]);
  assert.deepEqual(await found('status=failed&kind=workflow'), [failed]);
  assert.deepEqual(await found('status=queued'), []);
  assert.deepEqual(await found(`conversation_id=${alone}`), [alone]);
  assert.deepEqual(await found(`conversation_id=${alone}&status=failed`), []);
  assert.deepEqual(await found(`assistant_id=${agent}`), [of]);
  assert.deepEqual(await found(`assistant_id=${agent}&conversation_id=${alone}`), []);
  assert.deepEqual(await found(`assistant_id=${silent}`), []);
  assert.deepEqual(await found(`workflow_id=${failing}`), [second, failed]);
  assert.deepEqual(await found(`workflow_id=${failing}&status=failed`), [failed]);
  assert.deepEqual(await found(`workflow_id=${idle}`), []);
  assert.deepEqual(await found(`workflow_id=${failing}&conversation_id=${of}`), []);
  const { json: mine } = await call('GET', `/v1/workflows/${failing}/runs?status=completed`, undefined, own);
  assert.deepEqual([mine.total, mine.items[0].id], [1, second]);
  assert.equal((await list('status=done')).status, 422);
  const stranger = await app.workspace();
  for (const search of [`conversation_id=${of}`, `assistant_id=${agent}`, `workflow_id=${failing}`])
    assert.equal((await list(search, { key: stranger.key })).status, 404, search);
});

test('escapes a secret in JSON, and scrubs it from the answer', async () => {
  const bodies: string[] = [];
  const service = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const said = request.url === '/json' ? JSON.stringify({ [body]: body }) : `I was sent ${body}`;
    const type = request.url === '/json' ? 'application/json' : 'text/plain';
    response.writeHead(200, { 'content-type': type }).end(said);
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  after(() => void service.close());
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const core = 'c0re-0123456789';
  const secret = `quo"te \\${core}\nand/another <line> é`;
  const variable = { name: 'PASS', inline_value: secret, is_secret: true, type: 'string', source: 'inline' };
  assert.equal((await call('POST', '/v1/variables', variable)).status, 200);
  const body = '{"login": "user {{secret.PASS}}", "note": "for ((Name)),\nin two lines", "list": ((List))}';
  const post = { method: 'POST', body };
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'Name' }),
      aNode('list', 'InputNode', { label: 'List' }),
      aNode('json', 'HttpRequestNode', { ...post, url: `${url}/json` }),
      aNode('text', 'HttpRequestNode', { ...post, url: `${url}/text` }),
      aNode('header', 'HttpRequestNode', { ...post, url, headers: { 'x-key': '{{secret.PASS}}' } }),
      aNode('o', 'OutputNode', { label: 'json' }),
      aNode('p', 'OutputNode', { label: 'text' }),
      aNode('q', 'OutputNode', { label: 'refused' }),
    ],
    [
      ...['json', 'text', 'header'].flatMap((to) => [
        `in.output -> ${to}.variables[Name]`,
        `list.output -> ${to}.variables[List]`,
      ]),
      ...['json.body -> o.input', 'text.response -> p.input', 'header.on_error -> q.input'],
    ],
  );
  const run = await sync(id, { Name: 'Ada "the" first', List: [1, '"'] }, '', { tracing: true });
  const meant = { login: `user ${secret}`, note: 'for Ada "the" first,\nin two lines', list: [1, '"'] };
  assert.deepEqual(
    bodies.map((one) => JSON.parse(one)),
    [meant, meant],
  );
  assert.deepEqual([run.status, run.output.refused.value.node_id], ['completed', 'header']);
  assert.match(JSON.stringify(run.output.json), /user \{\{secret\.PASS\}\}/);
  const journal = await app.query('select events from workflow_journal where run_id = $1', [run.id]);
  for (const kept of [JSON.stringify(run), JSON.stringify(journal), app.logged.join('')])
    assert.ok(!kept.includes(core), kept);
});

test('a request to a private address fails with an error that names ATRIUM_WEB_ALLOW', async () => {
  const nodes = [aNode('get', 'HttpRequestNode', { url: 'http://10.0.0.1/' })];
  const { status, error } = await sync(await flow(nodes, []));
  assert.deepEqual([status, error.code], ['failed', 'private_address']);
  assert.match(error.message, /private or reserved.*ATRIUM_WEB_ALLOW/);
});

test('a node that needs a language model says how to configure one', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'Mail' }),
      aNode('c', 'ClassifyNode', { categories: ['a', 'b'] }),
      aNode('t', 'TranslateNode', { language: 'French' }),
      aNode('x', 'OutputNode', { label: 'classify' }),
      aNode('y', 'OutputNode', { label: 'translate' }),
    ],
    ['in.output -> c.input', 'in.output -> t.input', 'c.on_error -> x.input', 't.on_error -> y.input'],
  );
  const { classify, translate } = await sync(id, { Mail: 'Hello' }, '?output_only=true');
  for (const { value } of [classify, translate]) {
    assert.equal(value.code, 'model_not_configured');
    assert.match(value.message, /\/v1\/admin\/providers/);
  }
});

test('a text node without a model fails with model_not_configured and says what to do', async () => {
  const generate = async (config: object) => {
    const nodes = [aNode('g', 'TextGenerationNode', { template: 'Say hello', ...config }), aNode('o', 'OutputNode')];
    return sync(await flow(nodes, ['g.output -> o.input']));
  };
  const none = await generate({});
  assert.deepEqual([none.status, none.error.code, none.error.node_id], ['failed', 'model_not_configured', 'g']);
  assert.match(none.error.message, /add a provider at \/v1\/admin\/providers/);
  const empty = await generate({ model: [] });
  assert.equal(empty.error.code, 'model_not_configured');
  assert.match(empty.error.message, /choose one in its field `model`/);
  assert.equal((await generate({ model: ['atrium/extractive'] })).status, 'completed');
});
