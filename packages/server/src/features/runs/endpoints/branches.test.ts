import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openTestServer, textsOf } from './testing.ts';

const { provider, talk, call, post, storedOf, workspace } = await openTestServer();

async function talked() {
  const path = await talk();
  provider.reply({ text: 'A1' }, { text: 'A2' }, { text: 'A3' });
  for (const content of ['Q1', 'Q2', 'Q3']) await post(path, { content });
  const { json } = await call('GET', path);
  assert.deepEqual(textsOf(json), ['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3']);
  return { path, ids: json.messages.map(({ id }: { id: string }) => id) as string[] };
}
const toldLast = () =>
  provider
    .last()
    .body.messages.filter(({ role }: { role: string }) => role !== 'system')
    .map(({ content }: { content: unknown }) => content);

test('an edited message takes the place of it and of all that followed', async () => {
  const { path, ids } = await talked();
  provider.reply({ text: 'B2' });
  const { status, json } = await post(`${path}/messages/${ids[2]}/edit`, { content: 'Q2b' });
  assert.deepEqual([status, json.status], [200, 'completed']);
  assert.deepEqual(textsOf(json), ['Q1', 'A1', 'Q2b', 'B2']);
  assert.deepEqual(toldLast(), ['Q1', 'A1', 'Q2b'], 'the model is not told of the other branch');
  const stored = await storedOf(path);
  assert.equal(stored.length, 8, 'what was said is kept');
  const gone = stored.filter(({ superseded_by }) => superseded_by);
  assert.deepEqual(
    gone.map(({ id }) => id),
    ids.slice(2),
  );
  assert.equal(new Set(gone.map(({ superseded_by }) => superseded_by)).size, 1, 'one branch has one name');
  const { json: page } = await call('GET', `${path}/messages?order=oldest`);
  assert.deepEqual(textsOf({ messages: page.items }), ['Q1', 'A1', 'Q2b', 'B2']);
});

test('an edited message keeps what came with it', async () => {
  const path = await talk();
  const file = { name: 'note.txt', b64_content: Buffer.from('the secret word is heron').toString('base64') };
  provider.reply({ text: 'A1' }, { text: 'B1' });
  const { json: before } = await post(path, { content: 'Q1', files: [file], tool: 'clock' });
  const { json } = await post(`${path}/messages/${before.messages[0].id}/edit`, { content: 'Q1b' });
  const [was, is] = [before, json].map(({ messages }) => messages[0].message_parts[0]);
  assert.deepEqual(is, { ...was, content: 'Q1b' });
  assert.match(JSON.stringify(provider.last().body.messages), /heron/);
});

test('a regenerated answer takes the place of it and of all that followed', async () => {
  for (const asked of ['reply', 'question'] as const) {
    const { path, ids } = await talked();
    provider.reply({ text: 'B2' });
    const id = asked === 'reply' ? ids[3] : ids[2];
    const { status, json } = await post(`${path}/messages/${id}/regenerate`, undefined);
    assert.equal(status, 200);
    assert.deepEqual(textsOf(json), ['Q1', 'A1', 'Q2', 'B2'], asked);
    assert.deepEqual(toldLast(), ['Q1', 'A1', 'Q2']);
    const gone = (await storedOf(path)).filter(({ superseded_by }) => superseded_by);
    assert.ok(ids.slice(3).every((old) => gone.some((row) => row.id === old)));
  }
});

test('branches of branches: only the last way is shown', async () => {
  const { path, ids } = await talked();
  provider.reply({ text: 'B1' }, { text: 'C1' }, { text: 'C2' });
  const { json: first } = await post(`${path}/messages/${ids[0]}/edit`, { content: 'Q1b' });
  await post(`${path}/messages/${first.messages[1].id}/regenerate`, undefined);
  const { json } = await post(path, { content: 'Q2c' });
  assert.deepEqual(textsOf(json), ['Q1b', 'C1', 'Q2c', 'C2']);
  assert.deepEqual(toldLast(), ['Q1b', 'C1', 'Q2c']);
});

test('refuses to edit or regenerate other messages and changes nothing', async () => {
  const { path, ids } = await talked();
  const other = await talked();
  const { key } = await workspace();
  provider.reply({ text: 'B3' });
  await post(`${path}/messages/${ids[4]}/edit`, { content: 'Q3b' });
  const before = JSON.stringify(await storedOf(path));
  const cases: [string, number, string, string?][] = [
    [`${path}/messages/${ids[1]}/edit`, 409, 'conflict'],
    [`${path}/messages/${randomUUID()}/edit`, 404, 'not_found'],
    [`${path}/messages/${randomUUID()}/regenerate`, 404, 'not_found'],
    [`${path}/messages/${ids[4]}/edit`, 404, 'not_found'],
    [`${path}/messages/${ids[5]}/regenerate`, 404, 'not_found'],
    [`${path}/messages/${other.ids[0]}/edit`, 404, 'not_found'],
    [`${path}/messages/${other.ids[1]}/regenerate`, 404, 'not_found'],
    [`/v1/conversations/${randomUUID()}/messages/${ids[0]}/edit`, 404, 'not_found'],
    [`${path}/messages/${ids[0]}/edit`, 404, 'not_found', key],
    [`${path}/messages/${ids[1]}/regenerate`, 404, 'not_found', key],
  ];
  for (const [door, status, code, as] of cases) {
    const answer = await post(door, { content: 'x' }, as ? { key: as } : {});
    assert.deepEqual([answer.status, answer.json.code], [status, code], `${door}: ${answer.text}`);
  }
  for (const body of [{}, { content: '' }, { content: ' \n' }, { content: 'x', extra: 1 }])
    assert.equal((await post(`${path}/messages/${ids[0]}/edit`, body)).status, 422);
  assert.equal(JSON.stringify(await storedOf(path)), before);
});

test('a locked conversation takes no other branch', async () => {
  const { path, ids } = await talked();
  await call('POST', `${path}/lock`, { message: 'Closed.' });
  for (const door of [`${ids[0]}/edit`, `${ids[1]}/regenerate`]) {
    const { status, json } = await post(`${path}/messages/${door}`, { content: 'x' });
    assert.deepEqual([status, json.detail], [423, 'Closed.']);
  }
});
