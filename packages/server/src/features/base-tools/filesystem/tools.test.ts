import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { defineTool } from '../../tools/service.ts';
import { toolApp } from '../testing.ts';

const long = defineTool({
  ...{ tool: 'test_long', description: 'Says much', repeatable: true, input: z.object({}), output: z.string() },
  run: async () => 'line of words\n'.repeat(11_000).slice(0, 150_000),
});
const app = await toolApp({}, { tools: [long] });
const verbs = ['list', 'read', 'write', 'search'];

test('filesystem lists, reads, writes and searches the files of a conversation', async () => {
  const id = await app.converse();
  const file = await app.upload('birds.txt', 'Herons wade.\n\nStorks nest on roofs.');
  const { results } = await app.calling(
    id,
    [
      ['filesystem_write', { path: 'notes/plan.md', content: 'Buy storks' }],
      ['filesystem_list', {}],
      ['filesystem_read', { path: 'birds.txt' }],
      ['filesystem_search', { query: 'where do storks nest?' }],
      ['filesystem_read', { path: 'nothing.txt' }],
    ],
    'Look',
    { files: [{ id: file }] },
  );
  assert.deepEqual(
    app.offered().filter((name) => name.startsWith('filesystem_')),
    verbs.map((verb) => `filesystem_${verb}`),
  );
  assert.equal(results[0].files[0].name, 'plan.md');
  assert.deepEqual(
    results[1].files.map(({ path, origin }: Record<string, string>) => [path, origin]),
    [
      ['birds.txt', 'attached'],
      ['plan.md', 'made'],
    ],
  );
  assert.partialDeepStrictEqual(results[2], { content: 'Herons wade.\n\nStorks nest on roofs.', next_offset: null });
  assert.deepEqual(
    results[3].results.map(({ path, content }: Record<string, string>) => [path, content]),
    [
      ['birds.txt', 'Storks nest on roofs.'],
      ['plan.md', 'Buy storks'],
    ],
  );
  assert.match(results[4].error, /There is: birds.txt, plan.md/);

  // A file that is written twice is one file, and a later turn finds it.
  const later = await app.calling(id, [
    ['filesystem_write', { path: 'plan.md', content: 'Buy herons' }],
    ['filesystem_read', { path: 'plan.md' }],
    ['filesystem_list', {}],
  ]);
  assert.equal(later.results[1].content, 'Buy herons');
  assert.equal(later.results[2].files.length, 2);
});

test('filesystem reads long files of any format page by page', async () => {
  const golden = readFileSync(join(import.meta.dirname, '../../../../test/golden/files/guide.docx'));
  const docx = { name: 'guide.docx', b64_content: golden.toString('base64') };
  const long = { name: 'long.txt', b64_content: Buffer.from('line of words\n'.repeat(3000)).toString('base64') };
  const { results } = await app.calling(
    await app.converse(),
    [
      ['filesystem_read', { path: 'guide.docx' }],
      ['filesystem_read', { path: 'long.txt' }],
      ['filesystem_read', { path: 'long.txt', offset: 20_000 }],
    ],
    'Read',
    { files: [docx, long] },
  );
  assert.ok(results[0].content.length > 100);
  assert.equal(results[1].total_chars, 42_000);
  assert.ok(results[1].next_offset <= 20_000 && results[1].next_offset > 19_000);
  assert.ok(results[2].content.length > 0);
});

test('agent_files are files that the agent may read', async () => {
  const file = await app.upload('handbook.txt', 'The code word is heron.');
  const id = await app.converse({}, { agent_files: [{ id: file }] });
  const { results } = await app.calling(id, [
    ['filesystem_list', {}],
    ['filesystem_search', { query: 'code word' }],
  ]);
  assert.deepEqual(
    results[0].files.map(({ path, origin }: Record<string, string>) => [path, origin]),
    [['handbook.txt', 'agent']],
  );
  assert.equal(results[1].results[0].content, 'The code word is heron.');
  const off = await app.converse({}, { agent_files: [{ id: file, enabled: false }] });
  assert.deepEqual((await app.calling(off, [['filesystem_list', {}]])).results[0].files, []);

  const own = await app.converse({}, { agent_files: [file], model: ['atrium/extractive'] });
  assert.match((await app.say(own, 'What is the code word?')).text, /The code word is heron/);
});

test('stores the rest of a long result as a file that the agent can read', async () => {
  const id = await app.converse();
  const { results } = await app.calling(id, [['test_long', {}]]);
  const name = /the whole is kept as the file (\S+), id/.exec(results[0])?.[1] ?? '';
  const { results: read } = await app.calling(id, [['filesystem_read', { path: name, offset: 140_000 }]]);
  assert.deepEqual([read[0].total_chars, read[0].content.length > 9000], [150_000, true]);
});

test('keeps the files of conversations apart', async () => {
  const first = await app.converse();
  const { results } = await app.calling(first, [['filesystem_write', { path: 'mine.txt', content: 'x' }]]);
  const other = await app.calling(await app.converse(), [
    ['filesystem_list', {}],
    ['filesystem_read', { path: results[0].files[0].id }],
  ]);
  assert.deepEqual(other.results[0].files, []);
  assert.match(other.results[1].error, /There is no file/);
  const [file] = results[0].files;
  const elsewhere = await app.converse();
  assert.equal((await app.call('GET', `/v1/conversations/${elsewhere}/files/${file.id}`)).status, 404);
  assert.equal((await app.call('GET', `/v1/conversations/${first}/files/${file.id}`)).status, 200);
});

test('does not offer filesystem when it is turned off', async () => {
  await app.calling(await app.converse({ filesystem: { enabled: false } }), [['clock_now', {}]]);
  assert.deepEqual(app.offered(), ['clock_now', 'test_long']);
});
