import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { onlyOf } from '../conversations/service.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { defineTool } from '../tools/service.ts';

/** Answers whose conversations the caller of the tool sees. */
const whose = defineTool({
  ...{ tool: 'whose', description: 'Reads', input: z.object({}), output: z.string(), repeatable: true },
  reads_only: true,
  run: async (scope) => onlyOf(scope) ?? 'everybody',
});
const app = await scriptedApp({ roles: ['http', 'worker'] }, { tools: [whose] });
const { call } = app;
const people = await makePeopleIn(app);
const { server, name } = await app.provider();
server.answers = (body) => {
  const read = (body['messages'] as { role: string; content: string }[]).find(({ role }) => role === 'tool');
  return read ? { text: read.content } : { tool_calls: [{ id: 'c', name: 'whose', input: {} }] };
};
const definition = { model: [`${name}/one`], pii_anonimization: [], max_retries_per_model: 0 };
const agent = (await call('POST', '/v1/agents', { name: 'Shop', definition })).json;
const cases = [{ messages: ['Whose?'] }];
const set = (await call('POST', '/v1/evaluations', { name: 'S', agent_id: agent.id, cases })).json;

async function answerFor(by: ReturnType<typeof as> | { key: string }): Promise<string> {
  const started = await call('POST', `/v1/evaluations/${set.id}/runs`, {}, by);
  assert.equal(started.status, 200, started.text);
  const run = await until('it is over', async () => {
    const { json } = await call('GET', `/v1/evaluations/${set.id}/runs/${started.json.id}`);
    return json.status === 'completed' ? json : undefined;
  });
  return run.results[0].answer;
}

test('an evaluation sees the conversations that the person, or the owner of the key, sees', async () => {
  const person = await people.aMember('Admin');
  const made = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'Mine' }, as(person.cookie));
  const key = { key: made.json.value as string };
  assert.match(await answerFor(key), /everybody/);
  // A role that may try agents, and read no conversations of others.
  const permissions = { agents_run: true, agents_edit: true, insights_read: true };
  const role = await call('POST', '/v1/admin/roles', { name: 'Tester', scope: 'workspace', permissions });
  assert.equal(role.status, 200, role.text);
  const set = await call('PUT', `/v1/admin/groups/${people.home}/members/${person.id}`, { role_id: role.json.id });
  assert.equal(set.status, 200, set.text);
  assert.ok((await answerFor(key)).includes(person.id));
  assert.match(await answerFor({ key: app.admin }), /everybody/);
});
