import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const models_file = join(tmpdir(), `small-models-${process.pid}.json`);
after(() => rmSync(models_file, { force: true }));
const small = { provider: 'openai-compatible', model: 'one', context_window: 4000, max_output_tokens: 500 };
writeFileSync(models_file, JSON.stringify([small]));

const app = await scriptedApp({ models_file });
const { server, name } = await app.provider();
const base = {
  ...{ model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, max_tokens: 400 },
  // Turn tools off: their descriptions would take up part of the context window.
  base_tools: [{ type: 'filesystem', enabled: false }],
};
/** About a thousand tokens about a thing. */
const about = (thing: string) => `${thing} `.repeat(4000 / (thing.length + 1));
const noted = '[Summary of the conversation so far]';
const leftOut = '[Earlier messages were left out to make room.]';

const bodies = (from: number) => server.requests.slice(from).map(({ body }) => JSON.stringify(body.messages));
const isSummary = (body: string) => body.includes('Summarize the conversation');

/** Two turns that fill half of the window; from where on requests are new. */
async function filled(settings: object) {
  const id = await app.converse({ ...base, ...settings });
  server.reply({ text: 'About apples' }, { text: 'About pears' });
  await app.say(id, about('apples'));
  await app.say(id, about('pears'));
  return { id, from: server.requests.length };
}

test('above compaction_threshold the oldest turns become a summary; the originals stay', async () => {
  const { id, from } = await filled({});
  server.reply({ text: 'They spoke of fruit', usage: { input: 500, output: 50 } }, { text: 'About plums' });
  const seen = await app.say(id, about('plums'));
  const [summary, request] = bodies(from);
  assert.equal(server.requests.length - from, 2);
  assert.ok(isSummary(summary ?? '') && summary?.includes('apples apples'));
  assert.ok(request?.includes(`${noted}\\nThey spoke of fruit`) && request.includes('plums plums'));
  assert.ok(!request?.includes('apples apples'));
  assert.deepEqual([seen.status, seen.text], ['completed', 'About plums']);
  assert.match(seen.metadata.warnings.join(), /replaced by a summary/);
  assert.equal(seen.conversation.messages.length, 6);
  assert.ok(JSON.stringify(seen.conversation.messages[0]).includes('apples apples'));
});

test('compaction_threshold says how early', async () => {
  const { id, from } = await filled({ compaction_threshold: 1 });
  server.reply({ text: 'About plums' });
  await app.say(id, about('plums'));
  assert.equal(server.requests.length - from, 1);
  assert.ok(bodies(from)[0]?.includes('apples apples'));

  const early = await app.converse({ ...base, compaction_threshold: 0.4 });
  await app.say(early, about('apples'));
  const next = server.requests.length;
  server.reply({ text: 'They spoke of fruit' }, { text: 'About pears' });
  await app.say(early, about('pears').slice(0, 3000));
  assert.equal(bodies(next).filter(isSummary).length, 1);
});

test('compaction_strategy truncate leaves the oldest turns out without asking for a summary', async () => {
  const { id, from } = await filled({ compaction_strategy: 'truncate' });
  server.reply({ text: 'About plums' });
  const seen = await app.say(id, about('plums'));
  const [request] = bodies(from);
  assert.equal(server.requests.length - from, 1);
  assert.ok(request?.includes(leftOut) && !request.includes('apples apples'));
  assert.match(seen.metadata.warnings.join(), /left out to make room/);
  assert.equal(seen.conversation.messages.length, 6);
});

test('a summary that can not be had is no reason to fail: the oldest turns are left out', async () => {
  for (const compaction_strategy of ['auto', 'summarize']) {
    const { id, from } = await filled({ compaction_strategy });
    server.reply({ status: 400, error: 'No' }, { text: 'About plums' });
    const seen = await app.say(id, about('plums'));
    assert.deepEqual([seen.status, seen.text], ['completed', 'About plums']);
    assert.ok(bodies(from).at(-1)?.includes(leftOut));
    assert.match(seen.metadata.warnings.join(), /could not be summarized/);
  }
});

test('with compaction_enabled off a conversation that is too long fails before the provider is asked', async () => {
  const { id } = await filled({ compaction_enabled: false });
  server.reply({ text: 'About plums' });
  assert.equal((await app.say(id, about('plums'))).text, 'About plums');
  const from = server.requests.length;
  const seen = await app.say(id, about('cherries'));
  assert.deepEqual([seen.status, seen.error?.code], ['failed', 'context_too_long']);
  assert.match(seen.error?.content ?? '', /compaction_enabled is off/);
  assert.equal(server.requests.length, from);
});

test('compaction_tool_enabled lets the agent ask for it', async () => {
  const names = () => (server.last().body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
  const { id } = await filled({});
  assert.deepEqual(names(), ['clock_now']);

  const own = await filled({ compaction_tool_enabled: true });
  assert.deepEqual(names(), ['clock_now', 'context_compact']);
  server.reply(
    { tool_calls: [{ name: 'context_compact', input: {} }] },
    { text: 'They spoke of fruit' },
    { text: 'Tidied' },
  );
  const seen = await app.say(own.id, 'Tidy up');
  assert.equal(seen.text, 'Tidied');
  const [asked, summary, after] = bodies(own.from);
  assert.ok(asked?.includes('apples apples') && isSummary(summary ?? ''));
  assert.ok(after?.includes(noted) && !after.includes('apples apples'));
  assert.ok(id !== own.id);
});

test('what a summary used counts for the conversation', async () => {
  const { id } = await filled({});
  server.reply({ text: 'Fruit', usage: { input: 700, output: 30 } }, { text: 'Plums', usage: { input: 5, output: 5 } });
  const before = await app.query('select tokens_used from conversations where id = $1', [id]);
  await app.say(id, about('plums'));
  const after = await app.query('select tokens_used from conversations where id = $1', [id]);
  assert.equal(Number(after[0].tokens_used) - Number(before[0].tokens_used), 740);
});

test('a prompt that the model refuses as too long is compacted and sent again, or ends with a clear error', async () => {
  const refusal = {
    status: 400,
    error: "This model's maximum context length is 2000 tokens. However, your messages resulted in 2600 tokens.",
  };
  const { id, from } = await filled({ compaction_strategy: 'truncate' });
  server.reply(refusal, { text: 'About plums' });
  const seen = await app.say(id, 'And plums?');
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  const [refused = '', sent = ''] = bodies(from);
  assert.ok(refused.includes('apples') && !sent.includes('apples') && sent.includes('And plums?'));
  assert.ok(JSON.stringify(seen.metadata.warnings).includes('left out to make room'));
  assert.deepEqual(
    seen.metadata.attempts.map(({ status }: { status: string }) => status),
    ['failed', 'ok'],
  );

  const off = await filled({ compaction_enabled: false });
  server.reply(refusal);
  const failed = await app.say(off.id, 'And plums?');
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'context_too_long']);
  assert.match(failed.error?.content ?? '', /The messages are too long for .*one; start a new conversation/);
  assert.equal(bodies(off.from).length, 1);

  const small = await filled({ compaction_strategy: 'truncate' });
  server.reply(refusal, refusal, refusal, refusal, refusal);
  const never = await app.say(small.id, 'And plums?');
  assert.deepEqual([never.status, never.error?.code], ['failed', 'context_too_long']);
  assert.ok(bodies(small.from).length <= 4);
});
