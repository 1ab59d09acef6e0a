import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../lib/ids.ts';
import { IndexMissing, type IndexName, type IndexRow, type RetrievalIndex } from './driver.ts';

/** The conformance tests of a search index; the tests of each implementation run them. */
export function conforms(what: string, index: RetrievalIndex): void {
  const fresh = async (spec: { language?: string | null; dimension?: number | null } = {}): Promise<IndexName> => {
    const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
    await index.create(name, { language: 'en', dimension: null, ...spec });
    return name;
  };
  const row = (text: string, more: Partial<IndexRow> = {}): IndexRow => ({
    id: newId(),
    document_id: newId(),
    run_id: newId(),
    path: '/',
    text,
    heading: '',
    vector: null,
    ...more,
  });

  test(`${what}: words are found by their stems, the best first, at once`, async () => {
    const name = await fresh();
    const [dog, dogs, cat] = [row('A dog ran'), row('Running dogs, more dogs'), row('A cat slept')];
    await index.add(name, [cat, dog, dogs]);
    const found = await index.searchText(name, 'dogs running', 10);
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([dog.id, dogs.id]));
    assert.ok((found[0]?.score ?? 0) >= (found[1]?.score ?? 0));
    const late = row('An aardvark');
    await index.add(name, [late]);
    assert.deepEqual(
      (await index.searchText(name, 'aardvarks', 10)).map(({ id }) => id),
      [late.id],
    );
    await index.tend(name, 'fully');
    assert.equal((await index.searchText(name, 'aardvarks', 10)).length, 1);
    assert.deepEqual(await index.state(name), { rows: 4, dimension: null });
  });

  test(`${what}: a word that a question has several times counts as often`, async () => {
    const name = await fresh();
    const [lease, invoice] = [row('The lease of the warehouse'), row('The invoice of the warehouse')];
    await index.add(name, [lease, invoice, row('A dog ran')]);
    const best = async (query: string) => (await index.searchText(name, query, 10)).map(({ id }) => id);
    assert.deepEqual(await best('invoice lease invoice'), [invoice.id, lease.id]);
    assert.deepEqual(await best('invoice lease lease the the the'), [lease.id, invoice.id]);
    assert.deepEqual(await best('lease the the'), [lease.id], 'words that are all stop words break nothing');
  });

  test(`${what}: finds words of scripts without spaces in an index of any language`, async () => {
    for (const language of ['en', 'zh', null]) {
      const name = await fresh({ language });
      const [panda, tokyo, bear, thai] = [
        row('大熊猫吃竹子。The panda eats bamboo.'),
        row('東京タワーは日本の首都にあります'),
        row('왜가리는 연못에서 물고기를 기다린다'),
        row('นกกระสารอปลาอยู่ริมบึง'),
      ];
      await index.add(name, [panda, tokyo, bear, thai, row('A heron waits')]);
      const found = async (query: string) => (await index.searchText(name, query, 10)).map(({ id }) => id);
      assert.deepEqual(await found('熊猫吃什么'), [panda.id]);
      assert.deepEqual(await found('panda'), [panda.id]);
      assert.deepEqual(await found('日本の首都'), [tokyo.id]);
      assert.deepEqual(await found('연못의 왜가리'), [bear.id]);
      assert.deepEqual(await found('ปลา'), [thai.id]);
      assert.deepEqual(await found('長城'), []);
      for (const [sign, own] of [
        ['猫', panda],
        ['大', panda],
        ['子', panda],
        ['都', tokyo],
        ['물', bear],
        ['ป', thai],
      ] as const)
        assert.deepEqual(await found(sign), [own.id], `${sign} alone`);
      assert.deepEqual(await found('長'), []);
      assert.deepEqual(await found('熊長'), [], 'two signs are asked for as they stand together');
      const late = row('小猫');
      await index.add(name, [late]);
      assert.deepEqual(new Set(await found('猫')), new Set([panda.id, late.id]));
    }
  });

  test(`${what}: a question without words finds nothing`, async () => {
    const name = await fresh();
    for (const text of ['', '  ', '???', 'the of and']) assert.deepEqual(await index.searchText(name, text, 5), []);
    await index.add(name, [row('the end')]);
    for (const text of ['', '???', 'the of and']) assert.deepEqual(await index.searchText(name, text, 5), []);
  });

  test(`${what}: a folder is searched with all below it, and nothing beside it`, async () => {
    const name = await fresh();
    const paths = ['/', '/a/', '/a/b/', '/ab/', "/o'x/", '/a%/', '/A/'];
    const rows = paths.map((path) => row('apple', { path }));
    await index.add(name, rows);
    const found = async (path: string) => {
      const ids = (await index.searchText(name, 'apple', 20, { path })).map(({ id }) => id);
      return rows.filter(({ id }) => ids.includes(id)).map((one) => one.path);
    };
    assert.deepEqual(await found('/a/'), ['/a/', '/a/b/']);
    assert.deepEqual(await found('/'), paths);
    assert.deepEqual(await found("/o'x/"), ["/o'x/"]);
    assert.deepEqual(await found("/' OR 1=1 --/"), []);
    const [one] = rows;
    const ids = await index.searchText(name, 'apple', 20, { document_ids: [one?.document_id ?? ''] });
    assert.deepEqual(
      ids.map(({ id }) => id),
      [one?.id],
    );
    await index.move(name, [one?.document_id ?? ''], '/a/c/');
    assert.deepEqual(await found('/a/'), ['/', '/a/', '/a/b/']);
  });

  test(`${what}: documents go, and outdated trainings of one`, async () => {
    const name = await fresh();
    const document_id = newId();
    const [old, now] = [row('pear old', { document_id }), row('pear new', { document_id })];
    const other = row('pear other');
    await index.add(name, [old, now, other]);
    await index.removeOutdated(name, [{ document_id, run_id: now.run_id }]);
    const ids = async () => new Set((await index.searchText(name, 'pear', 10)).map(({ id }) => id));
    assert.deepEqual(await ids(), new Set([now.id, other.id]));
    await index.remove(name, [document_id]);
    assert.deepEqual(await ids(), new Set([other.id]));
    const next = row('pear next', { document_id: other.document_id });
    await index.add(name, [next]);
    await index.tend(name, 'replacing');
    await index.removeOutdated(name, [{ document_id: other.document_id, run_id: next.run_id }]);
    assert.deepEqual(await ids(), new Set([next.id]), 'also when all that was in order has gone');
  });

  test(`${what}: single rows go, and come back`, async () => {
    const name = await fresh();
    const document_id = newId();
    const [one, two] = [row('plum one', { document_id }), row('plum two', { document_id })];
    await index.add(name, [one, two]);
    await index.removeRows(name, [one.id, newId()]);
    const ids = async () => new Set((await index.searchText(name, 'plum', 10)).map(({ id }) => id));
    assert.deepEqual(await ids(), new Set([two.id]));
    await index.removeRows(name, []);
    await index.add(name, [one]);
    assert.deepEqual(await ids(), new Set([one.id, two.id]));
  });

  test(`${what}: vectors are found by their direction; rows without one are left out`, async () => {
    const name = await fresh({ dimension: 3 });
    const near = row('near', { vector: Float32Array.of(1, 0.1, 0), path: '/a/' });
    const far = row('far', { vector: Float32Array.of(0, 1, 0) });
    await index.add(name, [row('none'), row('odd', { vector: Float32Array.of(1, 2) }), far, near]);
    const found = await index.searchVector(name, Float32Array.of(10, 0, 0), 10);
    assert.deepEqual(
      found.map(({ id }) => id),
      [near.id, far.id],
    );
    assert.ok((found[0]?.score ?? 0) > 0.99 && (found[1]?.score ?? 1) < 0.01);
    const filtered = await index.searchVector(name, Float32Array.of(0, 1, 0), 10, { path: '/a/' });
    assert.deepEqual(
      filtered.map(({ id }) => id),
      [near.id],
    );
    assert.deepEqual(await index.searchVector(name, Float32Array.of(1, 2), 10), []);
  });

  test(`${what}: vectors of equal score come in the order of their ids, whatever was added first`, async () => {
    const name = await fresh({ dimension: 3 });
    const rows = Array.from({ length: 6 }, () => row('same words', { vector: Float32Array.of(1, 0, 0) }));
    await index.add(name, rows.slice(3).reverse());
    await index.add(name, rows.slice(0, 3));
    const found = await index.searchVector(name, Float32Array.of(1, 0, 0), 10);
    assert.deepEqual(
      found.map(({ id }) => id),
      rows.map(({ id }) => id).sort(),
    );
  });

  test(`${what}: scores by the words of another index, so that hits of both can be compared`, async () => {
    const [main, few] = [await fresh(), await fresh()];
    const filler = Array.from({ length: 60 }, (_, at) => row(`report number${at} about common things`));
    await index.add(main, [...filler, row('report about zebras')]);
    await index.tend(main, 'fully');
    const [rare, common] = [row('zebras report'), row('another report, another report, another report')];
    await index.add(few, [rare, common]);
    const own = await index.searchText(few, 'zebra report', 5);
    const compared = await index.searchText(few, 'zebra report', 5, {}, main);
    const [best] = await index.searchText(main, 'zebra report', 5);
    assert.equal(compared[0]?.id, rare.id);
    assert.ok((own[0]?.score ?? 9) < 1.5, 'in an index of two rows nothing is rare');
    const ratio = (compared[0]?.score ?? 0) / (best?.score ?? 1);
    assert.ok(ratio > 0.5 && ratio < 2, `${ratio} of the score in the other index`);
    assert.deepEqual(await index.searchText(few, 'zebra report', 5, {}, main), compared);
    await index.add(main, [row('zebra zebra')]);
    assert.deepEqual(await index.searchText(few, 'zebra report', 5, {}, main), compared, 'until it is tended again');
  });

  test(`${what}: gives candidates with their texts, each word counted once`, async () => {
    const name = await fresh();
    const [pear, plum] = [row('A pear', { heading: 'Fruit' }), row('Plums', { path: '/a/' })];
    await index.add(name, [pear, plum, row('Stones')]);
    const found = await index.findCandidates(name, ['pears', 'plum', 'plum'], 10);
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([pear.id, plum.id]));
    assert.deepEqual(
      found.filter(({ id }) => id === pear.id).map(({ text, heading }) => [text, heading]),
      [['A pear', 'Fruit']],
    );
    assert.deepEqual(
      (await index.findCandidates(name, ['pear', 'plum'], 10, { path: '/a/' })).map(({ id }) => id),
      [plum.id],
    );
    assert.deepEqual(await index.findCandidates(name, [], 10), []);
    assert.deepEqual(await index.findCandidates(name, ['the'], 10), []);
  });

  test(`${what}: reads all passages of a small index, and its version differs after each write`, async () => {
    const name = await fresh();
    const [pear, plum] = [row('A pear', { heading: 'Fruit' }), row('Plums')];
    const versions = [await index.versionOf(name)];
    const noteVersion = async () => void versions.push(await index.versionOf(name));
    assert.deepEqual(await index.readPassages(name, 2), []);
    await index.add(name, [pear, plum]);
    await noteVersion();
    assert.equal(await index.versionOf(name), versions[1], 'reading is no write');
    const read = new Map((await index.readPassages(name, 2))?.map((passage) => [passage.id, passage]));
    assert.deepEqual(read.get(pear.id), { id: pear.id, text: 'A pear', heading: 'Fruit' });
    assert.equal(read.size, 2);
    assert.equal(await index.readPassages(name, 1), undefined);
    await index.removeRows(name, [pear.id]);
    await noteVersion();
    assert.deepEqual(
      (await index.readPassages(name, 1))?.map(({ id }) => id),
      [plum.id],
    );
    await index.drop(name);
    await assert.rejects(index.versionOf(name), IndexMissing);
    await index.create(name, { language: 'en', dimension: null });
    await noteVersion();
    await index.add(name, [pear, plum]);
    await noteVersion();
    assert.equal(new Set(versions).size, versions.length, 'also when an index is made anew under its name');
  });

  test(`${what}: samples passages evenly and keeps what was learned from them until it is dropped`, async () => {
    const name = await fresh();
    await index.add(
      name,
      Array.from({ length: 400 }, (_, at) => row(`text ${at}`, { heading: 'h' })),
    );
    assert.equal((await index.samplePassages(name, 400)).length, 400);
    const some = await index.samplePassages(name, 100);
    assert.ok(some.length > 40 && some.length < 200, `${some.length} of about 100`);
    assert.deepEqual(some[0]?.heading, 'h');
    assert.equal(await index.readModel(name), undefined);
    await index.writeModel(name, Uint8Array.of(1, 2));
    const stored = await index.readModel(name);
    assert.ok(stored && stored !== 'unchanged');
    assert.deepEqual([...stored.bytes], [1, 2]);
    assert.equal(await index.readModel(name, stored.version), 'unchanged');
    await index.writeModel(name, null);
    assert.equal(await index.readModel(name, stored.version), undefined);
    await index.writeModel(name, Uint8Array.of(3));
    await index.drop(name);
    assert.equal(await index.readModel(name), undefined);
    await assert.rejects(index.writeModel(name, Uint8Array.of(4)), IndexMissing);
  });

  test(`${what}: each language has its own stems`, async () => {
    for (const [language, text, query] of [
      ['de', 'Die Häuser der Städte', 'haus'],
      ['fr', 'Les chevaux mangeaient', 'manger'],
      ['ja', '東京都に住んでいます', '東京'],
      [null, 'Dům u řeky', 'dum'],
      ['xx', 'plain words', 'words'],
    ] as const) {
      const name = await fresh({ language });
      await index.add(name, [row(text), row('zzz')]);
      assert.equal((await index.searchText(name, query, 5)).length, 1, `${language}`);
    }
  });

  test(`${what}: throws IndexMissing when the index does not exist`, async () => {
    const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
    await assert.rejects(index.searchText(name, 'x', 5), IndexMissing);
    await assert.rejects(index.state(name), IndexMissing);
    await assert.rejects(index.add(name, [row('x')]), IndexMissing);
    await index.drop(name);
    const made = await fresh();
    await index.dropAll({ workspace_id: made.workspace_id, kb_id: made.kb_id });
    await assert.rejects(index.state(made), IndexMissing);
  });

  test(`${what}: a copy has the rows of its moment, and later writes to the first one do not reach it`, async () => {
    const name = await fresh();
    const [early, late] = [row('An early otter'), row('A late otter')];
    await index.add(name, [early]);
    await index.writeModel(name, Buffer.from('model'));
    await index.create({ ...name, name: `${name.name}-r1` }, { language: 'en', dimension: null });
    const copy = { ...name, name: newId() };
    await index.copyAll(name, copy.name);
    await index.add(name, [late]);
    const found = async (at: IndexName) => (await index.searchText(at, 'otter', 10)).map(({ id }) => id);
    assert.deepEqual(await found(copy), [early.id]);
    await index.drop(name);
    await index.add(copy, [late]);
    assert.deepEqual(new Set(await found(copy)), new Set([early.id, late.id]));
    assert.equal((await index.state({ ...copy, name: `${copy.name}-r1` })).rows, 0);
    const model = await index.readModel(copy);
    assert.equal(model && model !== 'unchanged' && model.bytes.toString(), 'model');
    await assert.rejects(index.copyAll(name, newId()), IndexMissing);
  });
}
