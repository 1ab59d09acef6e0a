import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, pii_anonimization: [] };

type Body = { response_format?: unknown; messages: { role: string; content: unknown }[]; tools?: unknown[] };
const isVerdict = ({ response_format }: Body) => response_format !== undefined;
let judged: (text: string) => Reply = () => ({ text: '{"flagged":false,"severity":"none","reason":""}' });
server.answers = (body) => (isVerdict(body as Body) ? judged(JSON.stringify((body as Body).messages)) : undefined);

/** 2,000 rows; the words of the last one stand nowhere else. */
const rows = Array.from({ length: 1999 }, (_, n) => `${n + 1},customer of row ${n + 1},${n * 3}.50`);
const csv = ['id,customer,total', ...rows, '2000,the Quokka company,7.50', ''].join('\n');
const attached = (content = csv, filename = 'orders.csv') => ({
  files: [{ name: filename, b64_content: Buffer.from(content).toString('base64') }],
});
/** What the model was sent last, without verdicts. */
const lastSent = () =>
  JSON.stringify(server.requests.map(({ body }) => body as Body).findLast((body) => !isVerdict(body)));

test('shows a long file as a summary to a model that has filesystem tools', async () => {
  const id = await app.converse(base);
  server.reply({ text: 'Seen' });
  await app.say(id, 'What is in it?', attached());
  const sent = lastSent();
  assert.ok(sent.length < 30_000, `${sent.length} characters were sent`);
  for (const part of [
    /File \\"orders\.csv\\" \(text\/csv\):/,
    /filesystem_read reads it by the path \\\\\\"orders.csv\\\\\\"|filesystem_read reads it by the path \\"orders.csv\\"/,
    /Table: 2000 rows, 3 columns/,
    /- id: integer, such as 1 \| 2 \| 3/,
    /- total: number/,
    /\| 1 \| customer of row 1 \| 0\.50 \|/,
  ])
    assert.match(sent, part);
  assert.doesNotMatch(sent, /Quokka/);

  const call = { id: 'c', name: 'filesystem_search', input: { query: 'Quokka company' } };
  server.reply({ tool_calls: [call] }, { text: 'Row 2000' });
  await app.say(id, 'Find the Quokka company');
  assert.match(lastSent(), /2000,the Quokka company/, 'the path leads to the file');
});

test('sends a small file whole', async () => {
  const id = await app.converse(base);
  await app.say(id, 'What is in it?', attached('id,total\n1,2\n'));
  assert.match(lastSent(), /\(text\/csv\):\\n\\nid,total\\n1,2\\n/);
});

test('sends a long file whole where the model can not read it by a tool', async () => {
  const off = { base_tools: [{ type: 'filesystem', enabled: false }] };
  const id = await app.converse({ ...base, ...off });
  await app.say(id, 'What is in it?', attached());
  assert.match(lastSent(), /Quokka/);
});

test('names the path by which code reads the file, where code may be run', async () => {
  const tools = [
    { type: 'filesystem', enabled: false },
    { type: 'code_execution', enabled: true },
  ];
  const id = await app.converse({ ...base, base_tools: tools });
  await app.say(id, 'What is in it?', attached());
  const usable = /code of code_execution_run opens it as/.test(lastSent());
  assert.equal(/Quokka/.test(lastSent()), !usable);
});

test('has guardrails judge the whole file, of which the model gets a summary', async () => {
  const seen: string[] = [];
  judged = (text) => {
    seen.push(text);
    const flagged = text.includes('Quokka');
    return { text: JSON.stringify({ flagged, severity: flagged ? 'severe' : 'none', reason: 'It is' }) };
  };
  const id = await app.converse({ ...base, prompt_injection: true, guardrail_action: 'fail' });
  const { status, error } = await app.say(id, 'What is in it?', attached());
  assert.deepEqual([status, error?.type === 'error' && error.code], ['failed', 'guardrail_violation']);
  assert.ok(
    seen.some((text) => text.includes('Table: 2000 rows')),
    'the summary is judged too',
  );

  const other = await app.converse({ ...base, prompt_injection: true, guardrail_action: 'fail' });
  const good = csv.replace('Quokka', 'Heron');
  assert.equal((await app.say(other, 'What is in it?', attached(good))).status, 'completed');
  assert.doesNotMatch(lastSent(), /Heron/);
});

test('anonymizes a summary like the text of a file', async () => {
  const id = await app.converse({ ...base, pii_anonimization: ['EMAIL_ADDRESS'] });
  const mails = Array.from({ length: 2000 }, (_, n) => `${n},person${n}@corp-mail.com`);
  await app.say(id, 'Who is it?', attached(['id,mail', ...mails].join('\n'), 'people.csv'));
  assert.match(lastSent(), /- mail: text, such as <EMAIL_ADDRESS_\d+>/);
  assert.doesNotMatch(lastSent(), /corp-mail/);
});

test('says with the message what was sent of its files', async () => {
  const sentOf = async (id: string) => {
    const { json } = await app.call('GET', `/v1/conversations/${id}/messages?format=ui`);
    const parts = json.items.flatMap(({ parts: all }: { parts: { type: string; sent?: string }[] }) => all);
    return parts.flatMap((part: { type: string; sent?: string }) => (part.type === 'file' ? (part.sent ?? null) : []));
  };
  judged = () => ({ text: '{"flagged":false,"severity":"none","reason":""}' });
  const id = await app.converse(base);
  const files = [
    ...attached().files,
    ...attached('id\n1\n', 'small.csv').files,
    ...attached('\0\x01\x02', 'a.bin').files,
  ];
  await app.say(id, 'What is in them?', { files });
  assert.deepEqual(await sentOf(id), ['summary', 'whole', 'nothing']);
  await app.say(id, 'And now?');
  assert.deepEqual(await sentOf(id), ['summary', 'whole', 'nothing']);
  const off = await app.converse({ ...base, base_tools: [{ type: 'filesystem', enabled: false }] });
  await app.say(off, 'What is in it?', attached(csv.repeat(4)));
  assert.deepEqual(await sentOf(off), ['beginning']);
  const { json } = await app.call('GET', `/v1/conversations/${off}`);
  assert.equal(json.messages[0].metadata, null);
});
