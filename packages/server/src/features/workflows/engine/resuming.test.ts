import assert from 'node:assert/strict';
import { test } from 'node:test';
import { c } from '@atrium/contract/workflows/node-types/config-fields.ts';
import { plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { twoNodes, until } from '../../../../test/support/two-nodes.ts';
import type { App } from '../../../app.ts';
import { doJob } from '../../insights/testing.ts';
import { defineNode } from '../nodes/define-node.ts';
import { aNode, anEdge, flowsOf, watchedNodes } from '../testing.ts';

const common = { category: 'other' as const, outputs: [plain('output', { data_type: 'Custom' })] };
let told = '';
/** Sends a secret to another service, which returns it to the next caller. */
const tell = defineNode(
  nodeType({
    ...{ ...common, type: 'TellNode', title: 'Tell', description: 'Tells somebody a secret.' },
    inputs: [],
    config: { what: c.text({ description: 'What it tells' }) },
  }),
  async ({ reveal }, _, { what }) => {
    told = await reveal(what, { address: 'https://told.example/' });
    return { output: 'said' };
  },
);
const echo = defineNode(
  nodeType({
    ...{ ...common, type: 'EchoNode', title: 'Echo', description: 'Hears what was told.' },
    inputs: [plain('value')],
    config: {},
  }),
  async () => ({ output: `They say ${told}` }),
);
const rightsNode = defineNode(
  nodeType({
    ...{ ...common, type: 'RightsNode', title: 'Rights', description: 'What a step may do.' },
    inputs: [],
    config: {},
  }),
  async ({ scope }) => ({ output: [...scope.permissions].sort() }),
);

const gates = new Map<string, PromiseWithResolvers<void>>();
const gate = defineNode(
  nodeType({
    ...{ ...common, type: 'GateNode', title: 'Gate', description: 'Waits until its gate is open.' },
    inputs: [plain('name')],
    config: {},
  }),
  async (_, { name }) => {
    await gates.get(name as string)?.promise;
    return { output: name };
  },
);

const { watched, nodes } = watchedNodes();
const app = await testApp(
  { workflow_run_days: 30, roles: ['http', 'worker'] },
  { nodes: [...nodes, tell, echo, rightsNode] },
);
const two = await twoNodes({}, { nodes: [gate] });
const { call } = app;
const { flow, sync, ended } = flowsOf(call);
const inline = { type: 'string', source: 'inline' };
const { json: me } = await call('GET', '/v1/admin/me');
const keyWith = async (...permissions: string[]) => (await makeAccountKey(app, me.group_id, permissions)).value;

test('suspends the run at an approval until it is decided', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('ask', 'ApprovalNode', { question: 'Really ((n))?' }),
      aNode('yes', 'OutputNode', { label: 'yes' }),
      aNode('no', 'OutputNode', { label: 'no' }),
      aNode('why', 'OutputNode', { label: 'why' }),
    ],
    [
      'in.output -> ask.value',
      'in.output -> ask.variables[n]',
      'ask.approved -> yes.input',
      'ask.rejected -> no.input',
      'ask.decision -> why.input',
    ],
  );
  for (const [decision, label] of [
    ['approve', 'yes'],
    ['reject', 'no'],
  ] as const) {
    const run = await sync(id, { n: 5 });
    assert.equal(run.status, 'awaiting_human_feedback');
    const { json: asked } = await call('GET', `/v1/runs/${run.id}/approvals`);
    assert.deepEqual([asked.length, asked[0].question, asked[0].details], [1, 'Really 5?', '5']);
    const path = `/v1/runs/${run.id}/approvals/${asked[0].id}`;
    assert.equal((await call('POST', path, { decision, note: 'so be it' })).status, 200);
    assert.equal((await call('POST', path, { decision })).status, 409);
    await call('GET', `/v1/runs/${run.id}/events`);
    const { json: over } = await call('GET', `/v1/runs/${run.id}`);
    assert.deepEqual(
      [over.status, Object.values(over.output as Record<string, { label: string }>).map((one) => one.label)],
      ['completed', [label, 'why']],
    );
    assert.deepEqual(over.output['why::output'].value, { decision, note: 'so be it', by: me.name });
  }
});

