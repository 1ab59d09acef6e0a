import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiProvider } from '../../server/test/providers/openai-provider.ts';
import { closing } from '../../server/test/support/scripted-app.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('leads from the welcome to the first answer with at most 12 clicks', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({ roles: ['http', 'worker'] });
  const model = await closing(openaiProvider());
  model.models = ['qwen3-32b', 'llama-4-scout', 'nomic-embed-text'];
  const { page, checkAccess, checkQuiet } = await app.stranger();
  await page.goto(`/welcome#token=${await app.claimToken()}`);
  await page.evaluate('window.clicks = 0; addEventListener("click", () => { window.clicks++; }, true)');

  await page.getByLabel('Your name').click();
  await page.keyboard.type('Mara Okafor');
  await page.getByLabel('Mail address').click();
  await page.keyboard.type('mara@northwind.example');
  await page.getByLabel('Password', { exact: true }).click();
  await page.keyboard.type('a long password');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByText('Step 2 of 4').waitFor();
  await page.getByLabel('Address').click();
  await page.keyboard.insertText(model.url);
  await page.getByRole('button', { name: /^Use (?!it)/ }).click();
  await page.getByText('Step 3 of 4').waitFor();
  await page.getByRole('radio', { name: /^Support desk/ }).click();
  await checkAccess();
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('heading', { name: 'Support desk is ready' }).waitFor();
  await checkAccess();
  await page.getByRole('link', { name: 'Open the chat' }).click();
  await page.waitForURL(/\/chat/);
  await page.getByRole('textbox').last().click();
  await page.keyboard.type('What can you do?');
  await page.keyboard.press('Enter');
  await page.getByText('You said: What can you do?', { exact: true }).last().waitFor();
  assert.ok(model.requests.length > 0, 'the model that was connected has answered');
  const clicks = Number(await page.evaluate('window.clicks'));
  assert.ok(clicks <= 12, `${clicks} clicks`);
  await checkAccess();

  // The agent has the sample knowledge base, and its documents are found.
  const { json: bases } = await app.call('GET', '/v1/knowledge-bases');
  assert.equal(bases.items.length, 1);
  const { json: found } = await app.call('POST', `/v1/knowledge-bases/${bases.items[0].id}/search`, {
    query: 'How long do refunds take?',
  });
  assert.match(JSON.stringify(found), /3 to 5 working days/);
  checkQuiet(/status of 401/);
});
