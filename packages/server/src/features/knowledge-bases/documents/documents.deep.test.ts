import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Db } from '../../../db/database.ts';
import { compile } from '../../../db/sql.ts';
import { stepTraining } from '../ingest/training-store.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const { call, at } = kb;

test('a base is made with its defaults, changed, listed and deleted', async () => {
  const made = (await call('POST', at, { name: 'K' })).json;
  assert.equal(made.status, 'created');
  assert.deepEqual([made.kb_type, made.version, made.description, made.size], ['entity', 'v2', '', 0]);
  assert.deepEqual(made.settings_.embedding_model, ['atrium/none']);
  assert.equal(made.health.status, 'ok');
  const changed = await kb.patch(made.id, {
    name: 'K2',
    settings_: { retrieval_top_k: 7 },
    default_chunk_size: 4000,
    meta: { a: 1 },
  });
  assert.deepEqual([changed.name, changed.settings_.retrieval_top_k, changed.settings_.rrf_k], ['K2', 7, 60]);
  assert.equal(changed.settings_.default_chunk_size, 4000);
  assert.deepEqual(changed.meta, { a: 1 });
  assert.ok((await call('GET', at)).json.items.some((one: { id: string }) => one.id === made.id));
  assert.deepEqual((await call('DELETE', `${at}/${made.id}`)).json, { success: true });
  assert.equal((await call('GET', `${at}/${made.id}`)).status, 404);
});

test('settings in the older nested form are taken and kept flat', async () => {
  const id = await kb.base({
    ingestion: {
      batch_size: 4,
      default_chunk_size: 1000,
      default_chunk_overlap: 100,
      enrich_chunks_mode: 'contextual',
    },
    retrieval: { type: 'hybrid_reranking', hybrid_settings: { fts_weight: 0.5 } },
  });
  const { settings_ } = await kb.get(id);
  assert.deepEqual([settings_.batch_size, settings_.default_chunk_size], [4, 1000]);
  assert.deepEqual([settings_.retrieval_method, settings_.reranking_enabled], ['hybrid_bm25', true]);
  assert.equal(settings_.fts_weight, 0.5);
  const other = await kb.patch(id, { settings_: { retrieval: { type: 'hybrid_search' } } });
  assert.equal(other.settings_.reranking_enabled, false, 'it belonged to the other type');
  const bad = await call('POST', at, { name: 'x', settings_: { threshold: 'high', colour: 1 } });
  assert.equal(bad.status, 422);
  assert.deepEqual(
    bad.json.detail.map((validationError: { loc: string[]; type: string }) => [
      validationError.loc.join('.'),
      validationError.type,
    ]),
    [
      ['body.settings_.threshold', 'float_parsing'],
      ['body.settings_.colour', 'extra_forbidden'],
    ],
  );
  assert.equal((await call('PATCH', `${at}/${id}`, { settings_: { text_chunk_overlap: 5000 } })).status, 422);
});

test('a record of a document is listed under its status at once, changed and deleted', async () => {
  const id = await kb.base();
  const made = (await call('POST', `${at}/${id}/document`, { name: 'a', prefix: 'x//y', status: 'uploaded' })).json;
  assert.deepEqual([made.status, made.prefix, made.size, made.error], ['uploaded', 'x//y', 0, null]);
  const folder = (await call('POST', `${at}/${id}/document`, { name: 'f', status: 'folder' })).json;
  assert.deepEqual(
    (await kb.documents(id, 'uploaded')).map((one) => one.id),
    [made.id],
  );
  assert.deepEqual(
    (await kb.documents(id, 'folder')).map((one) => one.id),
    [folder.id],
  );
  assert.equal((await call('GET', `${at}/${id}/documents/`)).json.total, 2);
  assert.equal((await call('GET', `${at}/${id}/documents/?prefix=/x`)).json.total, 1);
  const own = await kb.get(id);
  assert.deepEqual([own.total_documents, own.num_docs, own.uploaded_documents, own.status], [1, 1, 1, 'created']);
  const document = `${at}/${id}/document/${made.id}`;
  assert.equal((await call('PATCH', document, { prefix: '/z' })).json.prefix, '/z');
  assert.equal((await call('PATCH', document, { status: 'training' })).status, 422);
  assert.equal((await call('PATCH', document, { status: 'trained' })).status, 409);
  const { updated_at: _, ...deleted } = (await call('DELETE', document)).json;
  assert.equal(deleted.id, made.id);
  assert.equal((await call('GET', document)).status, 404);
});

