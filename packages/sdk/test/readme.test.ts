import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Atrium } from '@atrium/sdk';
import { listenOnSocket } from '../../server/test/support/socket-client.ts';
import { testApp } from '../../server/test/support/test-app.ts';

const testing = await testApp();
const { port } = await listenOnSocket(testing.app);
const baseUrl = `http://127.0.0.1:${port}`;
const { key } = await testing.workspace();
const folder = mkdtempSync(join(tmpdir(), 'atrium-sdk-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the examples of the README run as they are written', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [first = '', ...blocks] = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  assert.ok(blocks.length >= 5);
  const sdk = pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href;
  const names =
    'key, signal, onState, write, conversation, id, body, etag, showConflict, showFields, blob, show, remember, remembered, onProgress';
  const examples = first
    .replace(
      "{ Atrium } from '@atrium/sdk';",
      `{ Atrium, AtriumError } from '${sdk}';\nexport async function run({ ${names} }) {`,
    )
    .replace('http://localhost:8080', baseUrl);
  const file = join(folder, 'readme.mjs');
  writeFileSync(file, `${examples}\n${blocks.map((block) => `{\n${block}}\n`).join('')}}\n`);
  const { run } = (await import(pathToFileURL(file).href)) as { run(given: object): Promise<void> };

  const client = new Atrium({ baseUrl, apiKey: key });
  const agent = await client.agents.create({ name: 'Support desk', definition: {} });
  const settings = { model: ['atrium/extractive'] };
  const conversation = await client.conversations.create({ name: 'test', settings });
  const said: string[] = [];
  const conflicts: unknown[] = [];
  const shown: number[] = [];
  await run({
    ...{ key, conversation, id: agent.id, etag: '1', body: { name: 'Desk' }, blob: new Blob(['some bytes']) },
    write: (text: string) => said.push(text),
    showConflict: (actor: unknown) => conflicts.push(actor),
    show: (part: number) => shown.push(part),
    remember: (id: string) => assert.match(id, /^[\da-f-]{36}$/),
  });
  assert.ok(said.join('').length > 0);
  assert.equal(conflicts.length, 1);
  assert.equal(shown.at(-1), 1);
});
