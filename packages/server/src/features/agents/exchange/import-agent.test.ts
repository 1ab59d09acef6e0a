import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from '../testing.ts';

const { call, make, get, good, query, app } = await agentApp();
const exported = async (id: string) => good(await call('GET', `/v1/agents/${id}/export`));
const taken = async (file: unknown, search = '') => good(await call('POST', `/v1/agents/import${search}`, file));
const file = (agent: object = {}, more: object = {}) => ({
  format: 'atrium.agent',
  version: 1,
  agent: { name: 'f', ...agent },
  ...more,
});

const rich = {
  persona: [{ text: 'p', definition: { type: 'doc', content: [{ type: 'paragraph' }], attrs: { x: 1 } } }],
  tone: 't',
  model: ['a', 'preset:cost'],
  temperature: '0.25',
  crime: { value: 'High', context: 'c' },
  pii_anonimization: ['IBAN_CODE'],
  guardrail_action: 'warn',
  pii_lock: true,
  tools: [{ type: 'todos', enabled: 'no', odd: [null] }, { type: 'todos' }, { type: 'new', deep: { a: [1] } }],
  base_tools: [
    { type: 'code_execution', timeout: '9' },
    { type: 'tomorrow', x: 1 },
  ],
  mcp_servers: [{ name: 'm', url: 'https://mcp.test', headers: { A: '{{secret.X}}' }, allowed_tools: ['t'], extra: 1 }],
  actions: [{ name: 'a', url: '{{base}}/x', method: 'POST', body: { q: '{{q}}' }, input_schema: { type: 'object' } }],
  skills: [{ name: 's', instructions: 'i' }],
  databases: [{ name: 'd', dsn_variable: 'DSN' }],
  guidelines: [{ condition: 'c', action: 'a' }],
  glossary: [{ term: 't', definition: 'd' }],
  memories: [{ text: 'm' }],
  insights_custom_definitions: [{ name: 'n', question: 'q' }],
  capability_versions: { a: { b: 1 } },
  languages: ['en'],
  divider: 'kept',
};

test('an agent that is exported and imported is the same agent, draft and all', async () => {
  const fields = {
    name: ' Röund ✓ trip ',
    description: 'd',
    visible: false,
    image_url: 'https://x.test/a?b=1',
    allow_public_access: true,
  };
  await call('POST', '/v1/variables', { name: 'DSN', inline_value: 'postgresql://u:p@db.example/x' });
  const made = await make({ ...fields, definition: rich });
  await call('PATCH', `/v1/agents/${made.id}?preview=true`, { definition: { top_k: 3, tone: ['x', 'y'] } });
  const first = await exported(made.id);
  const { agent, report } = await taken(first);
  assert.deepEqual(report, { mapped: [], missing: [], secrets: [] });
  assert.notEqual(agent.id, made.id);
  const original = await get(made.id);
  const same = ['name', 'description', 'visible', 'image_url', 'allow_public_access', 'definition', 'draft_definition'];
  for (const key of same) assert.deepEqual(agent[key], original[key], key);
  assert.deepEqual(await get(agent.id), agent);
  const { exported_at: _, ...again } = await exported(agent.id);
  const { exported_at: __, ...was } = first;
  assert.deepEqual(again, was);
  assert.equal((await call('GET', `/v1/agents/${agent.id}/versions`)).json.length, 1);
});

test('the least a file needs is its format, its version and a name', async () => {
  const { agent } = await taken(file());
  assert.deepEqual(
    [agent.name, agent.visible, agent.allow_public_access, agent.draft_definition],
    ['f', true, false, null],
  );
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents/import', {})), [
    'body.format: missing',
    'body.version: missing',
    'body.agent: missing',
  ]);
});

test('another format or version is refused, saying which is understood', async () => {
  const { status, json } = await call('POST', '/v1/agents/import', { ...file(), format: 'other', version: 2 });
  assert.equal(status, 422);
  const told = json.detail.map((validationError: { loc: string[]; msg: string }) => [
    validationError.loc.join('.'),
    validationError.msg,
  ]);
  assert.deepEqual(told, [
    ['body.format', "Input should be 'atrium.agent'"],
    ['body.version', 'Input should be 1'],
  ]);
});

test('names the path in the file for validation errors of its settings', async () => {
  const definition = { temperature: 'hot', nothing: 1, mcp_servers: [{ name: 'm', url: 'ftp://x' }] };
  const body = file(
    { definition, draft_definition: { top_k: -1 }, extra: 1 },
    { references: [{ kind: 'agent' }], mapping: { a: 'b' }, more: 1 },
  );
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents/import', body)).sort(), [
    'body.agent.definition.mcp_servers.0.url: string_pattern_mismatch',
    'body.agent.definition.nothing: extra_forbidden',
    'body.agent.definition.temperature: float_parsing',
    'body.agent.draft_definition.top_k: greater_than_equal',
    'body.agent.extra: extra_forbidden',
    'body.mapping.a: uuid_parsing',
    'body.more: extra_forbidden',
    'body.references.0.id: missing',
  ]);
});

test('an import into an agent publishes a version of exactly what the file holds', async () => {
  const made = await make({ name: 'Stays', description: 'stays', definition: { top_k: 1, top_p: 0.1 } });
  await call('PATCH', `/v1/agents/${made.id}?preview=true`, { definition: { top_k: 2 } });
  const { agent } = await taken(
    file({ description: 'no', allow_public_access: true, definition: { top_k: 3 } }),
    `?agent_id=${made.id}`,
  );
  assert.deepEqual(
    [agent.id, agent.name, agent.description, agent.allow_public_access],
    [made.id, 'Stays', 'stays', false],
  );
  assert.deepEqual([agent.definition.top_k, agent.definition.top_p, agent.draft_definition], [3, 1, null]);
  const [newest, oldest] = good(await call('GET', `/v1/agents/${made.id}/versions`));
  assert.deepEqual([newest.number, newest.id, newest.is_published], [2, agent.version_id, true]);
  assert.equal(newest.description, 'Imported from f');
  assert.equal(oldest.definition.top_k, 1);
});

test('an import starts nothing: one agent and one version are all that is new', async () => {
  const count = async () =>
    (
      await query(`select (select count(*) from agents) as agents, (select count(*) from agent_versions) as versions,
        (select count(*) from conversations) as conversations, (select count(*) from files) as files,
        (select count(*) from graphile_worker._private_jobs) as jobs`)
    )[0];
  const before = await count();
  app.logged.length = 0;
  await taken(file({ definition: rich, draft_definition: rich }));
  const after = await count();
  assert.deepEqual(after, {
    ...before,
    agents: String(Number(before.agents) + 1),
    versions: String(Number(before.versions) + 1),
  });
});

test('a file that is refused leaves nothing behind', async () => {
  const before = await query('select count(*) from agents');
  await call('POST', '/v1/agents/import', file({}, { mapping: { [randomUUID()]: randomUUID() } }));
  assert.deepEqual(await query('select count(*) from agents'), before);
});

test('a file larger than other bodies may be is taken', async () => {
  const instructions = 'x'.repeat(1_500_000);
  const skills = [{ name: 's', instructions }];
  const { agent } = await taken(file({ definition: { skills }, draft_definition: { skills } }));
  assert.equal(agent.draft_definition.skills[0].instructions.length, instructions.length);
});