test('stores a decision together with the wake-up of the run, or not at all', async () => {
  const id = await flow(
    [aNode('ask', 'ApprovalNode', { question: '?' }), aNode('yes', 'OutputNode', { label: 'yes' })],
    ['ask.approved -> yes.input'],
  );
  const run = await sync(id);
  const [asked] = (await call('GET', `/v1/runs/${run.id}/approvals`)).json;
  const decide = () => call('POST', `/v1/runs/${run.id}/approvals/${asked.id}`, { decision: 'approve' });
  // For the database this looks as if the process died between the two.
  await app.query(`create function dies() returns trigger language plpgsql as $$ begin raise 'gone'; end $$`);
  await app.query(`create trigger dies before update on workflow_runs for each row
    when (old.id = '${run.id}' and old.status <> 'running' and new.status = 'running') execute function dies()`);
  assert.equal((await decide()).status, 500);
  await app.query('drop function dies() cascade');
  assert.equal((await decide()).status, 200);
  assert.equal((await ended(run.id)).status, 'completed');
});

test('acts by on_timeout when no decision comes in time', async () => {
  const id = await flow(
    [
      aNode('ask', 'ApprovalNode', { question: '?', wait_seconds: 1, on_timeout: 'approve' }),
      aNode('yes', 'OutputNode', { label: 'yes' }),
    ],
    ['ask.approved -> yes.input'],
  );
  const run = await sync(id);
  assert.equal(run.status, 'completed');
});

test('retries a failed run from its failed step without repeating finished steps', async () => {
  watched.failing = true;
  watched.done.length = 0;
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('e', 'EffectNode'),
      aNode('f', 'FlakyNode'),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> e.value', 'e.output -> f.value', 'f.output -> o.input'],
  );
  const run = await sync(id, { n: 'x' });
  assert.deepEqual([run.status, run.error], ['failed', { code: 'flaky', message: 'Not now', node_id: 'f' }]);
  watched.failing = false;
  const { json: again, status } = await call('POST', `/v1/runs/${run.id}/retry`);
  assert.equal(status, 200);
  assert.deepEqual([again.retry_of, again.id === run.id], [run.id, false]);
  await call('GET', `/v1/runs/${again.id}/events`);
  const { json: over } = await call('GET', `/v1/runs/${again.id}`);
  assert.deepEqual([over.status, over.output['o::output'].text], ['completed', 'x']);
  assert.deepEqual(watched.done, [`${run.id}:e`, `${run.id}:f`]);
});

test('retries a completed run as a whole, as a new run', async () => {
  watched.done.length = 0;
  const id = await flow([aNode('e', 'EffectNode'), aNode('o', 'OutputNode')], ['e.output -> o.input']);
  const run = await sync(id);
  const { json: again } = await call('POST', `/v1/runs/${run.id}/retry`);
  await call('GET', `/v1/runs/${again.id}/events`);
  assert.equal(again.retry_of, null);
  // A new run has other keys, so its effects are done again.
  assert.deepEqual(watched.done, [`${run.id}:e`, `${again.id}:e`]);
});

