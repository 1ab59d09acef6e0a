import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { addUp, fillTalks, lookAtDue, lookNow, type Made, madeConversations, subjects, until } from './testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8, insights_model: 'p2/one' });
const { call } = app;
const definition = { insights_enabled: true };

const newAgent = async (more: object = {}) =>
  (await call('POST', '/v1/agents', { name: 'Shop', definition: { ...definition, ...more } })).json;
const top = async (id: string, query = '') =>
  (await call('GET', `/v1/agents/${id}/insights/top-topics${query}`)).json.topics as { label: string; count: number }[];

/** How many conversations lie under the topic that most of their subject do, and which subject each topic is of. */
async function sorted(agent_id: string, made: readonly Made[], ids: readonly string[]) {
  const rows = await app.query(
    'select conversation_id, t.id, t.short from conversation_topics c join topics t on t.id = c.topic_id where c.agent_id = $1',
    [agent_id],
  );
  const topicOf = new Map(rows.map(({ conversation_id, short }) => [conversation_id, short as string]));
  const counts = new Map<string, Map<string, number>>();
  for (const [at, { subject }] of made.entries()) {
    const topic = topicOf.get(ids[at] as string) ?? 'none';
    const own = counts.get(topic) ?? new Map<string, number>();
    counts.set(topic, own.set(subject, (own.get(subject) ?? 0) + 1));
  }
  const largest = [...counts].map(([topic, own]) => {
    const [subject, right] = [...own].toSorted((a, b) => b[1] - a[1])[0] as [string, number];
    return { topic, subject, right, size: [...own.values()].reduce((a, b) => a + b) };
  });
  return largest.toSorted((a, b) => b.size - a.size);
}

test('a thousand conversations on ten subjects are sorted under them without a model, the same twice, and names stay', async () => {
  const made = madeConversations(1000, 7);
  const texts = made.map(({ text }) => text);
  const agents = [await newAgent(), await newAgent()];
  const ids = [];
  for (const agent of agents) ids.push(await fillTalks(app, agent, texts));
  await lookAtDue(app);

  const [first, second] = agents;
  const topTen = await top(first.id, '?limit=10&label_length=short');
  assert.equal(topTen.length, 10);
  assert.deepEqual(await top(second.id, '?limit=10&label_length=short'), topTen);

  const found = await sorted(first.id, made, ids[0] as string[]);
  const ten = found.slice(0, 10);
  assert.equal(new Set(ten.map(({ subject }) => subject)).size, 10);
  assert.deepEqual(new Set(ten.map(({ topic }) => topic)), new Set(topTen.map(({ label }) => label)));
  const right = ten.reduce((sum, one) => sum + one.right, 0);
  assert.ok(right >= 900, `${right} of 1000 lie under their subject`);
  for (const { topic, subject } of ten)
    assert.match(topic, subjects.find((one) => one.subject === subject)?.known_by as RegExp);

  const names = await Promise.all(
    ['short', 'medium', 'long'].map((length) => top(first.id, `?label_length=${length}`)),
  );
  const more = madeConversations(100, 8);
  await fillTalks(
    app,
    first,
    more.map(({ text }) => text),
  );
  await lookAtDue(app);
  for (const [at, length] of ['short', 'medium', 'long'].entries()) {
    const now = (await top(first.id, `?label_length=${length}`)).map(({ label }) => label);
    assert.deepEqual(new Set(now), new Set(names[at]?.map(({ label }) => label)));
  }
  const all = await app.query('select sum(n)::int as sum from topic_days where agent_id = $1', [first.id]);
  assert.equal(all[0].sum, 1100);
});

test('keeps private values out of topics, also when the agent anonymizes nothing', async () => {
  const agent = await newAgent({ pii_anonimization: [] });
  const who = ['Zebulon Quackenbush', 'Thandiwe Mkhize', 'Ignatius Featherstonehaugh'];
  const texts = Array.from({ length: 30 }, (_, at) => {
    const name = who[at % 3] as string;
    return `My name is ${name}, call me at +1 415-555-26${10 + at} or ${name.split(' ')[0]}${at}@corp-mail.com. ${name} wants to cancel the subscription, card 4111 1111 1111 1111.`;
  });
  await fillTalks(app, agent, texts);
  await lookAtDue(app);
  const rows = await app.query('select short, medium, long, weights from topics where agent_id = $1', [agent.id]);
  assert.ok(rows.length > 0);
  const labels = JSON.stringify(rows.map(({ weights: _, ...one }) => one));
  for (const secret of [...who.flatMap((name) => name.split(' ')), 'corp-mail', '4111', '415'])
    assert.ok(!labels.toLowerCase().includes(secret.toLowerCase()), `${secret} is in ${labels}`);
  assert.match(labels, /subscription/i);
  const kept = JSON.stringify(await app.query('select words from conversation_topics where agent_id = $1', [agent.id]));
  for (const secret of ['corp-mail', '4111', '5552']) assert.ok(!kept.includes(secret));
});

