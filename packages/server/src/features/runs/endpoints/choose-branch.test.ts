import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { held, openTestServer, textsOf } from './testing.ts';

const { provider, talk, call, post, open, stream, query, workspace } = await openTestServer();

interface Place {
  message_id: string;
  number: number;
  branches: { message_id: string; text: string; messages: number; is_shown: boolean }[];
}
const placesOf = async (path: string): Promise<Place[]> => (await call('GET', `${path}/branches`)).json;
const choose = (path: string, id: string, more = {}) => call('POST', `${path}/messages/${id}/choose`, undefined, more);
const idsOf = (json: { messages: { id: string }[] }) => json.messages.map(({ id }) => id);
const shownOf = ({ branches }: Place) => branches.map(({ text, is_shown }) => (is_shown ? `[${text}]` : text));

async function talked(...turns: [string, string][]) {
  const path = await talk();
  for (const [content, text] of turns) {
    provider.reply({ text });
    await post(path, { content });
  }
  return { path, ids: idsOf((await call('GET', path)).json) };
}
const toldLast = () =>
  provider
    .last()
    .body.messages.filter(({ role }: { role: string }) => role !== 'system')
    .map(({ content }: { content: unknown }) => content);

test('story 6: stop keeps the text, an edit streams the new answer, and the arrow shows the first branch again', async () => {
  const path = await talk();
  provider.reply(held());
  const watching = await stream(path, 'Hello', 'ui');
  await watching.heard('w03');
  // The model says no further word before it is released, and it is not: the stop does not wait for it.
  const { json: stopped } = await call('POST', `${path}/stop`);
  await provider.last().done;
  assert.ok(provider.last().closed_early, 'the model is told');
  assert.match(textsOf(stopped)[1] as string, /^w00 w01 w02 w03 /);
  const [first = ''] = idsOf(stopped);

  provider.reply({ text: 'Good evening.' });
  const answer = await open(`${path}/messages/${first}/edit?format=ui`, {
    ...{ method: 'POST', body: { content: 'Good evening' } },
  });
  assert.equal(answer.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
  const text = await answer.whole();
  const deltas = [...text.matchAll(/"type":"text-delta".*?"delta":"([^"]*)"/g)].map(([, delta]) => delta);
  assert.equal(deltas.join(''), 'Good evening.');
  assert.match(text, /data: \[DONE\]\n\n$/);
  const { json: edited } = await call('GET', path);
  assert.deepEqual(textsOf(edited), ['Good evening', 'Good evening.']);

  const [place] = await placesOf(path);
  assert.ok(place);
  assert.deepEqual([place.number, place.branches.length, place.message_id], [2, 2, idsOf(edited)[0]]);
  assert.deepEqual(shownOf(place), ['Hello', '[Good evening]']);
  const { status, json: back } = await choose(path, first);
  assert.deepEqual([status, textsOf(back)], [200, textsOf(stopped)]);
  assert.deepEqual((await placesOf(path)).map(shownOf), [['[Hello]', 'Good evening']]);
  assert.notEqual(back.etag, edited.etag, 'clients that have seen the other branch learn of it');
});

test('an edit and another answer begin at once with 202 and the ids of the run and its messages', async () => {
  const { path, ids } = await talked(['Q1', 'A1']);
  const cases = [
    [`messages/${ids[0]}/edit?wait=false`, { content: 'Q1b' }, 'Q1b'],
    ['regenerate', undefined, 'Q1b'],
  ] as const;
  let reply = '';
  for (const [at, body, question] of cases) {
    const answer = held();
    provider.reply(answer);
    const where = at === 'regenerate' ? `messages/${reply}/regenerate?wait=false` : at;
    const { status, json } = await post(`${path}/${where}`, body);
    assert.equal(status, 202, JSON.stringify(json));
    assert.deepEqual(Object.keys(json), ['run_id', 'conversation_id', 'user_message_id', 'message_id']);
    const events = await open(`/v1/runs/${json.run_id}/events?format=ui`);
    await events.heard('w03');
    answer.release();
    await events.whole();
    const { json: whole } = await call('GET', path);
    assert.equal(textsOf(whole)[0], question);
    assert.deepEqual(idsOf(whole), [json.user_message_id, json.message_id]);
    reply = json.message_id;
  }
  const [place] = await placesOf(path);
  assert.deepEqual([place?.number, place && shownOf(place)], [3, ['Q1', 'Q1b', '[Q1b]']]);
});

test('a chosen branch comes with all that followed, and the next message continues there', async () => {
  const { path, ids } = await talked(['Q1', 'A1'], ['Q2', 'A2'], ['Q3', 'A3']);
  provider.reply({ text: 'B2' }, { text: 'C1' }, { text: 'D4' });
  const { json: edited } = await post(`${path}/messages/${ids[2]}/edit`, { content: 'Q2b' });
  const second = idsOf(edited)[2] as string;
  await post(`${path}/messages/${ids[0]}/edit`, { content: 'Q1c' });
  assert.deepEqual((await placesOf(path)).map(shownOf), [['Q1', '[Q1c]']], 'inner branches of another are not offered');
  const inner = await choose(path, ids[2] as string);
  assert.deepEqual([inner.status, inner.json.code], [409, 'branch_not_shown']);
  assert.equal((await call('GET', `${path}/messages/${ids[2]}/branches`)).status, 404);

  assert.deepEqual(textsOf((await choose(path, ids[0] as string)).json), ['Q1', 'A1', 'Q2b', 'B2']);
  assert.deepEqual((await placesOf(path)).map(shownOf), [
    ['[Q1]', 'Q1c'],
    ['Q2', '[Q2b]'],
  ]);
  assert.deepEqual(textsOf((await choose(path, ids[5] as string)).json), ['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3']);
  const { json } = await post(path, { content: 'Q4' });
  assert.deepEqual(textsOf(json).slice(-2), ['Q4', 'D4']);
  assert.deepEqual(toldLast(), ['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3', 'Q4']);
  const { json: place } = await call('GET', `${path}/messages/${ids[3]}/branches`);
  assert.deepEqual([place.number, shownOf(place), place.branches[0].messages], [1, ['[Q2]', 'Q2b'], 6]);
  await choose(path, second);
  assert.deepEqual(textsOf((await call('GET', path)).json), ['Q1', 'A1', 'Q2b', 'B2']);
  assert.deepEqual(textsOf((await choose(path, ids[2] as string)).json).slice(-2), ['Q4', 'D4'], 'nothing is lost');
});

test('a message without another branch is the only one of its place, and choosing it changes nothing', async () => {
  const { path, ids } = await talked(['Q1', 'A1']);
  assert.deepEqual(await placesOf(path), []);
  const { json } = await call('GET', `${path}/messages/${ids[1]}/branches`);
  assert.deepEqual([json.message_id, json.number, json.branches.length], [ids[0], 1, 1]);
  const { etag } = (await call('GET', path)).json;
  assert.equal((await choose(path, ids[0] as string)).json.etag, etag);
});

test('refuses to show another branch while the agent answers, when it is locked, and to others', async () => {
  const { path, ids } = await talked(['Q1', 'A1']);
  provider.reply({ text: 'B1' });
  await post(`${path}/messages/${ids[0]}/edit`, { content: 'Q1b' });
  const [first = ''] = ids;
  const { key } = await workspace();
  for (const at of [`${path}/messages/${first}/choose`, `${path}/messages/${randomUUID()}/choose`])
    assert.equal((await call('POST', at, undefined, at.includes(first) ? { key } : {})).status, 404);
  for (const at of [`${path}/branches`, `${path}/messages/${first}/branches`])
    assert.equal((await call('GET', at, undefined, { key })).status, 404);

  const answer = held();
  provider.reply(answer);
  const watching = await stream(path, 'Q2', 'ui');
  await watching.heard('w03');
  const busy = await choose(path, first);
  assert.deepEqual([busy.status, busy.json.code], [409, 'conversation_busy']);
  answer.release();
  await watching.whole();
  await call('POST', `${path}/lock`, { message: 'Closed.' });
  assert.deepEqual([(await choose(path, first)).status, (await placesOf(path)).length], [423, 1]);
});

test('the migration finds the branches of conversations from before by the order of their messages', async () => {
  const { path, ids } = await talked(['Q1', 'A1'], ['Q2', 'A2']);
  provider.reply({ text: 'B2' }, { text: 'C1' });
  await post(`${path}/messages/${ids[2]}/edit`, { content: 'Q2b' });
  await post(`${path}/messages/${ids[0]}/edit`, { content: 'Q1c' });
  const parents = () =>
    query('select seq, parent_seq from messages where conversation_id = $1 and parent_seq is not null order by seq', [
      path.split('/').at(-1),
    ]);
  const kept = await parents();
  assert.deepEqual(kept, [
    { seq: 5, parent_seq: 2 },
    { seq: 7, parent_seq: 0 },
  ]);
  await query('update messages set parent_seq = null where conversation_id = $1', [path.split('/').at(-1)]);
  const migration = readFileSync(
    new URL('../../../db/migrations/0136_branches_and_agents.sql', import.meta.url),
    'utf8',
  );
  const [backfill = ''] = /^with replaced as [\s\S]*?;$/m.exec(migration) ?? [];
  await query(backfill);
  assert.deepEqual(await parents(), kept);
});
