import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const { call, at } = kb;
const people = await makePeopleIn(kb);
const [ada, bo, admin] = [
  await people.aMember('Reader'),
  await people.aMember('Reader'),
  await people.aMember('Admin'),
];
type Person = typeof ada;
const everybody = [{ kind: 'everybody' }];
const only = (...who: Person[]) => who.map(({ id }) => ({ kind: 'person', id }));
const word = (...who: Person[]) => who.map(({ id }) => `person:${id}`).join(',');

async function upload(id: string, files: Record<string, string>, query: Record<string, string> = {}) {
  const parts = Object.entries(files).map(
    ([name, text]) => `--B\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n${text}\r\n`,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const sent = await call(
    'POST',
    `${at}/${id}/upload_train?${new URLSearchParams(query)}`,
    `${parts.join('')}--B--\r\n`,
    {
      headers,
    },
  );
  if (sent.status === 200) await kb.trained(id);
  return sent;
}
const get = (who: Person, path: string) => call('GET', path, undefined, as(who.cookie));
const names = async (who: Person, id: string) =>
  ((await get(who, `${at}/${id}/documents`)).json.items as { name: string }[]).map(({ name }) => name).sort();
const found = async (who: Person | null, id: string, query: string) => {
  const answer = await call('POST', `${at}/${id}/search`, { query }, who ? as(who.cookie) : {});
  assert.equal(answer.status, 200, answer.text);
  return (answer.json as { document_source: { name: string } }[]).map((hit) => hit.document_source.name).sort();
};
/** The index follows a change of rights within a moment. */
const foundSoon = (who: Person, id: string, query: string, wanted: string[]) =>
  kb.until(
    () => found(who, id, query),
    (now) => JSON.stringify(now) === JSON.stringify(wanted),
  );
const documentNamed = async (id: string, name: string) =>
  (await kb.documents(id)).find((document) => document.name === name);

test('search, lists, counts, passages and files show only what visible_to allows the person', async () => {
  const id = await kb.base();
  await upload(id, { 'open.txt': 'The walnut harvest of the north' });
  await upload(id, { 'ada.txt': 'The walnut secret of Ada' }, { visible_to: word(ada) });
  await upload(id, { 'nobody.txt': 'The walnut nobody finds' }, { visible_to: '' });
  const role = people.roleNamed('Reader');
  await upload(id, { 'readers.txt': 'The walnut of readers' }, { visible_to: `role:${role}` });

  assert.deepEqual(await names(ada, id), ['ada.txt', 'open.txt', 'readers.txt']);
  assert.deepEqual(await names(bo, id), ['open.txt', 'readers.txt']);
  assert.deepEqual(await names(admin, id), ['ada.txt', 'nobody.txt', 'open.txt', 'readers.txt']);
  assert.deepEqual(await found(ada, id, 'walnut'), ['ada.txt', 'open.txt', 'readers.txt']);
  assert.deepEqual(await found(bo, id, 'walnut'), ['open.txt', 'readers.txt']);
  assert.deepEqual(await found(admin, id, 'walnut'), ['open.txt'], 'administrators search by the same rule');
  assert.deepEqual(await found(null, id, 'walnut'), ['open.txt'], 'a key without a person and a role');

  const counts = async (who: Person) => {
    const { total_documents, trained_documents, num_docs, size } = (await get(who, `${at}/${id}`)).json;
    return [total_documents, trained_documents, num_docs, size > 0];
  };
  assert.deepEqual(await counts(ada), [3, 3, 3, true]);
  assert.deepEqual(await counts(bo), [2, 2, 2, true]);
  assert.deepEqual(await counts(admin), [4, 4, 4, true]);
  const listed = (await get(bo, at)).json.items.find((base: { id: string }) => base.id === id);
  assert.equal(listed.total_documents, 2);

  const hidden = await documentNamed(id, 'ada.txt');
  assert.deepEqual(hidden.visible_to, only(ada));
  for (const path of [
    `${at}/${id}/document/${hidden.id}`,
    `${at}/${id}/chunks?document_id=${hidden.id}`,
    `/v1/files/${hidden.file_id}`,
    `/v1/files/${hidden.file_id}/info`,
  ]) {
    const missing = path.replaceAll(/[0-9a-f-]{12}(?=$|\/info)/g, '-000000000000').replace('--', '-');
    assert.equal((await get(bo, path)).status, 404, path);
    assert.equal((await get(bo, path)).text.length, (await get(bo, missing)).text.length, 'as if it did not exist');
    assert.equal((await get(ada, path)).status, 200, path);
    assert.equal((await get(admin, path)).status, 200, path);
  }
  const chunks = async (who: Person) => (await get(who, `${at}/${id}/chunks`)).json;
  assert.equal((await chunks(bo)).total, 2);
  assert.equal((await chunks(ada)).total, 3);
  assert.ok(!JSON.stringify(await chunks(bo)).includes('secret'));
  const files = async (who: Person) => (await get(who, '/v1/files?search=.txt')).json;
  assert.deepEqual([(await files(ada)).total, (await files(bo)).total, (await files(admin)).total], [3, 2, 4]);
  const runs = async (who: Person) => (await get(who, `${at}/${id}/runs`)).json.length;
  assert.deepEqual([await runs(ada), await runs(bo), await runs(admin)], [3, 2, 4]);
  const asked = { query: 'walnut', document_ids: [hidden.id] };
  assert.equal((await call('POST', `${at}/${id}/search`, asked, as(bo.cookie))).status, 422);
  assert.equal((await call('POST', `${at}/${id}/search`, asked, as(ada.cookie))).status, 200);
});

test('a folder and a document must both allow it, also after moves and later uploads', async () => {
  const id = await kb.base();
  await upload(id, { 'a.txt': 'plum of the folder' }, { prefix: '/board/minutes' });
  const put = (prefix: string, visible_to: unknown) => call('PUT', `${at}/${id}/folder-rights`, { prefix, visible_to });
  assert.deepEqual((await put('board', only(ada, bo))).json, {
    prefix: '/board/',
    visible_to: only(ada, bo).sort((x, y) => (x.id < y.id ? -1 : 1)),
  });
  await upload(id, { 'b.txt': 'plum for Ada' }, { prefix: '/board', visible_to: word(ada) });
  await upload(id, { 'c.txt': 'plum for Admin' }, { prefix: '/board', visible_to: word(admin) });
  await upload(id, { 'd.txt': 'plum for all' }, { prefix: '/boardroom' });
  await foundSoon(ada, id, 'plum', ['a.txt', 'b.txt', 'd.txt']);
  await foundSoon(bo, id, 'plum', ['a.txt', 'd.txt']);
  assert.deepEqual(await found(admin, id, 'plum'), ['d.txt'], 'the folder does not allow it');
  assert.deepEqual(await names(bo, id), ['a.txt', 'd.txt']);

  const outside = await documentNamed(id, 'd.txt');
  await call('PATCH', `${at}/${id}/document/${outside.id}`, { prefix: '/board' });
  await foundSoon(admin, id, 'plum', []);
  await call('PATCH', `${at}/${id}/document/${outside.id}`, { prefix: '/' });
  await foundSoon(admin, id, 'plum', ['d.txt']);

  const folder = await call('POST', `${at}/${id}/document`, { name: 'board', status: 'folder' });
  assert.deepEqual(folder.json.visible_to.length, 2, 'the record of the folder is hidden with it');
  assert.ok(!(await names(admin, id)).includes('x'));
  assert.equal((await call('PATCH', `${at}/${id}/document/${folder.json.id}`, { name: 'council' })).status, 200);
  assert.deepEqual(
    (await call('GET', `${at}/${id}/folder-rights`)).json.map(({ prefix }: { prefix: string }) => prefix),
    ['/council/'],
    'the rights move with the folder',
  );
  assert.deepEqual(await found(bo, id, 'plum'), ['a.txt', 'd.txt']);
  await put('/', only(bo));
  await foundSoon(bo, id, 'plum', ['a.txt', 'd.txt']);
  await foundSoon(ada, id, 'plum', []);
  await put('/', everybody);
  await put('/council', everybody);
  await foundSoon(admin, id, 'plum', ['a.txt', 'c.txt', 'd.txt']);
  assert.deepEqual((await call('GET', `${at}/${id}/folder-rights`)).json, []);
});

test('a change of visible_to and of a role holds at once, and without training again', async () => {
  const id = await kb.base();
  await upload(id, { 'a.txt': 'fig of the garden', 'b.txt': 'fig of the yard' });
  const a = await documentNamed(id, 'a.txt');
  const patch = (visible_to: unknown) => call('PATCH', `${at}/${id}/document/${a.id}`, { visible_to });
  const runs = (await call('GET', `${at}/${id}/runs`)).json.length;
  assert.deepEqual((await patch(only(ada))).json.visible_to, only(ada));
  assert.deepEqual(await found(bo, id, 'fig'), ['b.txt'], 'no moment in which it is still found');
  await foundSoon(ada, id, 'fig', ['a.txt', 'b.txt']);
  assert.deepEqual((await patch(null)).json.visible_to, only(ada), 'null leaves it as it is');
  await patch(everybody);
  await foundSoon(bo, id, 'fig', ['a.txt', 'b.txt']);
  assert.equal((await call('GET', `${at}/${id}/runs`)).json.length, runs, 'nothing was trained');

  const editor = people.roleNamed('Editor');
  await patch([{ kind: 'role', id: editor }]);
  const cy = await people.aMember('Reader');
  assert.deepEqual(await found(cy, id, 'fig'), ['b.txt']);
  const member = `/v1/admin/groups/${people.home}/members/${cy.id}`;
  assert.equal((await call('PUT', member, { role_id: editor })).status, 200);
  const { headers } = await people.signIn(cy.email);
  await foundSoon({ ...cy, cookie: String(headers['set-cookie']).split(';')[0] as string }, id, 'fig', [
    'a.txt',
    'b.txt',
  ]);
  const { json: key } = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'k', role_id: editor });
  const byKey = await call('POST', `${at}/${id}/search`, { query: 'fig' }, { key: key.value });
  assert.equal(byKey.json.length, 2, 'a key with the role');
});

