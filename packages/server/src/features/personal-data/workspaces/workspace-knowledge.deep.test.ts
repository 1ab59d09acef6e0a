import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { until } from '../../../../test/support/two-nodes.ts';
import { as, cookieOf, makePeopleIn } from '../../people/testing.ts';
import { archivesApp, edited, form, inWorkspace, type Named, namesOf, shown } from './testing.ts';

const app = await archivesApp({ db_pool: 12 });
const { call, good, exported, imported, workspace, within } = app;
const people = await makePeopleIn(app);
const at = '/v1/knowledge-bases';

const trained = (group_id: string, kb_id: string) =>
  until('all documents are trained', async () => {
    const base = await within(group_id).get(`${at}/${kb_id}`);
    return base.status === 'ready' && base.training_documents === 0;
  });

async function aWorkspaceWithKnowledge() {
  const here = await workspace('Library');
  const reader = await people.aMember('Reader', here.id);
  const group = await good('POST', '/v1/admin/user-groups', { name: 'Board' });
  const base = await here.make(at, {
    ...{ name: 'Manuals', description: 'How things work', meta: { shelf: 3 }, document_types: ['manual'] },
    ...{ kb_type: 'entity', version: 'v3', settings_: { default_chunk_size: 900, retrieval_top_k: 7 } },
  });
  await here.patch(`${at}/${base.id}`, { summary: 'Walnuts' });
  const upload = (name: string, text: string, query: Record<string, string> = {}) =>
    good(
      'POST',
      `${at}/${base.id}/upload_train?${new URLSearchParams(query)}`,
      ...form(strToU8(text), inWorkspace(here.id).headers, { field: 'files', filename: name }),
    );
  await upload('open.txt', 'The walnut harvest of the north');
  await upload('reader.txt', 'The walnut secret of the reader', { visible_to: `person:${reader.id}` });
  await upload('board.txt', 'The walnut plans of the board', { visible_to: `user_group:${group.id}`, prefix: 'plans' });
  await upload('hidden.txt', 'The walnut that lies in a folder', { prefix: '/legal/old' });
  await upload('rows.csv', 'nut,price\nwalnut,3\nhazel,2\n');
  await here.make(`${at}/${base.id}/document`, {
    ...{ name: 'legal', status: 'folder', visible_to: [{ kind: 'person', id: reader.id }] },
  });
  await here.make(`${at}/${base.id}/document`, { name: 'later', doc_metadata: { kept_in: base.id } });
  await here.make('/v1/agents', {
    ...{ name: 'Librarian' },
    definition: { model: ['atrium/extractive'], knowledge_bases: [{ id: base.id }] },
  });
  await trained(here.id, base.id);
  return { ...here, base, reader, group };
}

/** What the API shows of the knowledge bases, with names in place of ids. */
async function knowledgeOf(group_id: string) {
  const { get } = within(group_id);
  const bases = (await get(at)).items as Named[];
  const [base] = bases as [Named];
  const documents = (await get(`${at}/${base.id}/documents?size=100`)).items as Named[];
  const tables = (await get('/v1/tables?source=custom')).items as Named[];
  const chunks = (await get(`${at}/${base.id}/chunks?size=100`)).items as { content: string }[];
  const files = (await get('/v1/files')).items as Named[];
  const names = namesOf(group_id, bases, tables, files, documents);
  const [{ definition }] = (await get('/v1/agents')).items;
  const byName = documents.toSorted((a, b) => `${a.name}`.localeCompare(`${b.name}`));
  const folders = await get(`${at}/${base.id}/folder-rights`);
  return {
    ...shown({ base, documents: byName, folders, tables, asked: definition.knowledge_bases }, names),
    passages: chunks.map(({ content }) => content).toSorted(),
    files: files.map(({ filename }) => filename).toSorted(),
  };
}

const library = await aWorkspaceWithKnowledge();
const archive = await exported(library.id);
const baseOf = async (group_id: string) => (await within(group_id).get(at)).items[0].id as string;
const importedLibrary = async (bytes: Uint8Array) => {
  const done = await imported(bytes);
  assert.deepEqual([done.status, done.error], ['done', null]);
  await trained(done.group_id, await baseOf(done.group_id));
  return done;
};