test('a folder that is renamed, moved or deleted takes its contents along', async () => {
  const id = await kb.base();
  const make = (body: object) => call('POST', `${at}/${id}/document`, body);
  const folder = (await make({ name: 'Law', prefix: '/a', status: 'folder' })).json;
  const inner = (await make({ name: 'Old', prefix: '/a/Law', status: 'folder' })).json;
  await make({ name: 'Lawn', prefix: '/a/Lawn', status: 'uploaded' });
  await kb.upload(id, { 'contract.txt': 'A contract about herons.' }, '/a/Law/Old');
  await kb.fill(id, { 'lawn.txt': 'A lawn has herons too.' }, '/a/Lawn');
  const path = `${at}/${id}/document/${folder.id}`;
  assert.equal((await call('PATCH', path, { name: 'Legal', prefix: '/z' })).json.prefix, '/z');
  assert.equal((await call('GET', `${at}/${id}/document/${inner.id}`)).json.prefix, '/z/Legal/');
  await kb.until(
    () => kb.found(id, 'herons', { prefix: '/z/Legal' }),
    (found) => found[0] === 'contract.txt',
  );
  assert.deepEqual(await kb.found(id, 'herons', { prefix: '/a/Law' }), []);
  assert.deepEqual(
    await kb.found(id, 'herons', { prefix: '/a/Lawn' }),
    ['lawn.txt'],
    'a name that only begins so stays',
  );
  assert.equal((await call('PATCH', path, { prefix: '/z/Legal/Old' })).status, 409);
  assert.equal((await call('PATCH', path, { name: '..' })).status, 422);
  assert.equal((await make({ name: '/', status: 'folder' })).status, 422);
  assert.equal((await call('DELETE', path)).json.name, 'Legal');
  assert.deepEqual((await kb.documents(id)).map(({ name }) => name).sort(), ['Lawn', 'lawn.txt']);
  assert.deepEqual(await kb.found(id, 'herons'), ['lawn.txt']);
});

test('resumes trainings after a crash and gives up only the one that failed too often', async () => {
  const id = await kb.base({ auto_summary: false });
  const before = await kb.fill(id, { 'a.txt': 'About apples.', 'b.txt': 'About bears.', 'c.txt': 'About cellos.' });
  await kb.ready(id);
  // As a process leaves them that died in the middle of their job: one has done so twelve times before.
  const runs = before.map(({ id: document_id }) => ({ document_id, run_id: randomUUID() }));
  for (const [at, { document_id, run_id }] of runs.entries()) {
    await kb.query(
      `insert into kb_runs (workspace_id, kb_id, id, kind, document_id, input, status)
       select workspace_id, kb_id, $1, 'train', id, '{}', 'running' from kb_documents where id = $2`,
      [run_id, document_id],
    );
    await kb.query(
      `update kb_documents set status = 'training', stage = $3, current_run = $1, begun = $4 where id = $2`,
      [run_id, document_id, at === 2 ? 'queued' : 'extract', [1, 12, 0][at]],
    );
  }
  const [own] = await kb.query('select workspace_id from kb_documents where kb_id = $1 limit 1', [id]);
  const payload = { workspace_id: own.workspace_id, kb_id: id, runs };
  await kb.query(`select graphile_worker.add_job('knowledge.train', $1::json)`, [JSON.stringify(payload)]);
  const after = new Map((await kb.trained(id)).map((one) => [one.id, one]));
  assert.deepEqual(
    runs.map(({ document_id }) => after.get(document_id).status),
    ['trained', 'error', 'trained'],
  );
  assert.equal(after.get(runs[1]?.document_id).error.code, 'gave_up');
  const listed = (await call('GET', `${at}/${id}/runs?run_ids=${runs.map(({ run_id }) => run_id).join()}`)).json;
  assert.deepEqual(listed.map(({ status }: { status: string }) => status).sort(), ['completed', 'completed', 'failed']);
  assert.equal((await kb.chunks(id)).length, 3, 'no passage is there twice');
});

