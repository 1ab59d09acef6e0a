import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from '../testing.ts';

const { call, make, good, app, workspace, upload, key } = await agentApp();
const neighbour = await workspace();
const there = async (method: string, path: string, body?: unknown) =>
  good(await app.call(method, path, body, { key: neighbour.key }));
const takenThere = (body: unknown) => there('POST', '/v1/agents/import', body);

/** The file of an agent that refers to an agent and a file, each in every form, in settings and draft. */
async function exportedWith(names: { agent: string; file: string }) {
  const [agent, file] = [(await make({ name: names.agent })).id as string, await upload(names.file)];
  const definition = {
    coworkers: [agent, { id: agent, note: 'kept' }],
    tools: [{ type: 'agent_tool', agent_id: agent, note: 'kept' }, { type: 'x' }],
    agent_files: [{ id: file }],
    skills: [{ name: 's', instructions: 'i', file_ids: [file] }],
  };
  const made = await make({ definition });
  await call('PATCH', `/v1/agents/${made.id}?preview=true`, { definition: { subagents: [agent] } });
  return { agent, file, exported: good(await call('GET', `/v1/agents/${made.id}/export`)) };
}

type Links = Record<string, unknown>;
const linksOf = ({ definition, draft_definition }: { definition: Links; draft_definition: Links }) => {
  const { coworkers, tools, agent_files, skills } = definition;
  const { subagents } = draft_definition;
  return { coworkers, tools, agent_files, skills, subagents };
};

const linkedTo = (agent: string, file: string) => ({
  coworkers: [agent, { id: agent, note: 'kept' }],
  tools: [{ type: 'agent_tool', agent_id: agent, note: 'kept' }, { type: 'x' }],
  agent_files: [{ id: file }],
  skills: [{ name: 's', instructions: 'i', file_ids: [file] }],
  subagents: [agent],
});

test('in the same workspace every reference is kept', async () => {
  const { agent, file, exported } = await exportedWith({ agent: 'kept', file: 'kept.txt' });
  const answer = good(await call('POST', '/v1/agents/import', exported));
  assert.deepEqual(linksOf(answer.agent), linkedTo(agent, file));
  assert.deepEqual(answer.report, { mapped: [], missing: [], secrets: [] });
});

test('a mapping goes before everything and is reported', async () => {
  const { agent, file, exported } = await exportedWith({ agent: 'mapped', file: 'mapped.txt' });
  const [other, otherFile] = [(await make({ name: 'other' })).id, await upload('other.txt')];
  const mapping = { [agent.toUpperCase()]: other, [file]: otherFile, unused: other };
  const answer = good(await call('POST', '/v1/agents/import', { ...exported, mapping }));
  assert.deepEqual(linksOf(answer.agent), linkedTo(other, otherFile));
  assert.deepEqual(answer.report.mapped, [
    { kind: 'agent', from: agent, to: other },
    { kind: 'file', from: file, to: otherFile },
  ]);
  assert.deepEqual(answer.report.missing, []);
});

test('in another workspace the only record of the same kind and name is taken', async () => {
  const { agent, file, exported } = await exportedWith({ agent: 'Namesake', file: 'namesake.txt' });
  const same = (await there('POST', '/v1/agents', { name: 'Namesake' })).id;
  await there('POST', '/v1/agents', { name: 'namesake' });
  await upload('a namesake.txt', neighbour.key);
  const sameFile = await upload('namesake.txt', neighbour.key);
  const answer = await takenThere(exported);
  assert.deepEqual(linksOf(answer.agent), linkedTo(same, sameFile));
  assert.deepEqual(answer.report.mapped, [
    { kind: 'agent', from: agent, to: same },
    { kind: 'file', from: file, to: sameFile },
  ]);
});

test('drops entries whose record is not found, and reports every place', async () => {
  const { agent, file, exported } = await exportedWith({ agent: 'Nowhere', file: 'nowhere.txt' });
  const answer = await takenThere(exported);
  assert.deepEqual(linksOf(answer.agent), {
    coworkers: [],
    tools: [{ type: 'x' }],
    agent_files: [],
    skills: [{ name: 's', instructions: 'i', file_ids: [] }],
    subagents: [],
  });
  assert.equal(JSON.stringify(answer.agent).includes(agent), false);
  const places = answer.report.missing.map((one: { path: string[] }) => one.path.join('.'));
  const inBoth = ['coworkers.0', 'coworkers.1.id', 'tools.0.agent_id', 'agent_files.0.id', 'skills.0.file_ids.0'];
  assert.deepEqual(
    places.sort(),
    [
      ...inBoth.map((place) => `agent.definition.${place}`),
      ...[...inBoth, 'subagents.0'].map((place) => `agent.draft_definition.${place}`),
    ].sort(),
  );
  for (const { kind, id, name } of answer.report.missing)
    assert.deepEqual([id, name], kind === 'agent' ? [agent, 'Nowhere'] : [file, 'nowhere.txt']);
});

