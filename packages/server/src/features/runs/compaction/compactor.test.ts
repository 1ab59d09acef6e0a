import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { ModelMessage } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import { makeOutage } from '../../../lib/outages/testing.ts';
import { estimateMessages } from '../../messages/service.ts';
import { type CompactionOptions, compact, makeCompactor } from './compactor.ts';
import { buildSummaryPrompt } from './summarize.ts';

const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const reply = (text: string): ModelMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const call = (id: string, name: string): ModelMessage => ({
  role: 'assistant',
  parts: [{ type: 'tool-call', id, name, input: {} }],
});
const result = (id: string, name: string, output: string): ModelMessage => ({
  role: 'tool',
  results: [{ id, name, output, is_error: false }],
});
const long = (words: number) => 'word '.repeat(words);

type Changes = Partial<Omit<CompactionOptions, 'settings'>> & Partial<CompactionOptions['settings']>;

async function compacted(messages: ModelMessage[], changes: Changes = {}) {
  const { compaction_enabled = true, compaction_strategy = 'auto', compaction_threshold = 0.75, ...others } = changes;
  const before = structuredClone(messages);
  const making = compact(messages, {
    system: '',
    context_window: 2_000,
    max_tokens: 200,
    summarize: async () => 'They spoke of kettles.',
    ...others,
    settings: { compaction_enabled, compaction_strategy, compaction_threshold },
  });
  const codes: string[] = [];
  let next = await making.next();
  for (; !next.done; next = await making.next()) codes.push((next.value as RunEvent & { type: 'warning' }).code);
  assert.deepEqual(messages, before, 'the originals are not touched');
  return { messages: next.value, codes };
}
const history = () => [user(long(600)), reply(long(600)), user(long(600)), reply(long(100)), user('And now?')];
const isTooLong = (error: unknown) => error instanceof RunFailure && error.code === 'context_too_long';

test('below the threshold nothing is changed', async () => {
  const messages = [user('hello'), reply('hello')];
  const done = await compacted(messages);
  assert.equal(done.messages, messages);
  assert.deepEqual(done.codes, []);
});

test('above the threshold the oldest turns are replaced by a summary and the rest stays', async () => {
  const messages = history();
  const done = await compacted(messages);
  assert.deepEqual(done.messages, [
    user('[Summary of the conversation so far]\nThey spoke of kettles.'),
    ...messages.slice(3),
  ]);
  assert.deepEqual(done.codes, ['context_compacted']);
});

test('a lower threshold compacts earlier', async () => {
  const messages = [user(long(200)), reply(long(200)), user('And now?')];
  assert.deepEqual((await compacted(messages)).codes, []);
  assert.deepEqual((await compacted(messages, { compaction_threshold: 0.2 })).codes, ['context_compacted']);
});

test('the strategy truncate asks no model', async () => {
  const summarize = () => assert.fail('no summary was asked for');
  const done = await compacted(history(), { compaction_strategy: 'truncate', summarize });
  assert.deepEqual(done.codes, ['context_truncated']);
  assert.match(JSON.stringify(done.messages[0]), /left out/);
  assert.deepEqual(done.messages.at(-1), user('And now?'));
});

test('the strategy summarize reads everything, in several calls where one is too small', async () => {
  const turns = Array.from({ length: 12 }, (_, index) => user(`${index} ${long(300)}`));
  const read: string[] = [];
  const summarize = async (messages: readonly ModelMessage[]) => String(read.push(JSON.stringify(messages)));
  const done = await compacted([...turns, user('And now?')], { compaction_strategy: 'summarize', summarize });
  assert.ok(read.length > 1 && read.length <= 4);
  assert.deepEqual(done.codes, ['context_compacted']);
  read.length = 0;
  await compacted([...turns, user('And now?')], { summarize });
  assert.equal(read.length, 1);
});

test('a summary that fails, is empty or too long does not stop the run', async () => {
  const failing = await compacted(history(), { summarize: () => Promise.reject(new Error('down')) });
  assert.deepEqual(failing.codes, ['compaction_failed']);
  const empty = await compacted(history(), { summarize: async () => ' ' });
  assert.deepEqual(empty.codes, ['compaction_failed']);
  const endless = await compacted(history(), { summarize: async () => '保'.repeat(50_000) });
  assert.ok(estimateMessages(endless.messages) <= 1_800);
});

test('a run that is stopped while it summarizes stops', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  const summarize = () => Promise.reject(signal.reason);
  await assert.rejects(compacted(history(), { signal, summarize }), /stopped/);
});

test('a message larger than the window is cut, the last of the user only when nothing else helps', async () => {
  const tool = [user('Read it'), call('1', 'files_read'), result('1', 'files_read', long(9_000))];
  const read = await compacted(tool);
  assert.ok(estimateMessages(read.messages) <= 1_800);
  assert.deepEqual(read.messages.slice(0, 2), tool.slice(0, 2));
  assert.match(JSON.stringify(read.messages[2]), /characters left out/);
  const alone = await compacted([user(`Please ${long(9_000)} thanks`)]);
  assert.match(JSON.stringify(alone.messages), /Please .*left out.* thanks/);
});