test('refuses viewers that the workspace does not have, and callers who may not edit', async () => {
  const id = await kb.base();
  const other = await kb.workspace();
  const stranger = await people.aMember('Reader', other.id);
  const put = (visible_to: unknown, options = {}) =>
    call('PUT', `${at}/${id}/folder-rights`, { prefix: '/x', visible_to }, options);
  for (const wrong of [
    only(stranger),
    [{ kind: 'role', id: ada.id }],
    [{ kind: 'person', id: people.roleNamed('Reader') }],
    [{ kind: 'user_group', id: ada.id }],
    [{ kind: 'person' }],
    [{ kind: 'everybody' }, ...only(ada)],
    [{ kind: 'team', id: ada.id }],
  ])
    assert.equal((await put(wrong)).status, 422, JSON.stringify(wrong));
  const [unknown, foreign] = [await put([{ kind: 'person', id }]), await put(only(stranger))];
  assert.equal(unknown.json.detail[0].msg, foreign.json.detail[0].msg);
  assert.equal((await put(only(ada), as(ada.cookie))).status, 403);
  assert.equal((await call('GET', `${at}/${id}/folder-rights`, undefined, as(ada.cookie))).status, 403);
  assert.equal((await put(only(ada), { key: other.key })).status, 404);
  assert.equal((await upload(id, { 'a.txt': 'x' }, { visible_to: word(stranger) })).status, 422);
  assert.equal((await upload(id, { 'a.txt': 'x' }, { visible_to: 'person' })).status, 422);
  assert.deepEqual(await kb.documents(id), []);
});
