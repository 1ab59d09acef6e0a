import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const people = await makePeopleIn(app);
const [ada, bo] = [await people.aMember('Reader'), await people.aMember('Reader')];
const model = await app.provider();
const definition = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;
const by = ({ cookie }: typeof ada) => as(cookie);

/** A conversation of Ada that Bo may write in, and a run that goes on until it is released. */
async function beginHeld() {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Trip' }, by(ada));
  const { id } = made.json;
  const shared = await call('POST', `/v1/conversations/${id}/shares`, { person_id: bo.id, access: 'write' }, by(ada));
  assert.equal(shared.status, 200, shared.text);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  model.server.answers = () => ({ text: 'word and secret', deltas: 2, held: { before: 'secret', until: promise } });
  const running = () =>
    until('the run has begun', async () => {
      const { json } = await call('GET', `/v1/conversations/${id}`, undefined, by(ada));
      return json.status === 'running';
    });
  const share = `/v1/conversations/${id}/shares/${shared.json.id}`;
  return { id, release, running, unshare: () => call('DELETE', share, undefined, by(ada)) };
}

for (const path of ['', '/chat'])
  test(`answers nothing of a conversation that was unshared while ${path || 'a message'} waited for the reply`, async () => {
    const { id, release, running, unshare } = await beginHeld();
    const asked = call('POST', `/v1/conversations/${id}${path}`, { content: 'And now?' }, by(bo));
    await running();
    assert.equal((await unshare()).status, 200);
    release();
    const { status, text } = await asked;
    assert.equal(status, 404, text);
    assert.ok(!text.includes('secret'));
    // The run that had begun goes on, for those who still read the conversation.
    const { text: kept } = await call('GET', `/v1/conversations/${id}`, undefined, by(ada));
    assert.ok(kept.includes('word and secret'), kept);
  });

test('answers a message that waited for the reply to a person who may only read since', async () => {
  const { id, release, running } = await beginHeld();
  const asked = call('POST', `/v1/conversations/${id}`, { content: 'And now?' }, by(bo));
  await running();
  await call('POST', `/v1/conversations/${id}/shares`, { person_id: bo.id, access: 'read' }, by(ada));
  release();
  assert.equal((await asked).status, 200);
});
