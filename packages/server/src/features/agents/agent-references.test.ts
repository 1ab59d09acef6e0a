import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from './testing.ts';

const { call, app, make, good, workspace, upload } = await agentApp();
const neighbour = await workspace();
const theirs = good(await app.call('POST', '/v1/agents', { name: 'theirs' }, { key: neighbour.key }));
const theirFile = await upload('theirs.txt', neighbour.key);

/** Settings that refer to an id of a kind, and the path of the validation error. */
const places: [kind: string, settings: (id: string) => object, at: string][] = [
  ['agent', (id) => ({ coworkers: [id] }), 'coworkers.0'],
  ['agent', (id) => ({ subagents: [{ id, max_turns: 3 }] }), 'subagents.0.id'],
  ['agent', (id) => ({ tools: [{ type: 'agent_tool', agent_id: id }] }), 'tools.0.agent_id'],
  ['file', (id) => ({ agent_files: [{ id }] }), 'agent_files.0.id'],
  ['file', (id) => ({ skills: [{ name: 's', instructions: 'i', file_ids: [id] }] }), 'skills.0.file_ids.0'],
  ['knowledge base', (id) => ({ knowledge_bases: [id] }), 'knowledge_bases.0'],
  ['knowledge base', (id) => ({ tools: [{ type: 'kb_qa', kb_id: id }] }), 'tools.0.kb_id'],
  ['workflow', (id) => ({ workflows: [{ id }] }), 'workflows.0.id'],
  ['workflow', (id) => ({ tools: [{ type: 'workflow', workflow_id: id }] }), 'tools.0.workflow_id'],
  ['workflow', (id) => ({ agent_flow_id: id }), 'agent_flow_id'],
  ['table', (id) => ({ tables: [{ id, access: 'read' }] }), 'tables.0.id'],
  ['variable', (id) => ({ variables: [id] }), 'variables.0'],
];

test('an id in settings that is unknown, another workspace’s or no id at all is the same 422, at its place', async () => {
  const { id } = await make();
  const requests = [
    ['POST', '/v1/agents'],
    ['PATCH', `/v1/agents/${id}`],
    ['PATCH', `/v1/agents/${id}?preview=true`],
    ['POST', `/v1/agents/${id}/versions`],
  ] as const;
  for (const [kind, settings, at] of places)
    for (const [method, path] of requests)
      for (const wrong of [randomUUID(), theirs.id, theirFile, 'no-id', "'; drop table agents; --"]) {
        const body = { ...(path === '/v1/agents' && { name: 'x' }), definition: settings(wrong) };
        const { status, json } = await call(method, path, body);
        assert.equal(status, 422, `${method} ${path} ${at}`);
        const error = `no such ${kind} in this workspace`;
        const loc = ['body', 'definition', ...at.split('.')];
        assert.deepEqual(json.detail, [
          { loc, msg: `Value error, ${error}`, type: 'value_error', input: wrong, ctx: { error } },
        ]);
      }
});

test('every dangling id of a request is named, and own ones are not', async () => {
  const own = await make();
  const definition = { coworkers: [own.id, theirs.id, { id: own.id }], agent_files: [theirFile], tables: ['x'] };
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: 'x', definition })).sort(), [
    'body.definition.agent_files.0: value_error',
    'body.definition.coworkers.1: value_error',
    'body.definition.tables.0: value_error',
  ]);
});

test('own agents and files are taken and returned in the form they came', async () => {
  const [own, file] = [await make(), await upload('own.txt')];
  const definition = {
    coworkers: [own.id, { id: own.id.toUpperCase(), enabled: false, note: 'kept' }],
    agent_files: [{ id: file }],
    skills: [{ name: 's', instructions: 'i', file_ids: [file] }],
  };
  const made = await make({ definition });
  for (const [key, value] of Object.entries(definition)) assert.deepEqual(made.definition[key], value, key);
});

test('a deleted agent can not be referred to any more', async () => {
  const own = await make();
  await call('DELETE', `/v1/agents/${own.id}`);
  const body = { name: 'x', definition: { coworkers: [own.id] } };
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', body)), [
    'body.definition.coworkers.0: value_error',
  ]);
});

/** A record of every kind that settings can name, settings that name them all, and what deletes them. */
async function everyReference() {
  const made = async (path: string, body: object) => good(await call('POST', path, body)).id as string;
  const [helper, base] = [(await make()).id, await made('/v1/knowledge-bases', { name: 'B' })];
  const definition = { nodes: [{ id: 'n', type: 'DateNode', node_config: {} }], edges: [] };
  const workflow = await made('/v1/workflows', { name: 'W', definition });
  const table = await made('/v1/tables', { name: `T${randomUUID().slice(0, 8)}` });
  const variable = await made('/v1/variables', { name: `v${randomUUID().slice(0, 8)}`, inline_value: 'x' });
  const file = await upload('own.txt');
  const settings = {
    ...{ coworkers: [helper], subagents_enabled: true, subagents: [{ id: helper }], knowledge_bases: [base] },
    ...{ workflows: [workflow], tables: [{ id: table, access: 'write' }], variables_enabled: true },
    ...{
      variables: [variable],
      agent_files: [{ id: file }],
      skills: [{ name: 's', instructions: 'i', file_ids: [file] }],
    },
    tools: [
      { type: 'kb_qa', kb_id: base },
      { type: 'workflow', workflow_id: workflow },
      { type: 'agent_tool', agent_id: helper },
    ],
  };
  const places = [`agents/${helper}`, `knowledge-bases/${base}`, `workflows/${workflow}`, `tables/${table}`];
  const paths = [...places, `files/${file}`, `variables/${variable}?force=true`].map((path) => `/v1/${path}`);
  return { settings, deleteAll: async () => Promise.all(paths.map(async (path) => good(await call('DELETE', path)))) };
}
interface Warned {
  warnings?: { loc: string[]; msg: string; type: string }[];
}
const goneIn = ({ warnings = [] }: Warned) =>
  warnings.filter(({ type }) => type === 'unknown_reference').map(({ loc }) => loc.join('.'));