test('imports knowledge bases with settings, folders, documents, files and who sees them', async () => {
  assert.partialDeepStrictEqual(archive.job.report, { knowledge_bases: 1, documents: 7, tables: 1, files: 5 });
  const done = await importedLibrary(archive.bytes);
  assert.partialDeepStrictEqual(done.report, { knowledge_bases: 1, documents: 7, tables: 1, files: 5 });
  assert.deepEqual(done.follow_up, []);
  const [before, after] = [await knowledgeOf(library.id), await knowledgeOf(done.group_id)];
  assert.equal(before.documents.length, 7);
  assert.equal(before.passages.length, 5);
  assert.deepEqual(after, before);

  // Who sees what is as before: the reader does not see the plans of the board, and others less.
  const seenBy = async (person: { cookie: string }) => {
    const here = as(person.cookie, inWorkspace(done.group_id).headers);
    const hits = await good('POST', `${at}/${await baseOf(done.group_id)}/search`, { query: 'walnut' }, here);
    const files = await good('GET', '/v1/files', undefined, here);
    return [
      hits.map((hit: { document_source: Named }) => hit.document_source.name).toSorted(),
      files.items.map(({ filename }: Named) => filename).toSorted(),
    ];
  };
  const role_id = people.roleNamed('Reader');
  await good('PUT', `/v1/admin/groups/${done.group_id}/members/${library.reader.id}`, { role_id });
  // Another role ends the sessions of a person.
  const reader = { cookie: cookieOf(await people.signIn(library.reader.email)) };
  const other = await people.aMember('Reader', done.group_id);
  const open = ['open.txt', 'rows.csv'];
  const allowed = ['hidden.txt', 'open.txt', 'reader.txt', 'rows.csv'];
  await until('the index has the rights', async () => (await seenBy(reader))[0]?.length === 4);
  assert.deepEqual(await seenBy(reader), [allowed, allowed]);
  assert.deepEqual(await seenBy(other), [open, open]);
});

test('documents for people and groups that are not known here are imported for editors only, and reported', async () => {
  const [strange, unknown] = ['0'.repeat(8), '1'.repeat(8)].map((start) => `${start}-0000-4000-8000-000000000000`);
  const replace = (text: string) =>
    text.replaceAll(library.reader.id, `${strange}`).replaceAll(library.group.id, `${unknown}`);
  const documents = edited(archive.bytes, 'documents.ndjson', replace);
  const done = await importedLibrary(edited(documents, 'knowledge_bases.ndjson', replace));
  const { get } = within(done.group_id);
  const listed = (await get(`${at}/${await baseOf(done.group_id)}/documents?size=100`)).items as (Named & {
    visible_to: unknown;
  })[];
  const seen = Object.fromEntries(listed.map(({ name, visible_to }) => [name, visible_to]));
  assert.deepEqual(seen, {
    ...{ 'open.txt': null, 'rows.csv': null, 'hidden.txt': null, later: null },
    ...{ 'reader.txt': [], 'board.txt': [], legal: [] },
  });
  assert.deepEqual(await get(`${at}/${await baseOf(done.group_id)}/folder-rights`), [
    { prefix: '/legal/', visible_to: [] },
  ]);
  const notes = done.follow_up.map(({ kind, name, detail }: Record<string, string>) => `${kind} ${name} ${detail}`);
  assert.deepEqual(notes.toSorted(), [
    `document board.txt visible_to: user_group ${unknown}`,
    `document legal visible_to: person ${strange}`,
    `document reader.txt visible_to: person ${strange}`,
    `knowledge_base Manuals /legal/ visible_to: person ${strange}`,
  ]);
  const other = await people.aMember('Reader', done.group_id);
  const files = await good('GET', '/v1/files', undefined, as(other.cookie, inWorkspace(done.group_id).headers));
  assert.deepEqual(files.items.map(({ filename }: Named) => filename).toSorted(), ['open.txt', 'rows.csv']);
});

