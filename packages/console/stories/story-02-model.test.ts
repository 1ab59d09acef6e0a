import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiProvider } from '../../server/test/providers/openai-provider.ts';
import { closing } from '../../server/test/support/scripted-app.ts';
import { withoutBrowser } from './support/browser.ts';
import { claimServer } from './support/claim-server.ts';
import { consoleApp } from './support/console-app.ts';

test('connects a server of ours once it answers, and says what failed when it does not', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const model = await closing(openaiProvider());
  model.models = ['qwen3-32b', 'llama-4-scout', 'nomic-embed-text'];
  const window = await claimServer(app);
  const { page, checkAccess, checkQuiet } = window;

  const address = page.getByLabel('Address');
  await address.fill('http://127.0.0.1:9/v1');
  const began = Date.now();
  await page.getByText('It does not answer').waitFor({ timeout: 6000 });
  assert.ok(Date.now() - began < 6000);
  assert.equal(await address.inputValue(), 'http://127.0.0.1:9/v1', 'what was typed is kept');
  await checkAccess();
  assert.equal(await page.getByRole('button', { name: 'Use it' }).getAttribute('aria-disabled'), 'true');

  await address.fill(model.url);
  await page.getByText(/It answers, in \d+ ms/).waitFor();
  await checkAccess();
  const { json: tried } = await app.call('POST', '/v1/admin/providers/test', {
    ...{ provider: 'openai-compatible', base_urls: [model.url] },
  });
  const [first] = tried.addresses[0].models as string[];
  assert.ok(first);
  await page.getByRole('status').getByText(first, { exact: false }).first().waitFor();
  await page.getByRole('button', { name: `Use ${first}` }).press('Enter');
  await page.getByText('Step 3 of 4').waitFor();

  const { json: providers } = await app.call('GET', '/v1/admin/providers');
  assert.deepEqual(
    providers.map(({ name, base_urls }: { name: string; base_urls: string[] }) => [name, base_urls]),
    [['local', [model.url]]],
  );
  checkQuiet(/status of 401/);
});

test('goes on without a model when the step is skipped, and the first steps say so', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, checkAccess, checkQuiet } = await claimServer(app);
  await page.getByRole('button', { name: 'Skip' }).press('Enter');
  await page.getByText('Step 3 of 4').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Skip' }).press('Enter');
  await page.getByRole('heading', { name: 'All set' }).waitFor();
  await checkAccess();
  await page.getByRole('link', { name: 'Open the chat' }).press('Enter');
  await page.waitForURL(/\/w\/[0-9a-f-]+\/chat/);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: /Connect a model.*quote them, word for word/ }).waitFor();
  await checkAccess();
  await steps.getByRole('button', { name: 'Put away' }).press('Enter');
  await steps.waitFor({ state: 'detached' });
  checkQuiet(/status of 401/);
});
