import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import type { Extract } from '../../../drivers/extractors/driver.ts';
import { makeExtract } from '../../../drivers/extractors/extract.ts';
import { attachmentServer } from '../../attachments/testing.ts';

const extract = makeExtract();
/** An extractor that counts the files it reads. */
function counting() {
  const reads: string[] = [];
  const count: Extract = Object.assign(
    (...[content, options]: Parameters<Extract>) => {
      reads.push(options.filename);
      return extract(content, options);
    },
    { takes: extract.takes },
  );
  return { reads, extract: count };
}

const { reads: appReads, extract: appExtract } = counting();
const app = await scriptedApp({}, { extract: appExtract });
const server = await attachmentServer();
const { scope, files, makeTexts, query, onDisk } = server;
const stored = (filename: string, content: string | Buffer) =>
  files.save(scope(), {
    filename,
    stream: (async function* () {
      yield Buffer.from(content);
    })(),
  });
const rowsOf = (id: string) => query('select * from file_texts where file_id = $1', [id]);

test('reads a file of a conversation once in three turns and for the filesystem tools', async () => {
  const { server: provider, name } = await app.provider();
  const id = await app.converse({ model: [`${name}/one`], pii_anonimization: [] });
  const b64_content = Buffer.from('a,b\n1,2\n').toString('base64');
  const call = { id: 'c', name: 'filesystem_read', input: { path: 't.csv' } };
  provider.reply({ text: 'one' }, { tool_calls: [call] }, { text: 'two' }, { text: 'three' });
  await app.say(id, 'Read it', { files: [{ name: 't.csv', b64_content }] });
  await app.say(id, 'And now?');
  await app.say(id, 'Once more');
  assert.match(JSON.stringify(provider.last().body), /a,b\\n1,2/);
  assert.deepEqual(appReads, ['t.csv']);
});

test('reads a file once for all nodes and after a restart', async () => {
  const file = await stored('notes.txt', 'Herons wade. ü\n');
  const [one, other] = [counting(), counting()];
  const first = await makeTexts(one.extract)(scope(), file);
  assert.partialDeepStrictEqual(first, { text: 'Herons wade. ü\n', warnings: [], outline: { kind: 'text' } });
  assert.deepEqual(await makeTexts(other.extract)(scope(), file), first);
  assert.deepEqual([one.reads.length, other.reads.length], [1, 0]);
  const [row] = await rowsOf(file.id);
  await query('update file_texts set readers = 0 where file_id = $1', [file.id]);
  assert.deepEqual(await makeTexts(other.extract)(scope(), file), first);
  assert.equal(other.reads.length, 1, 'the text of older readers is read again');
  assert.ok(!onDisk().includes(row.blob_id), 'and its bytes are removed');
});

test('reads a file again when the bytes of its text are lost', async () => {
  const file = await stored('lost.txt', 'Storks nest');
  await makeTexts()(scope(), file);
  await query('update file_texts set blob_id = gen_random_uuid() where file_id = $1', [file.id]);
  assert.equal((await makeTexts()(scope(), file)).text, 'Storks nest');
  assert.ok(onDisk().includes((await rowsOf(file.id))[0].blob_id));
});

test('removes the text with its file', async () => {
  const before = onDisk().length;
  const file = await stored('gone.txt', 'Cranes dance');
  await makeTexts()(scope(), file);
  assert.equal(onDisk().length, before + 2);
  await files.remove(scope(), file.id);
  assert.deepEqual([onDisk().length, await rowsOf(file.id)], [before, []]);
});

test('keeps nothing of a file that is deleted while it is read', async () => {
  const file = await stored('slow.txt', 'Ibises');
  const before = onDisk().length;
  const meanwhile: Extract = Object.assign(
    async (...given: Parameters<Extract>) => {
      const read = await extract(...given);
      await files.remove(scope(), file.id);
      return read;
    },
    { takes: extract.takes },
  );
  assert.equal((await makeTexts(meanwhile)(scope(), file)).text, 'Ibises');
  assert.equal(onDisk().length, before - 1);
});

test('stores that a kind of file has no reader, and not that a file is damaged', async () => {
  const film = await stored('film.mp4', Buffer.from(`\0\0\0\x18ftypmp42${'\0'.repeat(300)}`));
  const broken = await stored('broken.pdf', '%PDF-1.7\nnothing');
  const { reads, extract: count } = counting();
  const texts = makeTexts(count);
  for (const file of [film, film, broken, broken]) await assert.rejects(texts(scope(), file), /read text|damaged/);
  assert.deepEqual(reads, ['film.mp4', 'broken.pdf']);
  await assert.rejects(makeTexts(count)(scope(), film), /read text/);
  assert.deepEqual([(await rowsOf(film.id)).length, (await rowsOf(broken.id)).length], [1, 0]);
});

test('gives the kept text to the readers of the file alone', async () => {
  const file = await stored('secret.txt', 'The code word is heron.');
  await makeTexts()(scope(), file);
  const elsewhere = scope((await server.workspace()).id);
  const part = { ...file, name: file.filename, type: file.content_type, status: 'success' as const, url: file.uri };
  const takes = { vision: false, convert_unsupported_files_to_text: true };
  assert.match(JSON.stringify(await server.attachments.forModel(elsewhere, [part], takes)), /no longer there/);
  assert.match(JSON.stringify(await server.attachments.forModel(scope(), [part], takes)), /heron/);
  const gone = { ...part, id: randomUUID() };
  assert.match(JSON.stringify(await server.attachments.forModel(scope(), [gone], takes)), /no longer there/);
});
