import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { makePeopleIn } from '../people/testing.ts';

const app = await testApp();
const { call, workspace, query } = app;
const people = await makePeopleIn(app);
const versionsOf = async (id: string) =>
  (await query('select kind from record_versions where key like $1 order by kind', [`%${id}%`])).map(
    ({ kind }) => kind,
  );

test('deletes the version of the folder rights with their knowledge base, and that of all records with the workspace', async () => {
  const { id: place, key } = await workspace();
  const inPlace = (method: string, path: string, body?: unknown) => call(method, path, body, { key });
  const ada = await people.aMember('Reader');
  await call('PUT', `/v1/admin/groups/${place}/members/${ada.id}`, { role_id: people.roleNamed('Reader') });
  const base = (await inPlace('POST', '/v1/knowledge-bases', { name: 'Guides' })).json;
  const agent = (await inPlace('POST', '/v1/agents', { name: 'Desk' })).json;
  const rights = { prefix: '/x', visible_to: [{ kind: 'person', id: ada.id }] };
  const set = await inPlace('PUT', `/v1/knowledge-bases/${base.id}/folder-rights`, rights);
  assert.equal(set.status, 200, set.text);
  await query("insert into record_versions (kind, key) values ('publish_gates', $1), ('mcp_program_grants', $2)", [
    `${place}/${agent.id}`,
    place,
  ]);
  assert.deepEqual(await versionsOf(place), ['kb_folder_rights', 'mcp_program_grants', 'publish_gates']);
  assert.equal((await inPlace('DELETE', `/v1/knowledge-bases/${base.id}`)).status, 200);
  assert.deepEqual(await versionsOf(place), ['mcp_program_grants', 'publish_gates']);
  assert.equal((await call('DELETE', `/v1/admin/groups/${place}`)).status, 200);
  assert.deepEqual(await versionsOf(place), []);
});