test('what the user just said may pass the threshold as long as it fits the window', async () => {
  const asked = user(long(1_220));
  const steps = (count: number) =>
    Array.from({ length: count }, (_, at) => [call(`${at}`, 'a_read'), result(`${at}`, 'a_read', long(20))]).flat();
  const one = [asked, ...steps(1)];
  assert.equal((await compacted(one)).messages, one);
  const many = await compacted([asked, ...steps(12)]);
  assert.deepEqual(many.codes, ['context_compacted']);
  assert.ok(many.messages.length > 5, 'the newest steps are still there');
  assert.ok(many.messages.includes(asked));
});

test('open approvals and the to-do list stay', async () => {
  const todos = [call('1', 'todos_add_todo'), result('1', 'todos_add_todo', '[{"text":"buy milk"}]')];
  const open = call('2', 'mail_send');
  const done = await compacted([...todos, user(long(900)), open, user(long(900)), reply('ok'), user('And now?')]);
  assert.deepEqual(done.messages.slice(1, 3), todos);
  assert.ok(done.messages.includes(open));
});

test('without compaction what can not fit is refused in plain words', async () => {
  await assert.rejects(compacted(history(), { compaction_enabled: false }), isTooLong);
  const some = [user(long(1_200))];
  assert.equal((await compacted(some, { compaction_enabled: false })).messages, some);
});

test('a system prompt larger than the window is refused, not shortened', async () => {
  await assert.rejects(compacted([user('hello')], { system: long(9_000) }), isTooLong);
});

test('compacts before the next step when the agent asks for it, and stays compacted without another summary', async () => {
  let summaries = 0;
  const compactor = makeCompactor({
    system: '',
    context_window: 100_000,
    max_tokens: 100,
    settings: { compaction_enabled: true, compaction_strategy: 'auto', compaction_threshold: 0.75 },
    summarize: async () => `short ${++summaries}`,
  });
  const lengths = async () => {
    const making = compactor.compact(history());
    let next = await making.next();
    while (!next.done) next = await making.next();
    return next.value.length;
  };
  assert.equal(await lengths(), 5);
  await compactor.tool.run({} as Parameters<typeof compactor.tool.run>[0], {}, AbortSignal.timeout(1_000));
  const compacted = await lengths();
  assert.ok(compacted < 5);
  assert.equal(await lengths(), compacted);
  assert.equal(summaries, 1);
});

test('extends the summary it has with the messages since, and stores which messages it covers', async () => {
  const read: string[] = [];
  const saved: [string, number[]][] = [];
  const compactor = makeCompactor({
    system: '',
    context_window: 2_000,
    max_tokens: 200,
    settings: { compaction_enabled: true, compaction_strategy: 'auto', compaction_threshold: 0.75 },
    summarize: async (messages) => `summary ${read.push(JSON.stringify(messages))}`,
    save: async (text, covered) => saved.push([text, [...covered]]),
  });
  const whole = history();
  const fit = async () => {
    const making = compactor.compact(whole);
    let next = await making.next();
    while (!next.done) next = await making.next();
    return next.value;
  };
  await fit();
  assert.deepEqual(saved, [['summary 1', [0, 1, 2]]]);
  whole.push(reply(long(500)), user(long(900)));
  const [first] = await fit();
  assert.match(JSON.stringify(first), /summary 2/);
  assert.ok(read[1]?.includes('summary 1') && read[1].includes('And now?'));
  assert.deepEqual(saved.at(-1)?.[1].slice(0, 5), [0, 1, 2, 3, 4]);
});

test('a summary is asked for with a transcript that names who said what', () => {
  const { text, max_tokens } = buildSummaryPrompt([user('hi'), call('1', 'a_b'), result('1', 'a_b', 'noon')], 50);
  assert.equal(text, 'User: hi\n\nAssistant: [calls a_b {}]\n\na_b answered: noon');
  assert.equal(max_tokens, 50);
});

test('a message is cut where no value is torn', async () => {
  for (let at = 0; at < 30; at++) {
    const cards = `${'x'.repeat(at)} ${'the card 4111 1111 1111 1111 is mine. '.repeat(1_000)}`;
    const { messages } = await compacted([user(cards)]);
    const [said] = (messages[0] as { parts: { text: string }[] }).parts;
    assert.match(said?.text ?? '', /characters left out/);
    const rest = said?.text.replaceAll('4111 1111 1111 1111', '').replace(/\d+ characters left out/, '') ?? '';
    assert.doesNotMatch(rest, /\d/);
  }
});

test('leaves no turn out when the database is away', async () => {
  const outage = await makeOutage();
  await assert.rejects(compacted(history(), { summarize: () => Promise.reject(outage) }), isDatabaseOutage);
});
