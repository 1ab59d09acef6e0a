import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { as, makePeopleIn } from '../src/features/people/testing.ts';
import { archivesApp, inWorkspace } from '../src/features/personal-data/workspaces/testing.ts';
import { aNode } from '../src/features/workflows/testing.ts';

const app = await archivesApp({ web_allow: ['127.0.0.1'] });
const { call, good, exported, imported } = app;
const people = await makePeopleIn(app);
const here = people.home;
const mask = '********';

/** A different token for each place, so that a failure names the place. */
const planted = new Map<string, string>();
const token = (place: string) => {
  const text = `aZ3${randomBytes(18).toString('hex')}Q7x`;
  planted.set(text, place);
  return text;
};
const leaksIn = (text: string) => [...planted].flatMap(([value, place]) => (text.includes(value) ? [place] : []));

const hook = (place: string) => `https://hooks.slack.example/services/T0/B0/${token(place)}`;
const definition = {
  actions: [
    {
      name: 'notify',
      url: hook('action: path'),
      description: `See ${hook('action: address in the description')}`,
      body: `{"text": "hello", "apiKey": "${token('action: JSON text')}", "to": "${hook('action: address in the body')}"}`,
    },
    { name: 'form', url: 'https://crm.example/', body: `q=1&client_secret=${token('action: form')}` },
    {
      name: 'list',
      url: 'https://crm.example/',
      body: [{ to: hook('action: body') }, `Bearer ${token('action: bearer')}`],
    },
    {
      name: 'bot',
      url: `https://api.telegram.example/bot123456:${token('action: bot')}/sendMessage`,
      input_schema: { type: 'object', properties: { to: { type: 'string', default: hook('action: default') } } },
    },
  ],
  mcp_servers: [{ name: 'm', url: `https://mcp.example/${token('mcp: path')}/mcp`, note: hook('mcp: other field') }],
  tools: [{ type: 'custom', config: { target: hook('tool: path'), script: `post("${hook('tool: script')}")` } }],
  skills: [{ name: 's', instructions: `curl -d x ${hook('skill')}` }],
  persona: [
    {
      text: `Post to ${hook('persona')}`,
      definition: { type: 'doc', content: [{ text: hook('persona: structure') }] },
    },
  ],
  extra_instructions: `Use ${token('instructions')}`,
  glossary: [{ term: 'hook', definition: hook('glossary') }],
  memories: [{ text: `The hook is ${hook('memory')}` }],
  guidelines: [{ condition: 'always', action: `Post to ${hook('guideline')}` }],
  block_message: `Ask at ${hook('block message')}`,
};
const keys = Object.keys(definition) as (keyof typeof definition)[];
type Json = Awaited<ReturnType<typeof call>>['json'];
const plantedIn = (settings: Json) => Object.fromEntries(keys.map((key) => [key, settings[key]]));

const graph = {
  nodes: [
    aNode('ask', 'HttpRequestNode', { url: hook('node: path'), body: `{"pin": 1, "token": "${token('node: body')}"}` }),
    aNode('text', 'ComposeTextNode', { template: `Post to ${hook('node: template')}` }),
    aNode('run', 'CodeNode', { code: `return "${hook('node: program')}"` }),
  ],
  edges: [],
  note: `See ${hook('graph: note')}`,
};
const input = { target: hook('trigger: input'), api_token: token('trigger: named'), city: 'Bonn' };

const keyWith = async (...permissions: string[]) =>
  (await call('POST', `/v1/admin/groups/${here}/api-keys`, { name: 'k', permissions })).json.value as string;
const reader = as((await people.aMember('Reader')).cookie);
const weak = { key: await keyWith('agents_run', 'flows_run') };

