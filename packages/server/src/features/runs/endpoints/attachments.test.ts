import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestServer } from './testing.ts';

const { provider, talk, call, post, query, open } = await openTestServer();
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const sees = { model: ['gpt-4o'] };
const note = { name: 'note.txt', b64_content: base64('the secret word is heron'), type: 'text/plain', size: 24 };
const picture = { name: 'dot.png', b64_content: png, type: 'image/png' };

/** The content of the last message in the provider's latest request. */
const told = () => provider.last().body.messages.at(-1).content;

test('the text of a file reaches the model, and the message lists the file', async () => {
  const path = await talk();
  provider.reply({ text: 'Heron.' });
  const { status, json } = await post(path, { content: 'Which word?', files: [note] });
  assert.equal(status, 200, JSON.stringify(json));
  assert.match(JSON.stringify(told()), /note\.txt.*the secret word is heron.*Which word\?/s);
  const [part] = json.messages[0].message_parts;
  assert.deepEqual([part.role, part.type, part.content], ['user', 'user', 'Which word?']);
  const [{ id, url, ...file }] = part.files;
  assert.deepEqual(file, { name: 'note.txt', size: 24, type: 'text/plain', status: 'success' });
  assert.equal(url, `store://${id}`);
  assert.equal((await query('select 1 from files where id = $1', [id])).length, 1);
  assert.deepEqual(
    json.ui_messages[0].parts.map(({ type }: { type: string }) => type),
    ['text', 'file'],
  );
});

test('the text of documents reaches the model, with their tables', async () => {
  const golden = async (name: string) => {
    const bytes = await readFile(join(import.meta.dirname, '../../../../test/golden/files', name));
    return { name, b64_content: base64(bytes) };
  };
  const path = await talk();
  provider.reply({ text: 'Fourteen.' }, { text: 'Still fourteen.' });
  const files = [await golden('report.pdf'), await golden('guide.docx'), await golden('orders.xlsx')];
  const { status, json } = await post(path, { content: 'How many herons in May?', files });
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(
    json.messages[0].message_parts[0].files.map(({ type }: { type: string }) => type.split(/[/.]/).at(-1)),
    ['pdf', 'document', 'sheet'],
  );
  const heard = /# Field notes.*\| May \| 14 \|.*# Visitor guide.*blue zone.*Desk\\t3\\t2024-01-01.*How many herons/s;
  assert.match(JSON.stringify(told()), heard);
  await post(path, { content: 'Sure?' });
  assert.match(JSON.stringify(provider.last().body.messages), heard);
});

test('names an unreadable document to the model, and the conversation continues', async () => {
  const bytes = await readFile(join(import.meta.dirname, '../../../../test/golden/files/damaged/locked.pdf'));
  const path = await talk();
  provider.reply({ text: 'It is locked.' });
  const files = [{ name: 'locked.pdf', b64_content: base64(bytes) }];
  const { status, json } = await post(path, { content: 'What does it say?', files });
  assert.deepEqual([status, json.status], [200, 'completed']);
  assert.match(JSON.stringify(told()), /locked\.pdf.*could not be read: it is protected with a password/);
});

test('sends a file to the model again with the next message, and accepts it again by its id', async () => {
  const path = await talk();
  provider.reply({ text: 'Heron.' }, { text: 'Still heron.' });
  const { json } = await post(path, { content: 'Which word?', files: [note] });
  await post(path, { content: 'And now?' });
  assert.match(JSON.stringify(provider.last().body.messages), /secret word is heron/);
  const [{ id, url }] = json.messages[0].message_parts[0].files;
  for (const sent of [{ id }, { url, name: 'renamed.txt' }]) {
    provider.reply({ text: 'Yes.' });
    const again = await post(await talk(), { content: 'And here?', files: [sent] });
    assert.equal(again.status, 200, again.text);
    assert.match(JSON.stringify(told()), /secret word is heron/);
    assert.equal(again.json.messages[0].message_parts[0].files[0].id, id);
  }
});

test('an image reaches a model that sees as an image', async () => {
  const path = await talk(sees);
  provider.reply({ text: 'A dot.' });
  const { json } = await post(path, { content: 'What is it?', files: [picture] });
  const image = told().find(({ type }: { type: string }) => type === 'image_url');
  assert.equal(image.image_url.url, `data:image/png;base64,${png}`);
  assert.deepEqual(json.messages[0].message_parts[0].files[0].type, 'image/png');
});

test('an image reaches a model that does not see as a note about it', async () => {
  const path = await talk();
  provider.reply({ text: 'I see nothing.' });
  const { status, json } = await post(path, { content: 'What is it?', files: [picture] });
  assert.deepEqual([status, json.status], [200, 'completed']);
  assert.match(JSON.stringify(told()), /dot\.png/);
  assert.doesNotMatch(JSON.stringify(told()), /image_url|iVBOR/);
});

test('a file the model can not take is refused by name when files are not converted', async () => {
  const off = { convert_unsupported_files_to_text: false };
  const before = await query('select count(*) from files');
  const path = await talk(off);
  const asked = provider.requests.length;
  for (const door of ['', '/chat', '/stream']) {
    const { status, json } = await post(`${path}${door}`, { content: 'x', files: [note, picture] });
    assert.equal(status, 422);
    assert.deepEqual(json.detail[0].loc, ['body', 'files', '1']);
    assert.match(json.detail[0].msg, /"dot\.png" \(image\/png\)/);
  }
  assert.deepEqual(await query('select count(*) from files'), before);
  assert.deepEqual([(await call('GET', path)).json.messages, provider.requests.length], [[], asked]);

  provider.reply({ text: 'A dot.' });
  assert.equal((await post(await talk({ ...sees, ...off }), { content: 'x', files: [picture] })).status, 200);
  const selected = await post(await talk({ ...sees, ...off }), {
    ...{ content: 'x', files: [picture], model_selection: ['blind'] },
  });
  assert.equal(selected.status, 422, 'the models of this message count');
  provider.reply({ text: 'Read.' });
  assert.equal((await post(path, { content: 'x', files: [note] })).status, 200, 'text needs no conversion');
});

test('a chat transport’s file parts are files', async () => {
  const path = await talk();
  provider.reply({ text: 'Heron.', deltas: 1 });
  const url = `data:text/plain;base64,${note.b64_content}`;
  const parts = [
    { type: 'file', mediaType: 'text/plain', filename: 'note.txt', url },
    { type: 'text', text: 'Which word?' },
  ];
  const messages = [
    { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Before' }] },
    { id: 'b', role: 'user', parts },
  ];
  const body = { id: 'chat', messages, trigger: 'submit-message' };
  const answer = await open(`${path}/stream?format=ui`, { method: 'POST', body });
  assert.match(await answer.whole(), /Heron/);
  assert.match(JSON.stringify(told()), /secret word is heron.*Which word\?/s);
  const { json } = await call('GET', path);
  assert.equal(json.messages[0].message_parts[0].files[0].name, 'note.txt');
});