test('ignores a late progress report of an earlier training stage', async () => {
  const id = await kb.base({ auto_summary: false });
  const [document] = await kb.fill(id, { 'a.txt': 'About apples.' });
  // Wait first: the check for finished trainings would otherwise resume the one below.
  await kb.ready(id);
  const run_id = randomUUID();
  const training = { workspace_id: document.group_id, kb_id: id, document_id: document.id, run_id };
  const run: Db['run'] = async (statement) => {
    const { text, values } = compile(statement);
    return (await kb.query(text, values)).length;
  };
  const told = async (stage: string, progress: number, page: number) => {
    await kb.query(
      `update kb_documents set status = 'training', stage = $3, progress = $4, current_run = $1 where id = $2`,
      [run_id, document.id, stage, progress],
    );
    await stepTraining({ run } as Db, training, 'extract', page);
    const now = (await call('GET', `${at}/${id}/document/${document.id}`)).json;
    return [now.stage, now.progress];
  };
  assert.deepEqual(await told('index', 90, 30), ['index', 90], 'or the index would never take it up');
  assert.deepEqual(await told('embed', 60, 30), ['embed', 60]);
  assert.deepEqual(await told('extract', 15, 30), ['extract', 30]);
});

test('files are trained, counted, found and gone again', async () => {
  const id = await kb.base();
  const runs = await kb.upload(
    id,
    { 'apples.txt': 'Apples are red and grow on trees.', 'sky.md': '# Sky\n\nThe sky is blue.' },
    '/fruit',
  );
  assert.equal(runs.length, 2);
  assert.equal((await kb.get(id)).status, 'training');
  const documents = await kb.trained(id);
  assert.deepEqual(
    documents.map(({ status }) => status),
    ['trained', 'trained'],
  );
  assert.deepEqual(
    documents.map(({ prefix }) => prefix),
    ['/fruit', '/fruit'],
  );
  assert.deepEqual(
    documents.map(({ progress, stage }) => [progress, stage]),
    [
      [100, ''],
      [100, ''],
    ],
  );
  const [hit] = await kb.search(id, 'which apples grow?');
  assert.equal(hit.document_source.name, 'apples.txt');
  assert.equal(hit.content, 'Apples are red and grow on trees.');
  assert.equal(hit.source, `store://${hit.document_source.file_id}`);
  assert.deepEqual([hit.citation.start, hit.citation.end], [0, hit.content.length]);
  const own = await kb.ready(id);
  const [{ quiet }] = await kb.query(
    'select extract(epoch from updated_at - busy_at)::float8 as quiet from knowledge_bases where id = $1',
    [id],
  );
  // The server compares both times in whole milliseconds.
  assert.ok(quiet >= 1.99, `it keeps training for two seconds, not ${quiet}`);
  assert.deepEqual([own.status, own.trained_documents, own.total_documents, own.health.status], ['ready', 2, 2, 'ok']);
  assert.deepEqual(own.source_types, { document: 2 });
  assert.equal(own.size, 33 + 23);
  const listed = (await call('GET', `${at}/${id}/runs?run_ids=${runs.join(',')}`)).json;
  assert.deepEqual(
    listed.map((run: { status: string; progress: number }) => [run.status, run.progress]),
    [
      ['completed', 100],
      ['completed', 100],
    ],
  );
  assert.deepEqual(new Set(listed.map((run: { id: string }) => run.id)), new Set(runs));
  const apples = documents.find(({ name }) => name === 'apples.txt');
  await call('DELETE', `${at}/${id}/document/${apples.id}`);
  assert.deepEqual(await kb.found(id, 'apples'), []);
  assert.equal((await call('GET', `/v1/files/${apples.file_id}`)).status, 404);
});

