import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const people = await makePeopleIn(app);
const [ada, bo, cy] = [await people.aMember('Reader'), await people.aMember('Reader'), await people.aMember('Reader')];
const model = await app.provider();
model.server.answers = () => ({ text: 'Good day.' });
const definition = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;
type Caller = ReturnType<typeof as> | { key: string };

async function begin(name: string, owner: Caller) {
  const { json } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name }, owner);
  await call('POST', `/v1/conversations/${json.id}`, { content: 'Hello' }, owner);
  return json.id as string;
}
/** The conversations that a search by name finds. */
async function found(q: string, by: Caller): Promise<string[]> {
  const { status, json, text } = await call('GET', `/v1/search?q=${q}&types=conversations`, undefined, by);
  assert.equal(status, 200, text);
  return json.groups.flatMap(({ hits }: { hits: { target: { conversation_id: string } }[] }) =>
    hits.map(({ target }) => target.conversation_id),
  );
}

test('a search by name finds conversations that are shared with the person, with their key too', async () => {
  const id = await begin('Quokka trip', as(ada.cookie));
  const own = await begin('Quokka zoo', as(bo.cookie));
  assert.deepEqual(await found('quokka', as(bo.cookie)), [own]);
  const { json: share } = await call('POST', `/v1/conversations/${id}/shares`, { person_id: bo.id }, as(ada.cookie));
  assert.deepEqual((await found('quokka', as(bo.cookie))).sort(), [id, own].sort());
  assert.deepEqual(await found('quokka', as(cy.cookie)), []);
  assert.deepEqual(await found('quokka', { key: (await app.workspace()).key }), []);
  assert.deepEqual((await found('quokka', { key: app.admin })).sort(), [id, own].sort());
  await call('DELETE', `/v1/conversations/${id}/shares/${share.id}`, undefined, as(ada.cookie));
  assert.deepEqual(await found('quokka', as(bo.cookie)), [own]);
});