test('days, limit and label_length say what is answered', async () => {
  const agent = await newAgent();
  const ids = await fillTalks(
    app,
    agent,
    madeConversations(40, 3).map(({ text }) => text),
  );
  await lookAtDue(app);
  assert.equal((await top(agent.id, '?limit=3')).length, 3);
  const [short, medium, long] = await Promise.all(
    ['short', 'medium', 'long'].map((length) => top(agent.id, `?label_length=${length}&limit=50`)),
  );
  for (const { label } of short ?? []) assert.ok(label.split(' ').length <= 2, label);
  for (const { label } of medium ?? []) assert.ok(label.split(' ').length >= 2, label);
  for (const { label } of long ?? []) assert.match(label, /^Conversations about .*\.$/);
  assert.equal(
    short?.reduce((sum, { count }) => sum + count, 0),
    40,
  );
  await app.query('update topic_days set day = day - 42 where agent_id = $1', [agent.id]);
  await app.query('update topic_weeks set week = week - 42 where agent_id = $1', [agent.id]);
  assert.deepEqual(await top(agent.id), []);
  assert.ok((await top(agent.id, '?days=90')).length > 0);
  // A later message moves a conversation that has its topic to the later day.
  await app.query('update conversation_topics set day = day - 42 where agent_id = $1', [agent.id]);
  await app.query(
    'insert into insight_due select workspace_id, id, assistant_id, now() from conversations where id = $1',
    [ids[0]],
  );
  await lookAtDue(app);
  assert.deepEqual(
    (await top(agent.id)).map(({ count }) => count),
    [1],
  );
  // For any number of days the counts equal the sum of the single days.
  for (const days of [1, 2, 6, 7, 8, 13, 14, 41, 42, 43, 44, 48, 49, 50, 90]) {
    const count = async () =>
      (
        await app.query(
          'select coalesce(sum(n), 0)::int as count from topic_days where agent_id = $1 and day > current_date - $2::int',
          [agent.id, days],
        )
      )[0].count as number;
    const before = await count();
    const told = (await top(agent.id, `?limit=50&days=${days}`)).reduce((sum, topic) => sum + topic.count, 0);
    // At midnight another day may have begun in between.
    assert.ok([before, await count()].includes(told), `${days} days: ${told} instead of ${before}`);
  }
});

test('only ended conversations of agents with insights_enabled get topics', async () => {
  const { server, name } = await app.provider();
  server.answers = () => ({ text: 'Yes' });
  const settings = { model: [`${name}/one`], top_k: 0 };
  const [on, off] = [await newAgent(settings), await newAgent({ ...settings, insights_enabled: false })];
  for (const agent of [on, off]) {
    const id = await app.converse({}, `?assistant_id=${agent.id}`);
    await app.say(id, 'How do I cancel my subscription?');
  }
  // No conversation has been quiet for ten minutes yet.
  await addUp(app);
  await lookAtDue(app);
  assert.deepEqual(await top(on.id), []);
  await lookNow(app);
  assert.deepEqual([(await top(on.id)).length, (await top(off.id)).length], [1, 0]);
});

test('a configured model names topics, in names that are there where they fit; its calls are in the ledger', async () => {
  const { server, name } = await app.provider();
  const labels = [
    { short: 'Refunds', medium: 'Late refunds', long: 'People wait for refunds.' },
    { short: 'refunds', medium: 'Refund of Emma Johnson', long: 'Emma Johnson waits for her refund.' },
    { short: 'Refunds', medium: 'Refunds that are late', long: 'Where is the refund?' },
  ];
  server.answers = (body) =>
    body['response_format']
      ? { text: JSON.stringify({ topics: [labels.shift()] }), usage: { input: 50, output: 20 } }
      : { text: 'Yes' };
  const agent = await newAgent({ model: [`${name}/one`], top_k: 0 });
  for (let turn = 0; turn < 3; turn++) {
    const id = await app.converse({}, `?assistant_id=${agent.id}`);
    await app.say(id, 'Where is my refund? I am emma@corp-mail.com');
    await lookNow(app);
  }
  const topics = await top(agent.id, '?label_length=medium');
  // The second named a person: that name was not used, and its words are those of the first.
  assert.deepEqual(topics[0], { label: 'Late refunds', count: 3 });
  assert.ok(!JSON.stringify(topics).includes('Emma'));
  const asked = server.requests.filter(({ body }) => body['response_format']);
  assert.ok(asked.length >= 3);
  assert.match(JSON.stringify(asked[1]?.body), /Known labels: Refunds/);
  for (const { body } of asked) assert.ok(!JSON.stringify(body).includes('corp-mail'));
  const calls = await until(
    () => app.query("select * from model_calls where purpose = 'topic' and agent_id = $1", [agent.id]),
    (rows) => rows.length >= 3,
  );
  assert.deepEqual([Number(calls[0].input_tokens), calls[0].run_id], [50, null]);

  // A topic that the model names twice is one, and topics with the same label are one entry.
  const named = ['Parcels', 'parcels', 'Delivery'].map((short) => ({
    ...{ short, medium: `${short === 'Delivery' ? 'Late' : 'Lost'} parcels`, long: 'All about parcels.' },
  }));
  server.answers = (body) => ({
    text: body['response_format'] ? JSON.stringify({ topics: named }) : 'It is on its way',
  });
  const other = await newAgent({ model: [`${name}/one`], top_k: 0 });
  for (let turn = 0; turn < 2; turn++) {
    await app.say(await app.converse({}, `?assistant_id=${other.id}`), 'Where is my parcel?');
    await lookNow(app);
  }
  assert.deepEqual(await top(other.id, '?label_length=short'), [
    { label: 'Delivery', count: 2 },
    { label: 'Parcels', count: 2 },
  ]);
  assert.deepEqual(await top(other.id, '?label_length=long'), [{ label: 'All about parcels.', count: 4 }]);
});
