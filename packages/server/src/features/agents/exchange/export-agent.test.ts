import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentApp } from '../testing.ts';

const { call, make, good, upload, workspace_id } = await agentApp();
const exported = async (id: string) => good(await call('GET', `/v1/agents/${id}/export`));

test('an export is one JSON file to be saved, holding what was set and nothing else', async () => {
  const doc = { type: 'doc', content: [{ type: 'paragraph' }] };
  const persona = [{ text: 'p', definition: doc }];
  const made = await make({ name: 'Ex "port"', description: 'd', definition: { persona, top_k: '5', crime: 'Low' } });
  await call('PATCH', `/v1/agents/${made.id}?preview=true`, { definition: { top_k: 6 } });
  const answer = await call('GET', `/v1/agents/${made.id}/export`);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.equal(answer.headers['content-disposition'], `attachment; filename="agent-${made.id}.json"`);
  const { exported_at, ...file } = answer.json;
  assert.match(exported_at, /^\d{4}-.*Z$/);
  const definition = { persona, top_k: 5, crime: { value: 'Low', context: '' } };
  assert.deepEqual(file, {
    format: 'atrium.agent',
    version: 1,
    agent: {
      name: 'Ex "port"',
      description: 'd',
      visible: true,
      image_url: null,
      allow_public_access: false,
      definition,
      draft_definition: { ...definition, top_k: 6 },
    },
    references: [],
    secrets: [],
  });
  for (const id of [made.id, made.version_id, workspace_id]) assert.equal(answer.text.includes(id), false);
});

test('lists each record that an agent refers to once, with its name', async () => {
  const [helper, file] = [await make({ name: 'Helper' }), await upload('manual.txt')];
  const definition = { coworkers: [helper.id, { id: helper.id }], agent_files: [file], subagents: [helper.id] };
  const { id } = await make({ definition });
  await call('PATCH', `/v1/agents/${id}?preview=true`, { definition: { coworkers: [] } });
  assert.deepEqual((await exported(id)).references, [
    { kind: 'agent', id: helper.id, name: 'Helper' },
    { kind: 'file', id: file, name: 'manual.txt' },
  ]);
  await call('DELETE', `/v1/agents/${helper.id}`);
  await call('DELETE', `/v1/files/${file}`);
  assert.deepEqual(
    (await exported(id)).references.map((one: { name: null }) => one.name),
    [null, null],
  );
});

test('no secret is in an export, and each place it was left out of is listed', async () => {
  const hidden = 'hunter2';
  const definition = {
    mcp_servers: [
      {
        name: 'm',
        url: `https://user:${hidden}@mcp.test/x?api_key=${hidden}&region=eu`,
        headers: {
          Authorization: `Bearer ${hidden}`,
          'X-Key': '{{secret.KEY}}',
          Also: 'Bearer {{secret.TOKEN}}',
          Mixed: `{{a}}${hidden}`,
        },
        oauth: { client_id: 'c', clientSecret: hidden },
      },
    ],
    actions: [
      {
        name: 'a',
        url: `{{host}}/y?token=${hidden}&q={{q}}#access_token=${hidden}`,
        headers: { Cookie: hidden },
        body: { password: hidden, n: 1 },
      },
    ],
    tools: [{ type: 'of_others', apiKey: hidden, server: { headers: { A: hidden } }, tokens: 5 }],
  };
  const made = await make({ image_url: `https://cdn.test/i.png?X-Amz-Signature=${hidden}&w=5`, definition });
  await call('PATCH', `/v1/agents/${made.id}?preview=true`, { definition: { top_k: 1 } });
  const answer = await call('GET', `/v1/agents/${made.id}/export`);
  assert.equal(answer.text.includes(hidden), false, answer.text);
  const { agent, secrets } = answer.json;
  const [server, action, tool] = [
    agent.definition.mcp_servers[0],
    agent.definition.actions[0],
    agent.definition.tools[0],
  ];
  assert.equal(agent.image_url, 'https://cdn.test/i.png?w=5');
  assert.equal(server.url, 'https://mcp.test/x?region=eu');
  assert.deepEqual(server.headers, { 'X-Key': '{{secret.KEY}}', Also: 'Bearer {{secret.TOKEN}}' });
  assert.deepEqual(server.oauth, { client_id: 'c' });
  assert.deepEqual(action, { name: 'a', url: '{{host}}/y?q={{q}}', headers: {}, body: { n: 1 } });
  assert.deepEqual(tool, { type: 'of_others', server: { headers: {} }, tokens: 5 });
  const told = secrets.map(({ path }: { path: string[] }) => path.join('/'));
  const inDefinition = [
    'mcp_servers/0/url',
    'mcp_servers/0/headers/Authorization',
    'mcp_servers/0/headers/Mixed',
    'mcp_servers/0/oauth/clientSecret',
    'actions/0/url',
    'actions/0/headers/Cookie',
    'actions/0/body/password',
    'tools/0/apiKey',
    'tools/0/server/headers/A',
  ];
  assert.deepEqual(
    told.sort(),
    [
      ...inDefinition.map((place) => `agent/definition/${place}`),
      ...inDefinition.map((place) => `agent/draft_definition/${place}`),
      'agent/image_url',
    ].sort(),
  );
});