const agent = await good('POST', '/v1/agents', { name: 'A', definition });
await good('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition: { top_k: 3 } });
const version = await good('POST', `/v1/agents/${agent.id}/versions`, {
  name: 'v',
  definition: { actions: [], persona: 'x' },
});
const flow = await good('POST', '/v1/workflows?force=true', { name: 'W', definition: graph });
await good('POST', `/v1/workflows/${flow.id}/versions?force=true`, { name: 'v', definition: graph });
const trigger = await good('POST', `/v1/workflows/${flow.id}/triggers`, { definition: { type: 'webhook', input } });
const at = `/v1/agents/${agent.id}`;
const timed = { type: 'schedule', cron: '0 8 * * *', message: `Post to ${hook('trigger: message')}` };
await good('POST', `${at}/triggers`, { definition: timed });
await good('POST', `${at}/deployments`, {
  ...{ channel: 'webhook', name: 'D', custom_instructions: `Post to ${hook('deployment: instructions')}` },
  config: { reply_url: hook('deployment: path') },
});
await good('POST', '/v1/webhooks', { name: 'H', url: hook('webhook: path'), events: ['run'] });
await good('POST', '/v1/mcp-servers', { url: `https://mcp2.example/${token('server: path')}` });

suite('secrets in paths, bodies and texts', () => {
  for (const [who, options] of [
    ['a Reader', reader],
    ['a key that may only run agents and workflows', weak],
  ] as const)
    test(`are covered for ${who}, in every answer that holds settings`, async () => {
      const { json: versions } = await call('GET', `${at}/versions`);
      const first = versions.at(-1).id;
      const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'c' }, options);
      assert.equal(made.status, 200, made.text);
      const answers = [made];
      for (const path of [
        ...['/v1/agents', at, `${at}/versions`, `${at}/versions/${first}`, `${at}/triggers`, '/v1/models'],
        `${at}/versions/diff?from=${first}&to=${version.id}`,
        ...[`/v1/conversations/${made.json.id}`, '/v1/conversations?include_empty=true'],
        ...['/v1/workflows', `/v1/workflows/${flow.id}`, `/v1/workflows/${flow.id}/versions`],
        ...[`/v1/workflows/${flow.id}/triggers`, `/v1/triggers/${trigger.id}`, '/v1/triggers'],
      ]) {
        const answer = await call('GET', path, undefined, options);
        assert.equal(answer.status, 200, `${path}: ${answer.text}`);
        answers.push(answer);
      }
      assert.deepEqual(
        answers.flatMap(({ text }) => leaksIn(text)),
        [],
      );
      assert.equal(made.json.settings.actions[0].url, `https://hooks.slack.example/services/T0/B0/${mask}`);
      assert.equal(made.json.settings.persona[0].text, `Post to https://hooks.slack.example/services/T0/B0/${mask}`);
      const found = await call('GET', '/v1/search?q=hook', undefined, options);
      assert.deepEqual(leaksIn(found.text), []);
    });

  test('are covered in the address of an MCP server for a key without agents_edit', async () => {
    const { text, status } = await call('GET', '/v1/mcp-servers', undefined, {
      key: await keyWith('integrations_edit'),
    });
    assert.equal(status, 200);
    assert.deepEqual(leaksIn(text), []);
  });

  test('are in no export of an agent, which lists the places to fill in', async () => {
    const file = await call('GET', `${at}/export`);
    assert.deepEqual(leaksIn(file.text), []);
    const places = file.json.secrets.map(({ path }: { path: string[] }) => path.slice(1).join('.'));
    for (const place of [
      'actions.0.url',
      'actions.0.body',
      'actions.2.body.0.to',
      'persona.0.text',
      'skills.0.instructions',
    ])
      assert.ok(places.includes(`definition.${place}`), place);
    assert.equal(file.json.agent.definition.actions[0].url, `https://hooks.slack.example/services/T0/B0/${mask}`);

    const { agent: made, report } = await good('POST', '/v1/agents/import', file.json);
    assert.deepEqual(report.secrets, file.json.secrets);
    const [first, ...rest] = made.definition.actions;
    const filled = [{ ...first, url: 'https://hooks.slack.example/services/T0/B0/another' }, ...rest];
    const patched = await good('PATCH', `/v1/agents/${made.id}`, { definition: { actions: filled } });
    assert.deepEqual(patched.definition.actions, filled, 'the others can be filled in later');

    const again = await good('POST', `/v1/agents/import?agent_id=${agent.id}`, file.json);
    assert.deepEqual([plantedIn(again.agent.definition), again.report.secrets], [plantedIn(agent.definition), []]);
  });

  test('are in no export of a workflow, which lists the places to fill in', async () => {
    const file = await call('GET', `/v1/workflows/${flow.id}/export`);
    assert.deepEqual(leaksIn(file.text), []);
    const { report } = await good('POST', '/v1/workflows/import', file.json);
    assert.deepEqual(report.secrets, file.json.secrets);
    const config = (index: number, name: string) => [
      'workflow',
      'definition',
      'nodes',
      String(index),
      'node_config',
      name,
    ];
    assert.deepEqual(
      report.secrets.map(({ path }: { path: string[] }) => path),
      [
        config(0, 'url'),
        config(0, 'body'),
        config(1, 'template'),
        config(2, 'code'),
        ['workflow', 'definition', 'note'],
      ],
    );
  });

  test('are in no archive of a workspace, and the import names what to fill in', async () => {
    const { bytes } = await exported(here);
    const entries = Object.values(unzipSync(bytes)).map((entry) => strFromU8(entry, true));
    assert.deepEqual(leaksIn(entries.join('\n')), []);
    const job = await imported(bytes);
    assert.equal(job.status, 'done');
    const places = job.follow_up
      .filter(({ what }: { what: string }) => what === 'secret')
      .map(({ kind, detail }: { kind: string; detail: string }) => `${kind} ${detail}`);
    for (const place of [
      'agent definition.actions.0.url',
      'agent definition.persona.0.text',
      'workflow nodes.0.node_config.url',
      'trigger definition.input',
      'trigger definition.message',
      'deployment config.reply_url',
      'deployment custom_instructions',
      'webhook url',
    ])
      assert.ok(places.includes(place), `${place}: ${places}`);
  });
});