test('answers a prefix as it was given, and matches a, /a and /a/ alike', async () => {
  const id = await kb.base();
  for (const prefix of ['a', '/a', '/a/', ' //a']) {
    const made = await call('POST', `${at}/${id}/document`, { name: prefix, prefix, status: 'uploaded' });
    assert.equal(made.json.prefix, prefix);
    const own = `${at}/${id}/document/${made.json.id}`;
    assert.equal((await call('PATCH', own, { name: 'other' })).json.prefix, prefix);
    assert.equal((await call('GET', own)).json.prefix, prefix);
    assert.equal((await call('DELETE', own)).json.prefix, prefix);
  }
  const [document] = await kb.fill(id, { 'a.txt': 'walnut one' }, 'a');
  assert.equal(document.prefix, 'a');
  for (const prefix of ['a', '/a', '/a/']) {
    const [hit] = await kb.search(id, 'walnut', { prefix });
    assert.equal(hit.document_source.prefix, 'a');
    assert.equal((await call('GET', `${at}/${id}/documents/?${new URLSearchParams({ prefix })}`)).json.total, 1);
  }
  const body = { source: { source_type: 'document', config: { files: [{ uri: `store://${document.file_id}` }] } } };
  assert.equal((await call('POST', `${at}/${id}/generic_train?prefix=b`, body)).status, 200);
  assert.deepEqual((await kb.trained(id)).map(({ prefix }) => prefix).sort(), ['a', 'b']);
});

test('a folder limits the search, and a document that is moved is found where it is', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'walnut one' }, '/a');
  await kb.fill(id, { 'ab.txt': 'walnut two' }, '/ab');
  await kb.fill(id, { 'deep.txt': 'walnut three' }, "/a/it's");
  assert.deepEqual((await kb.found(id, 'walnut', { prefix: '/a' })).sort(), ['a.txt', 'deep.txt']);
  assert.deepEqual(await kb.found(id, 'walnut', { prefix: "/a/it's" }), ['deep.txt']);
  assert.deepEqual(await kb.found(id, 'walnut', { prefix: "/' OR 1=1" }), []);
  const [moved] = (await kb.documents(id)).filter(({ name }) => name === 'ab.txt');
  await call('PATCH', `${at}/${id}/document/${moved.id}`, { prefix: '/a/new' });
  await kb.until(
    () => kb.found(id, 'walnut', { prefix: '/a/new' }),
    (found) => found.length === 1,
  );
  assert.deepEqual(await kb.found(id, 'walnut', { prefix: '/ab' }), []);
  const only = await kb.found(id, 'walnut', { document_ids: [moved.id] });
  assert.deepEqual(only, ['ab.txt']);
});

test('an address inside the network is an error that names ATRIUM_WEB_ALLOW', async () => {
  const id = await kb.base();
  const source = { source_type: 'website', config: { urls: ['http://10.0.0.1/handbook'] } };
  assert.equal((await call('POST', `${at}/${id}/generic_train`, { source })).status, 200);
  const [document] = await kb.trained(id);
  assert.deepEqual([document.status, document.error.code], ['error', 'private_address']);
  assert.match(document.error.message, /private or reserved address.*ATRIUM_WEB_ALLOW/);
});

