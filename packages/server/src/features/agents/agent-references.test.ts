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
