import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ providers: asProvider(provider.url), embedding_model: 'fake/embedder' });
const people = await makePeopleIn(kb);
const [editor, reader] = [await people.aMember('Editor'), await people.aMember('Reader')];
const settings = { auto_summary: false, text_chunk_size: 60, text_chunk_overlap: 0, retrieval_method: 'full_text' };
const parts = [
  'The first part speaks of walnuts in the garden.',
  'The second part speaks of herons at the pond.',
  'The third part speaks of lanterns in the hall.',
];

async function filled(more: object = {}) {
  const base = await kb.base({ ...settings, ...more });
  const [document] = await kb.fill(base, { 'a.txt': parts.join('\n\n') });
  const path = `${kb.at}/${base}`;
  const list = async () => (await kb.call('GET', `${path}/chunks?size=100`)).json.items;
  const change = (id: string, body: object, by = {}) => kb.call('PATCH', `${path}/chunks/${id}`, body, by);
  const add = (body: object, by = {}) => kb.call('POST', `${path}/document/${document.id}/chunks`, body, by);
  const finds = async (word: string) =>
    (await kb.search(base, word)).map(({ content }: { content: string }) => content);
  /** The index itself has followed, not only what is read from the database after it. */
  const followed = () =>
    kb.until(
      () => kb.query('select 1 from kb_passage_changes where kb_id = $1', [base]),
      (left) => left.length === 0,
    );
  const train = async () => {
    await kb.call('PATCH', `${path}/document/${document.id}`, { status: 'training' });
    return (await kb.trained(base))[0];
  };
  return { base, path, document, list, change, add, finds, followed, train };
}
const good = (answer: { status: number; text: string; json: { id: string } & Record<string, unknown> }) => {
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test('switches a passage off and on, and says who did', async () => {
  const { list, change, finds, followed } = await filled();
  const [, herons] = await list();
  assert.deepEqual([herons.enabled, herons.changed_by, herons.etag], [true, null, '0']);
  const off = good(await change(herons.id, { enabled: false }, as(editor.cookie)));
  assert.deepEqual([off['enabled'], off['changed_by'], off['etag']], [false, editor.id, '1']);
  assert.equal((off['changed_by_actor'] as { kind: string }).kind, 'person');
  assert.ok(off['changed_at']);
  assert.deepEqual(await finds('herons'), [], 'at once');
  await followed();
  assert.deepEqual(await finds('herons'), []);
  good(await change(herons.id, { enabled: true }));
  await followed();
  assert.deepEqual(await finds('herons'), [parts[1]]);
});

test('finds an edited passage by its new words and not by the old ones', async () => {
  const { list, change, finds, followed, path } = await filled();
  const [walnuts] = await list();
  const edited = good(await change(walnuts.id, { content: 'Almonds grow here instead.' }));
  assert.deepEqual([edited['content'], edited['original']], ['Almonds grow here instead.', parts[0]]);
  await followed();
  assert.deepEqual(await finds('almonds'), ['Almonds grow here instead.']);
  assert.deepEqual(await finds('walnuts'), []);
  const wide = await kb.search(path.split('/').at(-1) ?? '', 'herons', {
    settings_: { retrieval_top_k_window: [1, 0] },
  });
  assert.equal(wide[0].content, `Almonds grow here instead.\n\n${parts[1]}`, 'as a neighbour too');
  const back = good(await change(walnuts.id, { content: parts[0] }));
  assert.equal(back['original'], null);
  await followed();
  assert.deepEqual(await finds('walnuts'), [parts[0]]);
});

test('embeds edited and added passages, so that they are found by meaning', async () => {
  const { base, list, change, add, followed } = await filled({ retrieval_method: 'semantic' });
  const [walnuts] = await list();
  const edited = good(await change(walnuts.id, { content: 'A kitten sleeps.' }));
  assert.equal(edited['embedding_model'], 'fake/embedder');
  good(await add({ content: 'The vehicle stands outside.' }));
  await followed();
  assert.equal((await kb.search(base, 'feline'))[0].content, 'A kitten sleeps.');
  assert.equal((await kb.search(base, 'automobile'))[0].content, 'The vehicle stands outside.');
});

test('adds a passage by hand, cites it, and deletes only such a one', async () => {
  const { path, document, base, list, add, finds, followed } = await filled();
  const made = good(await add({ content: 'The office is closed on Fridays.', headings: ['Hours'], page: 2 }));
  assert.deepEqual([made['added'], made['page'], made['position']], [true, 2, 3]);
  await followed();
  const [hit] = await kb.search(base, 'fridays', { settings_: { retrieval_top_k_window: [2, 2] } });
  assert.deepEqual(
    [hit.content, hit.citation.document_id, hit.citation.chunk_id],
    ['The office is closed on Fridays.', document.id, made.id],
  );
  assert.deepEqual(await finds('hours'), ['The office is closed on Fridays.'], 'by its headings too');
  const [own] = await list();
  const refused = await kb.call('DELETE', `${path}/chunks/${own.id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'passage_of_document']);
  good(await kb.call('DELETE', `${path}/chunks/${made.id}`));
  await followed();
  assert.deepEqual(await finds('fridays'), []);
  assert.equal((await list()).length, 3);
});

test('keeps changes when the document is trained again, and drops those whose text is gone with a note', async () => {
  const { base, path, list, change, add, finds, train } = await filled();
  const [walnuts, herons] = await list();
  good(await change(walnuts.id, { content: 'Almonds grow here instead.' }, as(editor.cookie)));
  good(await change(herons.id, { enabled: false }));
  good(await add({ content: 'The office is closed on Fridays.' }));
  assert.deepEqual((await train()).notes, []);
  const kept = await list();
  assert.deepEqual(
    kept.map((own: { content: string; enabled: boolean; added: boolean; original: string | null }) => [
      ...[own.content, own.enabled, own.added, own.original],
    ]),
    [
      ['Almonds grow here instead.', true, false, parts[0]],
      [parts[1], false, false, null],
      [parts[2], true, false, null],
      ['The office is closed on Fridays.', true, true, null],
    ],
  );
  assert.equal(kept[0].changed_by, editor.id);
  assert.deepEqual(await finds('almonds'), ['Almonds grow here instead.']);
  assert.deepEqual([await finds('herons'), await finds('walnuts')], [[], []]);
  await kb.patch(base, { settings_: { text_chunk_size: 1000 } });
  const trained = await train();
  assert.match(trained.notes.join(), /2 changed passages/);
  assert.deepEqual(
    (await list()).map((own: { added: boolean }) => own.added),
    [false, true],
  );
  await kb.call('POST', `${path}/reindex`);
  await kb.ready(base);
  assert.deepEqual(await finds('fridays'), ['The office is closed on Fridays.']);
});

test('refuses changes while the document is trained or untrained, and stale ones', async () => {
  const { base, path, list, change, add } = await filled();
  const [own] = await list();
  good(await change(own.id, { enabled: false }));
  const stale = await kb.call('PATCH', `${path}/chunks/${own.id}`, { enabled: true }, { headers: { 'if-match': '0' } });
  assert.deepEqual([stale.status, stale.json.code], [409, 'etag_mismatch']);
  good(await kb.call('PATCH', `${path}/chunks/${own.id}`, { enabled: true }, { headers: { 'if-match': '1' } }));
  await kb.query("update kb_documents set status = 'training' where kb_id = $1", [base]);
  for (const answer of [await change(own.id, { enabled: false }), await add({ content: 'x' })])
    assert.deepEqual([answer.status, answer.json.code], [409, 'document_in_training']);
  const { json: bare } = await kb.call('POST', `${path}/document`, { name: 'bare' });
  const untrained = await kb.call('POST', `${path}/document/${bare.id}/chunks`, { content: 'x' });
  assert.deepEqual([untrained.status, untrained.json.code], [409, 'document_not_trained']);
  assert.equal((await add({ content: '  ' })).status, 422);
});

test('lets only editors change passages, in their own knowledge base', async () => {
  const { list, change, add, path } = await filled();
  const [own] = await list();
  for (const answer of [
    await change(own.id, { enabled: false }, as(reader.cookie)),
    await add({ content: 'x' }, as(reader.cookie)),
    await kb.call('DELETE', `${path}/chunks/${own.id}`, undefined, as(reader.cookie)),
  ])
    assert.equal(answer.status, 403);
  const elsewhere = `${kb.at}/${await kb.base()}/chunks/${own.id}`;
  for (const method of ['PATCH', 'DELETE'])
    assert.equal((await kb.call(method, elsewhere, { enabled: false })).status, 404);
  const other = await kb.workspace();
  assert.equal((await change(own.id, { enabled: false }, { key: other.key })).status, 404);
});

test('the audit log has the length of a passage and no word of it', async () => {
  const { path, document, add, change } = await filled();
  const { id } = good(await add({ content: 'Zebras graze here.' }));
  good(await change(id, { content: 'Zebras sleep here too.' }));
  assert.equal((await kb.call('DELETE', `${path}/chunks/${id}`)).status, 200);
  const rows = await kb.query(
    "select before, after from audit_log where operation like 'passages.%' and target_id = $1 order by at, id",
    [document.id],
  );
  assert.equal(rows.length, 3);
  assert.doesNotMatch(JSON.stringify(rows), /zebra/i);
  const lengths = rows.map(({ before, after }) => [before?.characters, after?.characters]);
  assert.deepEqual(lengths, [
    [undefined, 18],
    [18, 22],
    [22, undefined],
  ]);
});