suite('a covered part of an address that is sent back', () => {
  test('keeps the stored secret of an agent and of a trigger', async () => {
    const shown = plantedIn((await good('GET', at, undefined, weak)).definition);
    const patched = await good('PATCH', at, { definition: { ...shown, top_k: 4 } });
    assert.deepEqual(plantedIn(patched.definition), plantedIn(agent.definition));
    const own = (await good('GET', `/v1/triggers/${trigger.id}`, undefined, weak)).definition;
    assert.deepEqual([own.input.city, own.input.api_token], ['Bonn', mask]);
    const changed = await good('PATCH', `/v1/triggers/${trigger.id}`, {
      definition: { input: { ...own.input, city: 'Köln' } },
    });
    assert.deepEqual(changed.definition.input, { ...input, city: 'Köln' });
  });

  test('is refused at another host, so that no secret moves there', async () => {
    const { actions, mcp_servers } = (await good('GET', at, undefined, weak)).definition;
    for (const wrong of [
      { actions: [{ ...actions[0], url: `https://evil.example/services/T0/B0/${mask}` }] },
      { actions: [{ ...actions[0], url: 'https://evil.example/' }] },
      { mcp_servers: [{ ...mcp_servers[0], url: `https://evil.example/${mask}/mcp` }] },
    ])
      assert.equal((await call('PATCH', at, { definition: wrong })).status, 422, JSON.stringify(wrong));
  });

  test('is called by no request until it is filled in', async () => {
    const url = `http://127.0.0.1:9/hooks/${mask}`;
    const node = aNode('ask', 'HttpRequestNode', { url });
    const { id } = await good('POST', '/v1/workflows?force=true', { definition: { nodes: [node], edges: [] } });
    const run = await good('POST', `/v1/workflows/${id}/runs/sync`, { input: {} });
    assert.match(JSON.stringify(run), /a secret is missing in its address/);
  });
});

test('a workspace that is imported has the masks of its agents, and no secret', async () => {
  const job = await imported((await exported(here)).bytes);
  const { items } = await good('GET', '/v1/agents', undefined, inWorkspace(job.group_id));
  assert.ok(items.some(({ definition: own }: { definition: Json }) => JSON.stringify(own).includes(`B0/${mask}`)));
  assert.deepEqual(leaksIn(JSON.stringify(items)), []);
});