test('a file that can not be read is an error with its reason and harms nothing else', async () => {
  const id = await kb.base();
  const documents = await kb.fill(id, {
    'good.txt': 'all is well',
    'broken.pdf': '%PDF-1.7 this is none',
    'program.bin': Buffer.from([0, 1, 2, 3, 0xff, 0xfe]),
    'empty.txt': '',
  });
  const by = Object.fromEntries(documents.map((one) => [one.name, one]));
  assert.equal(by['good.txt'].status, 'trained');
  assert.deepEqual([by['broken.pdf'].status, by['broken.pdf'].error.code], ['error', 'unreadable']);
  assert.deepEqual([by['program.bin'].status, by['program.bin'].error.code], ['error', 'unsupported_type']);
  assert.deepEqual(
    [by['empty.txt'].status, by['empty.txt'].notes.includes('There is no text in it')],
    ['trained', true],
  );
  const own = await kb.get(id);
  assert.deepEqual([own.trained_documents, own.error_documents], [2, 2]);
  assert.equal((await call('POST', `${at}/${id}/retry`)).json.length, 2);
  await kb.trained(id);
  assert.equal((await kb.get(id)).error_documents, 2);
  const failed = await kb.base();
  await kb.fill(failed, { 'broken.pdf': '%PDF-1.7 this is none' });
  const { status, error } = await kb.ready(failed);
  assert.deepEqual([status, error.code], ['error', 'nothing_trained']);
});

test('trains stored files, and treats files of another workspace like unknown files', async () => {
  const id = await kb.base();
  const form = `--B\r\ncontent-disposition: form-data; name="file"; filename="stored.txt"\r\n\r\nstored words\r\n--B--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const { id: file_id } = (await call('POST', '/v1/files', form, { headers })).json;
  const other = await kb.workspace();
  const theirs = (await call('POST', '/v1/files', form, { headers, key: other.key })).json.id;
  const train = (uri: string) =>
    call('POST', `${at}/${id}/generic_train?prefix=/s`, {
      source: {
        source_type: 'document',
        subtype: null,
        config: { files: [{ name: 'renamed.txt', uri, doc_metadata: { a: 1 } }] },
      },
    });
  const sent = await train(`store://${file_id}`);
  assert.equal(sent.json.length, 1, sent.text);
  const [document] = await kb.trained(id);
  assert.deepEqual([document.name, document.prefix, document.file_id], ['renamed.txt', '/s', file_id]);
  assert.deepEqual(document.doc_metadata, { a: 1 });
  for (const uri of [`store://${theirs}`, `store://${randomUUID()}`, 'nonsense']) {
    const refused = await train(uri);
    assert.equal(refused.status, 422);
    assert.match(refused.json.detail[0].msg, /no such file in this workspace/);
  }
  await call('DELETE', `${at}/${id}/document/${document.id}`);
  assert.equal((await call('GET', `/v1/files/${file_id}`)).status, 200, 'a file that was there before stays');
});

test('refuses a search type that is not text in the same way as an unknown one', async () => {
  for (const retrieval_method of [{ toString: 'x' }, ['full_text'], 'constructor', '__proto__']) {
    const { status, json } = await kb.call('POST', kb.at, { name: 'b', settings_: { retrieval_method } });
    assert.deepEqual([status, json.detail[0].loc], [422, ['body', 'settings_', 'retrieval_method']]);
  }
});

test('the search takes its question in the query too, as older clients send it', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'older clients' }, '/q');
  const sent = await call('POST', `${at}/${id}/search?query=clients&prefix=/q`);
  assert.deepEqual(kb.names(sent.json), ['a.txt']);
  assert.equal((await call('POST', `${at}/${id}/search`)).status, 422);
  const [validationError] = (await call('POST', `${at}/${id}/search`, { query: '' })).json.detail;
  assert.deepEqual([validationError.loc, validationError.type], [['body', 'query'], 'string_too_short']);
  const blank = async (search: string, body?: object) =>
    (await call('POST', `${at}/${id}/search${search}`, body)).json.detail[0].loc.join('.');
  assert.equal(await blank('', { query: '  ' }), 'body.query');
  assert.equal(await blank('?query=clients', { query: '  ' }), 'body.query', 'the body wins');
  assert.equal(await blank('?query=%20'), 'query.query');
  assert.equal(await blank('', {}), 'query.query');
  assert.deepEqual(await kb.found(await kb.base(), 'anything'), []);
});