const everyPlace = [
  ...['coworkers.0', 'knowledge_bases.0', 'skills.0.file_ids.0', 'subagents.0.id', 'tables.0.id', 'tools.0.kb_id'],
  ...['agent_files.0.id', 'tools.1.workflow_id', 'tools.2.agent_id', 'variables.0', 'workflows.0'],
].sort();
const within = (at: string) => everyPlace.map((place) => `${at}.${place}`).sort();

test('what settings name and is gone warns where it was, is refused where it is new, and breaks no run', async () => {
  const { settings, deleteAll } = await everyReference();
  const agent = await make({ definition: { ...settings, model: ['atrium/extractive'] } });
  const path = `/v1/agents/${agent.id}`;
  good(await call('PATCH', `${path}?preview=true`, { definition: { temperature: 0.1 } }));
  const own = good(
    await call('POST', '/v1/conversations', { settings: { knowledge_bases: settings.knowledge_bases } }),
  );
  assert.deepEqual([goneIn(agent), goneIn(good(await call('GET', path)))], [[], []]);
  await deleteAll();

  const shown: Warned & { definition: object } = good(await call('GET', path));
  assert.deepEqual(goneIn(shown).sort(), [...within('definition'), ...within('draft_definition')].sort());
  assert.match(shown.warnings?.[0]?.msg ?? '', /is not in this workspace any more/);
  const weak = good(
    await call('POST', `/v1/admin/groups/${agent.group_id}/api-keys`, { name: 'w', permissions: ['agents_run'] }),
  );
  assert.deepEqual(goneIn(good(await app.call('GET', path, undefined, { key: weak.value }))), [], 'it may not mend it');
  assert.deepEqual(goneIn(good(await call('GET', `/v1/conversations/${own.id}`))), ['settings.knowledge_bases.0']);

  const unchanged = good(await call('PATCH', path, { definition: { ...shown.definition, temperature: 0.4 } }));
  assert.deepEqual(goneIn(unchanged).sort(), within('body.definition'));
  assert.equal(unchanged.definition.temperature, 0.4);
  good(await call('POST', `${path}/versions`, { definition: shown.definition }));
  const copy = good(await call('POST', `${path}/duplicate`, {}));
  assert.deepEqual(goneIn(copy).sort(), within('definition'), 'a copy can be made');
  const talk = good(
    await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { settings: { tools: settings.tools } }),
  );
  assert.equal(goneIn(talk).length, 3);
  good(await call('PATCH', `/v1/conversations/${talk.id}`, { settings: { coworkers: settings.coworkers } }));

  for (const [key, value] of Object.entries(settings).filter(([, entries]) => Array.isArray(entries))) {
    const added = await call('POST', '/v1/agents', { name: 'x', definition: { [key]: value } });
    assert.equal(added.status, 422, `${key} is new elsewhere`);
  }
  const other = await make();
  assert.equal((await call('PATCH', `/v1/agents/${other.id}`, { definition: settings })).status, 422);
  const { messages } = good(await call('POST', `/v1/conversations/${talk.id}/chat`, { content: 'Hello?' })) ?? {};
  assert.equal(messages, undefined);
  const ended = good(await call('GET', `/v1/conversations/${talk.id}`));
  assert.equal(ended.status, 'completed', JSON.stringify(ended.messages.at(-1)));
});

test('a copy takes no record along that exists and that its maker may not use', async () => {
  const platform = good(await call('GET', '/v1/tables')).items.find(
    ({ source }: { source: string }) => source === 'platform',
  );
  const { id, group_id } = await make({ definition: { tables: [{ id: platform.id, access: 'read' }] } });
  const permissions = ['agents_edit', 'agents_run', 'tables_read'];
  const { value: key } = good(await call('POST', `/v1/admin/groups/${group_id}/api-keys`, { name: 'w', permissions }));
  const tables = [{ id: platform.id, access: 'read' }];
  const copy = await app.call('POST', `/v1/agents/${id}/duplicate`, {}, { key });
  const kept = await app.call('PATCH', `/v1/agents/${id}`, { definition: { tables } }, { key });
  const added = await app.call('POST', '/v1/agents', { name: 'x', definition: { tables } }, { key });
  assert.deepEqual([copy.status, kept.status, added.status], [422, 200, 422]);
  assert.deepEqual(goneIn(kept.json), [], 'the table is there');
});
