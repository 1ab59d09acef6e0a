import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestServer } from '../endpoints/testing.ts';

const models_file = join(tmpdir(), `summary-models-${process.pid}.json`);
after(() => rmSync(models_file, { force: true }));
const small = { provider: 'openai', model: 'blind', context_window: 4000, max_output_tokens: 500 };
writeFileSync(models_file, JSON.stringify([small]));

const { provider, talk, post, call, another, query } = await openTestServer({ models_file });
const base = {
  ...{ top_k: 0, max_retries_per_model: 0, max_tokens: 400, pii_anonimization: [] as string[] },
  // Turn tools off: their descriptions would take up part of the context window.
  base_tools: [{ type: 'filesystem', enabled: false }],
};
/** A text about a thing, of about so many tokens. */
const about = (thing: string, tokens: number) => `${thing} `.repeat((tokens * 4) / (thing.length + 1));
const noted = '[Summary of the conversation so far]';

/** Numbers the summaries that the provider is asked for; other requests get a short reply. */
function countSummaries(textOf = (number: number) => `Summary number ${number}`) {
  const from = provider.requests.length;
  let summaries = 0;
  provider.answers = (body) =>
    JSON.stringify(body.messages).includes('Summarize the conversation')
      ? { text: textOf(++summaries) }
      : { text: 'Noted.' };
  const sent = () => provider.requests.slice(from).map(({ body }) => JSON.stringify(body.messages));
  return { summaries: () => summaries, sent, last: () => sent().at(-1) ?? '' };
}

async function say(path: string, content: string, at?: string) {
  const { status, json, text } = await post(path, { content }, at ? { at } : {});
  assert.deepEqual([status, json.status], [200, 'completed'], text);
  return json;
}

test('makes one summary over six turns past the threshold, and extends it when the conversation grows', async () => {
  const seen = countSummaries();
  const path = await talk(base);
  await say(path, about('apple', 2600));
  for (const thing of ['pear', 'plum', 'cherry', 'grape', 'melon', 'peach']) {
    await say(path, about(thing, thing === 'pear' ? 500 : 60));
    assert.ok(seen.last().includes(`${noted}\\nSummary number 1`) && seen.last().includes(`${thing} ${thing}`));
    assert.ok(!seen.last().includes('apple apple'));
  }
  assert.equal(seen.summaries(), 1);

  const { messages } = await say(path, about('mango', 2200));
  assert.equal(seen.summaries(), 2);
  const asked = seen.sent().findLast((text) => text.includes('Summarize the conversation')) ?? '';
  assert.ok(asked.includes('Summary number 1') && asked.includes('plum plum') && !asked.includes('apple apple'));
  assert.ok(seen.last().includes('Summary number 2') && !seen.last().includes('Summary number 1'));
  assert.equal(messages.length, 16);
  assert.ok(messages[0].message_parts[0].content.includes('apple apple'), 'the originals stay');
});

test('uses the stored summary after a restart', async () => {
  const seen = countSummaries();
  const path = await talk(base);
  await say(path, about('apple', 2600));
  await say(path, about('pear', 500));
  const { at, close } = await another();
  await say(path, 'And now?', at);
  await close();
  assert.equal(seen.summaries(), 1);
  assert.ok(seen.last().includes('Summary number 1') && !seen.last().includes('apple apple'));
});

test('keeps what context_compact has replaced in the next turns, without another summary', async () => {
  const path = await talk({ ...base, compaction_tool_enabled: true });
  await say(path, about('apple', 900));
  await say(path, about('pear', 200));
  const seen = countSummaries();
  const { answers } = provider;
  let tidied = false;
  provider.answers = (body) => {
    const asks = JSON.stringify(body.messages).includes('Tidy up') && !tidied;
    if (!asks) return answers?.(body);
    tidied = true;
    return { tool_calls: [{ name: 'context_compact', input: {} }] };
  };
  await say(path, 'Tidy up');
  for (const content of ['And now?', 'And then?']) {
    await say(path, content);
    assert.ok(seen.last().includes(noted) && !seen.last().includes('apple apple'), content);
    assert.ok(seen.last().includes('Tidy up') && seen.last().includes(content));
  }
  assert.equal(seen.summaries(), 1);
});

test('drops the summary when a message that it covers is edited, and keeps it when a later one is', async () => {
  const seen = countSummaries();
  const path = await talk(base);
  const first = await say(path, about('apple', 2600));
  const later = await say(path, about('pear', 500));
  assert.equal(seen.summaries(), 1);
  await call('POST', `${path}/messages/${later.messages[2].id}/edit`, { content: 'Only pears' });
  assert.ok(seen.last().includes('Summary number 1') && seen.last().includes('Only pears'));
  await call('POST', `${path}/messages/${first.messages[0].id}/edit`, { content: 'Only apples' });
  assert.ok(seen.last().includes('Only apples') && !seen.last().includes('Summary number 1'));
  assert.equal(seen.summaries(), 1);
});

test('sends all messages again when compaction is turned off', async () => {
  const seen = countSummaries();
  const path = await talk({ ...base, compaction_threshold: 0.5 });
  await say(path, about('apple', 1700));
  await say(path, about('pear', 500));
  assert.equal(seen.summaries(), 1);
  const patched = await call('PATCH', path, { settings: { compaction_enabled: false } });
  assert.equal(patched.status, 200, patched.text);
  await say(path, 'And now?');
  assert.ok(!seen.last().includes(noted) && seen.last().includes('apple apple'));
});

test('anonymizes the stored summary whenever a model reads it', async () => {
  const seen = countSummaries(() => 'The user is <EMAIL_ADDRESS_1>.');
  const path = await talk({ ...base, pii_anonimization: ['EMAIL_ADDRESS'] });
  await say(path, `I am ada@example.org. ${about('apple', 2600)}`);
  await say(path, about('pear', 500));
  await say(path, 'And now?');
  assert.equal(seen.summaries(), 1);
  assert.ok(seen.sent().every((text) => !text.includes('ada@example.org')));
  assert.match(seen.last(), /The user is <EMAIL_ADDRESS_1>/);
  const [{ summary }] = await query('select summary from conversations where id = $1', [path.split('/').at(-1)]);
  assert.ok(summary.includes('The user is ada@example.org.'), summary);
});

test('shows the summary in no answer', async () => {
  countSummaries();
  const path = await talk(base);
  await say(path, about('apple', 2600));
  await say(path, about('pear', 500));
  const { text } = await call('GET', path);
  assert.ok(!text.includes('Summary number'));
});
