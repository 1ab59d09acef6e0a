import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const people = await makePeopleIn(app);
const { name } = await app.provider();
const definition = { model: [`${name}/one`], max_retries_per_model: 0, pii_anonimization: [] };
const agent = (await app.call('POST', '/v1/agents', { name: 'Shop', definition })).json;

const hour = 3_600_000;
const range = `time_start=${new Date(Date.now() - hour).toISOString()}&time_end=${new Date(Date.now() + hour).toISOString()}`;

/** The labels of the figures by end user; the limit of five requests a second is waited for. */
async function labelsFor(by: object): Promise<string[]> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await app.call('GET', `/v1/analytics/runs?${range}&group_by=user`, undefined, by);
    if (answer.status === 200) return answer.json.value.map(({ label }: { label: string }) => label);
    assert.equal(answer.status, 429, answer.text);
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error('The rate limit never let the request through');
}

test('names end users in figures only to callers that may read conversations', async () => {
  const completion = { model: agent.id, user: 'anna@example.com', messages: [{ role: 'user', content: 'Hello' }] };
  const said = await app.call('POST', '/v1/chat/completions', completion);
  assert.equal(said.status, 200, said.text);
  const [editor, admin] = [await people.aMember('Editor'), await people.aMember('Admin')];
  assert.deepEqual(await labelsFor(as(admin.cookie)), ['anna@example.com']);
  const [label] = await labelsFor(as(editor.cookie));
  assert.match(label ?? '', /^End user [0-9a-f]{4,}$/);
  assert.deepEqual(await labelsFor(as(editor.cookie)), [label]);
});