test('a knowledge base that can not be imported is left out with its documents and their files', async () => {
  const done = await imported(
    edited(archive.bytes, 'knowledge_bases.ndjson', (text) =>
      text.replace('"default_chunk_size":900', '"default_chunk_size":900,"default_chunk_overlap":900'),
    ),
  );
  assert.equal(done.status, 'done', done.error);
  const { get } = within(done.group_id);
  assert.deepEqual((await get(at)).items, []);
  assert.partialDeepStrictEqual(done.report, { knowledge_bases: 0, documents: 0, files: 2 });
  const [base] = done.follow_up.filter(({ kind }: { kind: string }) => kind === 'knowledge_base');
  assert.match(base.detail, /default_chunk_overlap/);
  // Those that everybody could read anyway.
  const files = (await get('/v1/files')).items as Named[];
  assert.deepEqual(files.map(({ filename }) => filename).toSorted(), ['open.txt', 'rows.csv']);
});

test('a file that not everybody may read is imported with the document alone that owns it', async () => {
  const here = await workspace('Shared');
  const settings_ = { default_chunk_size: 900 };
  const [owner, user] = [await here.make(at, { name: 'A', settings_ }), await here.make(at, { name: 'B' })];
  const sent = form(strToU8('The walnut secret'), inWorkspace(here.id).headers, { field: 'files', filename: 's.txt' });
  await good('POST', `${at}/${owner.id}/upload_train?visible_to=`, ...sent);
  const [file] = (await here.get('/v1/files')).items;
  const source = { source_type: 'document', config: { files: [{ uri: file.uri }] } };
  await here.make(`${at}/${user.id}/generic_train?visible_to=`, { source });
  const { bytes } = await exported(here.id);
  const bad = edited(bytes, 'knowledge_bases.ndjson', (text) =>
    text.replace('"default_chunk_size":900', '"default_chunk_size":900,"default_chunk_overlap":900'),
  );
  const done = await imported(bad);
  assert.partialDeepStrictEqual(done.report, { knowledge_bases: 1, documents: 1, files: 0 });
  assert.deepEqual((await within(done.group_id).get('/v1/files')).items, []);
  assert.ok(done.follow_up.some(({ detail }: { detail: string }) => detail === `file ${file.id}`));
});

test('reports passages that were changed by hand, which are made anew', async () => {
  const here = await workspace('Edited');
  const base = await here.make(at, { name: 'A' });
  const sent = form(strToU8('The walnut'), inWorkspace(here.id).headers, { field: 'files', filename: 'w.txt' });
  await good('POST', `${at}/${base.id}/upload_train`, ...sent);
  await trained(here.id, base.id);
  const [chunk] = (await here.get(`${at}/${base.id}/chunks`)).items;
  await here.patch(`${at}/${base.id}/chunks/${chunk.id}`, { enabled: false });
  const done = await imported((await exported(here.id)).bytes);
  assert.partialDeepStrictEqual(done.follow_up, [{ what: 'left_out', kind: 'document', name: 'w.txt' }]);
  assert.match(done.follow_up[0].detail, /^1 passages/);
});

test('leaves credentials in the addresses of documents out of the archive', async () => {
  const here = await workspace('Web');
  const base = await here.make(at, { name: 'Pages' });
  const uri = 'https://ada:zanthoxyl@127.0.0.1:1/page?token=zanthoxyl&a=1';
  const source = { source_type: 'website', config: { urls: [uri] } };
  await here.make(`${at}/${base.id}/generic_train`, { source });
  const { bytes } = await exported(here.id);
  const [text] = ['documents.ndjson'].map((name) => strFromU8(unzipSync(bytes)[name] as Uint8Array)) as [string];
  assert.doesNotMatch(text, /zanthoxyl/);
  assert.match(text, /"source_url":"https:\/\/127\.0\.0\.1:1\/page\?a=1"/);
  const done = await imported(bytes);
  assert.partialDeepStrictEqual(done.follow_up, [{ what: 'secret', kind: 'document', detail: 'source_url' }]);
  assert.equal(
    (await call('GET', `${at}/${await baseOf(done.group_id)}`, undefined, inWorkspace(done.group_id))).status,
    200,
  );
});
