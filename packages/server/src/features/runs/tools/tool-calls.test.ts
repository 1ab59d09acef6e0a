import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import type { Tool } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';

const simple = (tool: string, run: Tool['run'], more: Partial<Tool> = {}): Tool =>
  defineTool({
    tool,
    description: 'Does something',
    input: z.object({ word: z.string().optional() }),
    output: z.any(),
    repeatable: true,
    ...more,
    run: (scope, input, signal, reveal, call) => run(scope, input, signal, reveal, call),
  });
const tools = [
  simple('paint_make', async (_, __, ___, ____, call) => {
    call?.cost(0.25);
    call?.cost(Number.NaN);
    call?.cost(-5);
    return { painted: true };
  }),
  simple('shop_order', async () => ({ ordered: true }), { permission: 'tables_edit' }),
  simple('fail_refuse', async () => {
    throw new ToolError('Not today');
  }),
  simple('fail_sleep', async (_, __, signal) => sleep(20_000, undefined, { signal })),
  simple('flood_all', async () => 'x'.repeat(100 * 1024 * 1024)),
];

const app = await scriptedApp({}, { tools });
const { server, name } = await app.provider();
const settings = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, tool_timeout: 1 };
const calling = (...names: string[]) => ({
  tool_calls: names.map((tool, at) => ({ id: `c${at}`, name: tool, input: { word: 'private words' } })),
});
const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
const linesOf = async (run_id: string) => (await app.call('GET', `/v1/runs/${run_id}/tool-calls`)).json.items;

suite('an account of tool calls', () => {
  test('each call leaves one line: who called what, how it went, how long it took and what it cost', async () => {
    server.reply(calling('paint_make', 'fail_refuse', 'fail_sleep', 'no_such'), { text: 'Done.' });
    const seen = await app.ask(settings);
    const lines = await linesOf(seen.metadata.run_id);
    assert.deepEqual(
      lines
        .map(({ tool, outcome, cost }: { tool: string; outcome: string; cost: number }) => [tool, outcome, cost])
        .sort(),
      [
        ['fail_refuse', 'error', 0],
        ['fail_sleep', 'timeout', 0],
        ['no_such', 'invalid', 0],
        ['paint_make', 'ok', 0.25],
      ],
    );
    const slow = lines.find(({ tool }: { tool: string }) => tool === 'fail_sleep');
    assert.ok(slow.ms >= 900, `${slow.ms} ms`);
    assert.partialDeepStrictEqual(slow, { actor_kind: 'api_key', conversation_id: seen.id, approved_by: null });
    assert.match(slow.input_hash, /^[0-9a-f]{64}$/);
    assert.doesNotMatch(JSON.stringify(lines), /private words/);
  });

  test('the cost of tools is part of the cost of the run', async () => {
    server.reply(calling('paint_make', 'paint_make'), { text: 'Done.' });
    const priced = await app.ask(settings);
    // The scripted model has no price, and one unknown part makes the sum unknown.
    assert.equal(priced.metadata.usage.cost, null);
    const results = priced.events.flatMap((event) => (event.type === 'tool-result' ? event.cost : []));
    assert.deepEqual(results, [0.25, 0.25]);
  });

  test('records the approver and rejected calls', async () => {
    const asking = { ...settings, tools: [{ type: 'paint', requires_approval: true }] };
    for (const decision of ['approve', 'reject']) {
      server.reply(calling('paint_make'), { text: 'Done.' });
      const { id } = await app.ask(asking);
      const [asked] = (await app.call('GET', `/v1/conversations/${id}/approvals`)).json.items;
      const { json } = await app.call('POST', `/v1/conversations/${id}/approvals/${asked.id}`, { decision });
      const { metadata } = await until('it is over', async () => {
        const stored = await app.stored(id);
        return stored.status === 'completed' ? stored : undefined;
      });
      const [line] = await linesOf(metadata.run_id);
      const expected = decision === 'approve' ? ['ok', json.decided_by] : ['rejected', null];
      assert.deepEqual([line.outcome, line.approved_by], expected);
    }
  });

  test('a name that is no text in a database is accounted for as well as it can be', async () => {
    server.reply({ tool_calls: [{ id: 'a\0b', name: 'no\0such', input: {} }] }, { text: 'Done.' });
    const seen = await app.ask(settings);
    assert.deepEqual([seen.status, seen.text], ['completed', 'Done.']);
    const [line] = await linesOf(seen.metadata.run_id);
    assert.deepEqual([line.tool, line.call_id, line.outcome], ['nosuch', 'ab', 'invalid']);
  });

  test('it is looked through by tool, outcome, conversation and agent, also when the conversation is gone', async () => {
    const { json: agent } = await app.call('POST', '/v1/agents', { name: 'audited', definition: settings });
    server.reply(calling('paint_make', 'fail_refuse', 'paint_make'), { text: 'Done.' });
    const seen = await app.say(await app.converse({}, `?assistant_id=${agent.id}`));
    server.reply(calling('paint_make'), { text: 'Done.' });
    const other = await app.ask(settings);
    const found = async (path: string) => {
      const { status, json } = await app.call('GET', `/v1/${path}`);
      assert.equal(status, 200, path);
      return json.items.map(({ tool }: { tool: string }) => tool).sort();
    };
    const of = `runs/${seen.metadata.run_id}/tool-calls`;
    const all = ['fail_refuse', 'paint_make', 'paint_make'];
    assert.deepEqual(await found(`${of}?tool=paint_make`), ['paint_make', 'paint_make']);
    assert.deepEqual(await found(`${of}?outcome=error`), ['fail_refuse']);
    assert.deepEqual(await found(`${of}?tool=paint_make&outcome=error`), []);
    const here = `tool-calls?conversation_id=${seen.id}`;
    assert.deepEqual(await found(here), all);
    assert.deepEqual(await found(`${here}&outcome=ok&size=1`), ['paint_make']);
    assert.deepEqual(await found(`tool-calls?assistant_id=${agent.id}`), all);
    assert.deepEqual(await found(`tool-calls?conversation_id=${other.id}&assistant_id=${agent.id}`), []);
    const [line] = await linesOf(other.metadata.run_id);
    assert.equal(line.assistant_id, null);
    assert.equal((await app.call('DELETE', `/v1/conversations/${seen.id}`)).status, 200);
    assert.deepEqual(await found(`tool-calls?assistant_id=${agent.id}&tool=fail_refuse`), ['fail_refuse']);
    assert.equal((await app.call('GET', '/v1/tool-calls?outcome=fine')).status, 422);
  });

  test('tool calls outlive the conversation and need audit_read', async () => {
    server.reply(calling('paint_make'), { text: 'Done.' });
    const { id } = await app.ask(settings);
    assert.equal((await app.call('DELETE', `/v1/conversations/${id}`)).status, 200);
    const { json } = await app.call('GET', '/v1/tool-calls?size=100');
    assert.ok(json.items.some((line: { conversation_id: string }) => line.conversation_id === id));
    const { key } = await app.workspace();
    assert.equal((await app.call('GET', '/v1/tool-calls', undefined, { key })).status, 403);
  });
});