test('a name that two records have decides nothing', async () => {
  const { exported } = await exportedWith({ agent: 'Two', file: 'two.txt' });
  for (let count = 0; count < 2; count++) {
    await there('POST', '/v1/agents', { name: 'Two' });
    await upload('two.txt', neighbour.key);
  }
  const { report } = await takenThere(exported);
  assert.deepEqual([report.mapped, report.missing.length], [[], 11]);
});

test('a deleted namesake is not taken', async () => {
  const { exported } = await exportedWith({ agent: 'Gone', file: 'gone.txt' });
  const { id } = await there('POST', '/v1/agents', { name: 'Gone' });
  await there('DELETE', `/v1/agents/${id}`);
  assert.deepEqual((await takenThere(exported)).report.mapped, []);
});

test('an id of another workspace is never taken, neither by a file nor by a mapping', async () => {
  const { agent, file, exported } = await exportedWith({ agent: 'Ours', file: 'ours.txt' });
  const forged = { ...exported, references: [] };
  const { agent: made, report } = await takenThere(forged);
  assert.deepEqual([linksOf(made).coworkers, report.missing.length], [[], 11]);

  const answers = [];
  for (const to of [agent, randomUUID()]) {
    const body = { ...exported, mapping: { [agent]: to, [randomUUID()]: to } };
    const { status, text } = await app.call('POST', '/v1/agents/import', body, { key: neighbour.key });
    assert.equal(status, 422);
    const unused = Object.keys(body.mapping)[1] as string;
    answers.push(text.replaceAll(unused, 'unused').replaceAll(agent, 'id').replaceAll(to, 'id'));
  }
  assert.equal(answers[0], answers[1]);
  const wrongKind = { ...exported, mapping: { [agent]: file } };
  assert.deepEqual(validationErrorsOf(await app.call('POST', '/v1/agents/import', wrongKind, { key })), [
    `body.mapping.${agent}: value_error`,
  ]);
});

test('kinds that have no records yet are reported, a workflow’s version and a flow too', async () => {
  const id = randomUUID();
  const definition = {
    knowledge_bases: [id, 'kb'],
    tables: [{ id }],
    variables: [id],
    workflows: [{ id, version_id: id }],
    agent_flow_id: id,
  };
  const references = [{ kind: 'table', id, name: 'Orders' }];
  const body = { format: 'atrium.agent', version: 1, agent: { name: 'x', definition }, references };
  const { agent, report } = good(await call('POST', '/v1/agents/import', body));
  assert.deepEqual(
    [agent.definition.knowledge_bases, agent.definition.workflows, agent.definition.agent_flow_id],
    [[], [], null],
  );
  const told = report.missing.map(
    (one: { kind: string; name: string; path: string[] }) => `${one.kind} ${one.path.at(-2)} ${one.name}`,
  );
  assert.deepEqual(told.sort(), [
    'knowledge_base knowledge_bases null',
    'knowledge_base knowledge_bases null',
    'table 0 Orders',
    'variable variables null',
    'workflow 0 null',
    'workflow definition null',
  ]);
});

test('the report lists the secrets that are still to be filled in', async () => {
  const headers = { Authorization: 'Bearer abc', 'X-Other': 'def', 'X-Third': 'ghi' };
  const server = { name: 'm', url: 'https://u:p@mcp.test/', headers };
  const { id } = await make({ definition: { mcp_servers: [server] } });
  const exported = good(await call('GET', `/v1/agents/${id}/export`));
  const places = async (body: unknown) =>
    good(await call('POST', '/v1/agents/import', body))
      .report.secrets.map((one: { path: string[] }) => one.path.at(-1))
      .sort();
  assert.deepEqual(await places(exported), ['Authorization', 'X-Other', 'X-Third', 'url']);
  const filled = structuredClone(exported);
  const entry = filled.agent.definition.mcp_servers[0];
  Object.assign(entry.headers, { Authorization: 'Bearer new', 'X-Other': '{{secret.OTHER}}' });
  entry.url = 'https://u:new@mcp.test/';
  assert.deepEqual(await places(filled), ['X-Third']);
});