test('starts the error handler when a run fails, but not for a failed error handler', async () => {
  watched.failing = true;
  const handler = await flow(
    [aNode('in', 'InputNode', { label: 'error', type: 'dict' }), aNode('f', 'FlakyNode'), aNode('o', 'OutputNode')],
    ['in.output -> f.value', 'f.output -> o.input'],
  );
  assert.equal((await call('PATCH', `/v1/workflows/${handler}`, { error_handler: handler })).status, 200);
  const id = await flow([aNode('f', 'FlakyNode'), aNode('o', 'OutputNode')], ['f.output -> o.input'], {
    error_handler: handler,
  });
  const run = await sync(id);
  for (let tries = 0; tries < 2000; tries++) {
    const { json } = await call('GET', `/v1/workflows/${handler}/runs`);
    if (json.total === 1 && json.items[0].finished_at) {
      assert.deepEqual(
        [json.items[0].handles_run, json.items[0].status, json.items[0].input.error.code],
        [run.id, 'failed', 'flaky'],
      );
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  assert.fail('the handler was not started');
});

test('stops a run', async () => {
  const id = await flow(
    [aNode('wait', 'DelayNode', { seconds: 15 }), aNode('o', 'OutputNode')],
    ['wait.output -> o.input'],
  );
  const { json: run } = await call('POST', `/v1/workflows/${id}/runs`, {});
  assert.equal((await call('POST', `/v1/runs/${run.id}/stop`)).status, 200);
  const { status, progress_details } = await ended(run.id);
  assert.equal(status, 'stopped');
  // No step of a finished run is under way.
  assert.deepEqual([progress_details.running_nodes, progress_details.remaining_nodes], [[], ['wait', 'o']]);
});

test('lets only callers with the asked permission decide, and with four eyes not the caller that started the run', async () => {
  const id = await flow(
    [
      aNode('ask', 'ApprovalNode', { question: '?', permission: 'flows_edit', four_eyes: true }),
      aNode('yes', 'OutputNode', { label: 'yes' }),
    ],
    ['ask.approved -> yes.input'],
  );
  const run = await sync(id);
  const [asked] = (await call('GET', `/v1/runs/${run.id}/approvals`)).json;
  assert.deepEqual([asked.needs, asked.four_eyes], ['flows_edit', true]);
  const decide = (key?: string) =>
    call('POST', `/v1/runs/${run.id}/approvals/${asked.id}`, { decision: 'approve' }, key ? { key } : {});
  assert.deepEqual((await decide()).status, 403, 'the one who started it');
  assert.deepEqual((await decide(await keyWith('flows_run'))).status, 403, 'one who may not');
  assert.equal((await decide(await keyWith('flows_run', 'flows_edit'))).status, 200);
  assert.equal((await ended(run.id)).status, 'completed');
});

test('with four eyes, treats the makers and manual callers of a trigger, and their rotated keys, as starters of its run', async () => {
  const keysAt = `/v1/admin/groups/${me.group_id}/api-keys`;
  const aKey = (name: string) => makeAccountKey(app, me.group_id, ['flows_run', 'flows_edit'], name);
  const [maker, firer, other] = await Promise.all([aKey('maker'), aKey('firer'), aKey('other')]);
  const id = await flow(
    [aNode('ask', 'ApprovalNode', { question: '?', four_eyes: true }), aNode('yes', 'OutputNode', { label: 'yes' })],
    ['ask.approved -> yes.input'],
  );
  const as = ({ value: key }: { value: string }) => ({ key });
  const webhook = { definition: { type: 'webhook' } };
  const trigger = (await call('POST', `/v1/workflows/${id}/triggers`, webhook, as(maker))).json;
  const asked = async (run_id: string) => {
    const [one] = await until('somebody is asked', async () => {
      const { json } = await call('GET', `/v1/runs/${run_id}/approvals`);
      return json.length ? json : undefined;
    });
    return (by: { value: string }) =>
      call('POST', `/v1/runs/${run_id}/approvals/${one.id}`, { decision: 'approve' }, as(by));
  };
  const fired = (await call('POST', `/v1/triggers/${trigger.id}/fire`, {}, as(firer))).json;
  const decide = await asked(fired.id);
  const refused = await decide(firer);
  assert.deepEqual([refused.status, refused.json.code], [403, 'four_eyes']);
  assert.equal((await decide(maker)).status, 403, 'it acts for whoever made it');
  let rotated = firer;
  for (let time = 0; time < 2; time++) {
    rotated = (await call('POST', `${keysAt}/${rotated.id}/rotate`, { overlap_seconds: 600 })).json;
    assert.equal((await decide(rotated)).status, 403, 'another value is not another person');
  }
  assert.equal((await decide(other)).status, 200);
  const again = (await call('POST', `/v1/triggers/${trigger.id}/deliveries/${fired.id}/redeliver`, {}, as(other))).json;
  const decideAgain = await asked(again.id);
  assert.equal((await decideAgain(other)).status, 403, 'who has it delivered again starts the run');
  assert.equal((await decideAgain(firer)).status, 200);
});

test('scrubs a secret that was revealed before the run was suspended', async () => {
  await call('POST', '/v1/variables', { name: 'KEY', inline_value: 's3cret-value', is_secret: true, ...inline });
  const id = await flow(
    [
      aNode('tell', 'TellNode', { what: '{{secret.KEY}}' }),
      aNode('ask', 'ApprovalNode', { question: '?' }),
      aNode('echo', 'EchoNode'),
      aNode('out', 'OutputNode', { label: 'out' }),
    ],
    ['tell.output -> ask.value', 'ask.approved -> echo.value', 'echo.output -> out.input'],
  );
  const run = await sync(id);
  const [asked] = (await call('GET', `/v1/runs/${run.id}/approvals`)).json;
  await call('POST', `/v1/runs/${run.id}/approvals/${asked.id}`, { decision: 'approve' });
  const { output } = await ended(run.id);
  assert.equal(told, 's3cret-value');
  assert.equal(output['out::output'].value, 'They say {{secret.KEY}}');
});

test('a nested workflow has its own variables and continues with the graph that it began with', async () => {
  await call('POST', '/v1/variables', { name: 'city', inline_value: 'Oslo', ...inline });
  const inner = (template: string) => ({
    nodes: [
      aNode('ask', 'ApprovalNode', { question: '?' }),
      aNode('text', 'ComposeTextNode', { template }),
      aNode('out', 'OutputNode', { label: 'where' }),
    ],
    edges: ['ask.approved -> text.variables[x]', 'text.output -> out.input'].map(anEdge),
  });
  const { json: sub } = await call('POST', '/v1/workflows', { definition: inner('In {{city}}') });
  const id = await flow(
    [aNode('sub', 'SubWorkflowNode', { workflow_id: sub.id }), aNode('out', 'OutputNode', { label: 'out' })],
    ['sub.output -> out.input'],
  );
  const run = await sync(id);
  await call('PATCH', `/v1/workflows/${sub.id}`, { definition: inner('Elsewhere') });
  // Another node, or this one after a restart, has only the stored state.
  assert.equal(
    (await app.query('select count(*)::int as n from workflow_graphs where replaced_at is not null'))[0].n,
    1,
  );
  const [asked] = (await call('GET', `/v1/runs/${run.id}/approvals`)).json;
  await call('POST', `/v1/runs/${run.id}/approvals/${asked.id}`, { decision: 'approve' });
  assert.deepEqual((await ended(run.id)).output['out::output'].value, { where: 'In Oslo' });
});

test('limits a run to the permissions of both its starter and its saver, and nested workflows to those of the run', async () => {
  const may = (...more: string[]) => keyWith('flows_run', 'flows_edit', ...more);
  const [editor, reader] = await Promise.all([may(), may('files_read', 'tables_read')]);
  const nodes = [aNode('who', 'RightsNode'), aNode('out', 'OutputNode', { label: 'out' })];
  const rights = async (id: string, key?: string) => (await sync(id, {}, '', {}, key)).output.out.value as string[];
  const id = await flow(nodes, ['who.output -> out.input']);
  assert.ok((await rights(id)).includes('workspace_admin'));
  assert.deepEqual(await rights(id, reader), ['files_read', 'flows_edit', 'flows_run', 'tables_read']);
  const patch = (key: string | undefined, template: string) =>
    call(
      'PATCH',
      `/v1/workflows/${id}`,
      { definition: { nodes: [...nodes, aNode('t', 'ComposeTextNode', { template })] } },
      key ? { key } : {},
    );
  assert.equal((await patch(editor, 'changed')).status, 200);
  assert.deepEqual(await rights(id), ['flows_edit', 'flows_run'], 'an admin runs what somebody else wrote');
  // A caller with more permissions that saves it unchanged becomes its saver.
  await patch(undefined, 'changed');
  assert.deepEqual(await rights(id, reader), ['files_read', 'flows_edit', 'flows_run', 'tables_read']);
  await patch(editor, 'changed');
  assert.deepEqual(await rights(id, reader), ['files_read', 'flows_edit', 'flows_run', 'tables_read']);
  const around = await flow(
    [aNode('sub', 'SubWorkflowNode', { workflow_id: id }), aNode('out', 'OutputNode', { label: 'out' })],
    ['sub.output -> out.input'],
    {},
    editor,
  );
  assert.deepEqual((await sync(around)).output.out.value, { out: ['flows_edit', 'flows_run'] });
});

test('deletes old runs with all their records, and retries of one run together', async () => {
  watched.failing = true;
  const nodes = [aNode('e', 'EffectNode'), aNode('f', 'FlakyNode'), aNode('o', 'OutputNode')];
  const id = await flow(nodes, ['e.output -> f.value', 'f.output -> o.input']);
  const lone = await sync(id);
  const first = await sync(id);
  const second = await ended((await call('POST', `/v1/runs/${first.id}/retry`)).json.id);
  const done =
    "insert into workflow_effects (workspace_id, key, answer, created_at) values ($1, $2, '1', now() - interval '40 days')";
  for (const run of [lone, first]) await app.query(done, [run.group_id, `${run.id}:e`]);
  await call('PATCH', `/v1/workflows/${id}`, { definition: { nodes: [], edges: [] } });
  const old = 'update workflow_runs set created_at = $1, finished_at = $1 where id = any($2)';
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  await app.query(old, [longAgo, [lone.id, first.id]]);
  const left = async () => {
    const [{ runs, journals, effects }] = await app.query(
      `select (select count(*)::int from workflow_runs where workflow_id = $1) as runs,
         (select count(distinct run_id)::int from workflow_journal where run_id = any($2)) as journals,
         (select count(*)::int from workflow_effects) as effects`,
      [id, [lone.id, first.id, second.id]],
    );
    return [runs, journals, effects];
  };
  await doJob(app, 'workflows.expire');
  assert.deepEqual(await left(), [2, 2, 1]);
  assert.equal((await call('GET', `/v1/runs/${lone.id}`)).status, 404);
  watched.failing = false;
  const third = await ended((await call('POST', `/v1/runs/${second.id}/retry`)).json.id);
  assert.equal(third.status, 'completed', 'the graph that it began with is still there');
  await app.query(old, [longAgo, [first.id, second.id, third.id]]);
  await app.query("update workflow_graphs set replaced_at = now() - interval '39 days' where replaced_at is not null");
  await doJob(app, 'workflows.expire');
  assert.deepEqual(await left(), [0, 0, 0]);
  const unused = 'select count(*)::int as n from workflow_graphs where replaced_at is not null';
  assert.ok((await app.query(unused))[0].n > 0, 'runs of others may be inside of them');
  await app.query('delete from workflow_runs');
  await doJob(app, 'workflows.expire');
  assert.equal((await app.query(unused))[0].n, 0);
});

/** The statement that writes to a journal; here the one that suspends the run. */
const puttingAway = 'update workflow_runs set last_seq';

/** A run on one of two nodes that waits for an approval and is suspended as soon as its gate opens. */
async function aboutToWait(at: App, name: string) {
  const { query, call, pool } = two;
  gates.set(name, Promise.withResolvers());
  const definition = {
    nodes: [
      aNode('in', 'InputNode', { label: 'name' }),
      aNode('gate', 'GateNode'),
      aNode('ask', 'ApprovalNode', { question: '?' }),
      aNode('yes', 'OutputNode', { label: 'yes' }),
    ],
    edges: ['in.output -> gate.name', 'in.output -> ask.value', 'ask.approved -> yes.input'].map(anEdge),
  };
  const { id } = JSON.parse(await call(at, 'POST', '/v1/workflows', { definition }));
  const run = JSON.parse(await call(at, 'POST', `/v1/workflows/${id}/runs`, { input: { name } }));
  const [asked] = await until('somebody is asked, and nothing more is written before the gate is open', async () => {
    const rows = await query(
      `select id from workflow_approvals q where run_id = $1 and exists (
         select from workflow_journal j where j.run_id = q.run_id and events like '%"type":"wait"%')`,
      [run.id],
    );
    return rows.length ? rows : undefined;
  });
  const client = await pool.connect();
  return {
    run_id: run.id as string,
    asked_id: asked.id as string,
    open: () => gates.get(name)?.resolve(),
    /** Holds the lock of this statement until the returned function is called. */
    async hold(statement: string) {
      await client.query('begin');
      await client.query(statement, [run.id]);
      return async () => {
        await client.query('commit');
        client.release();
      };
    },
    /**
     * Whether a statement with this text waits for a row. Notifications also wait for each other and do not count.
     */
    waiting: (statement: string) =>
      until(`${statement} waits for a row`, async () => {
        const found = await query(
          `select 1 from pg_stat_activity where datname = current_database() and strpos(query, $1) > 0
             and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`,
          [statement],
        );
        return found.length > 0;
      }),
    over: () =>
      until('the run is over', async () => {
        const [row] = await query('select status, output, finished_at from workflow_runs where id = $1', [run.id]);
        return row.finished_at ? row : undefined;
      }),
  };
}

test('keeps a decision made while the run is being suspended, even if its node dies', async () => {
  const { asleep, awake, call, query, logged } = two;
  for (const [round, carries] of [asleep, awake].entries()) {
    const { run_id, asked_id, open, hold, waiting, over } = await aboutToWait(carries, `round ${round}`);
    // The node of the run does nothing more once the transaction that suspends it is over.
    await query('create table put_away (by xid8)');
    await query(`create function dies() returns trigger language plpgsql as $$ begin
      if new.status = 'awaiting_human_feedback' then insert into put_away values (pg_current_xact_id());
      elsif exists (select from put_away where by <> pg_current_xact_id()) then raise 'gone'; end if;
      return new; end $$`);
    await query(`create trigger dies before update on workflow_runs for each row
      when (old.id = '${run_id}') execute function dies()`);
    const release = await hold('select from workflow_approvals where run_id = $1 for update');
    const decided = call(awake, 'POST', `/v1/runs/${run_id}/approvals/${asked_id}`, { decision: 'approve' });
    await waiting('update workflow_approvals set decision');
    open();
    await waiting(puttingAway);
    await release();
    await decided;
    await until('it is dead', () =>
      logged.some((line) => line.includes('could not be ended') && line.includes(run_id)),
    );
    await query('drop function dies() cascade');
    await query('drop table put_away');
    await query(`update workflow_runs set leased_until = now() where id = $1 and node_id is not null`, [run_id]);
    const { status, output } = await over();
    assert.deepEqual([status, Object.keys(output)], ['completed', ['yes::output']]);
  }
});

test('keeps a stop made while the run is being suspended, even if its node is not notified', async () => {
  const { open, hold, waiting, over } = await aboutToWait(two.asleep, 'stop');
  const release = await hold('update workflow_runs set stop_requested = true where id = $1');
  open();
  await waiting(puttingAway);
  await release();
  assert.equal((await over()).status, 'stopped');
});