suite('tool_grant_scope', () => {
  /** A key that may talk to agents and nothing else. */
  async function talker() {
    const { json: me } = await app.call('GET', '/v1/admin/me');
    const body = { name: 'talker', permissions: ['agents_run'], reach: 'workspace' };
    const made = await app.call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, body);
    assert.equal(made.status, 200, made.text);
    return made.json.value as string;
  }

  test('tool_grant_scope selects whose grants count: those of the workspace or of the user the run acts for', async () => {
    const key = await talker();
    for (const [tool_grant_scope, outcome] of [
      ['workspace', 'ok'],
      ['user', 'refused'],
    ] as const) {
      server.reply(calling('shop_order'), { text: 'Done.' });
      const id = await app.converse({ ...settings, tool_grant_scope });
      const said = await app.call('POST', `/v1/conversations/${id}`, { content: 'Order' }, { key });
      assert.deepEqual([said.status, said.json.status], [200, 'completed']);
      assert.match(results()[0] ?? '', outcome === 'ok' ? /"ordered":true/ : /takes the permission tables_edit/);
      const [line] = await linesOf((await app.stored(id)).metadata.run_id);
      assert.equal(line.outcome, outcome);
    }
  });
});

test('a tool that returns 100 MB is cut for the model, the watchers and the records, and the run goes on', async () => {
  server.reply(calling('flood_all'), { text: 'Too much.' });
  const seen = await app.ask({ ...settings, tool_timeout: 30 });
  assert.equal(seen.text, 'Too much.');
  assert.ok((results()[0] ?? '').length <= 100_000);
  const [stored] = await app.query('select max(length(data)) as longest from run_events where run_id = $1', [
    seen.metadata.run_id,
  ]);
  assert.ok(stored.longest < 110_000);
  const [file] = await app.query(`select size from files where filename like 'flood_all%'`);
  assert.equal(Number(file.size), 50_000_000, 'what is kept is bounded too');
});
