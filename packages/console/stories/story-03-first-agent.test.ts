import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiProvider } from '../../server/test/providers/openai-provider.ts';
import { closing } from '../../server/test/support/scripted-app.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { tabTo } from './support/keys.ts';

test('leads from the welcome to the first answer with at most 12 presses when only the keyboard is used', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp({ roles: ['http', 'worker'] });
  const model = await closing(openaiProvider());
  model.models = ['qwen3-32b', 'llama-4-scout', 'nomic-embed-text'];
  const { page, checkAccess, checkQuiet } = await app.stranger();
  await page.goto(`/welcome#token=${await app.claimToken()}`);
  // A key that presses a button, chooses or sends is one click for the page; fields are reached by Tab.
  await page.evaluate(`
    window.presses = 0;
    window.pointers = 0;
    addEventListener("click", () => { window.presses++; }, true);
    addEventListener("pointerdown", () => { window.pointers++; }, true);`);

  await tabTo(page, page.getByLabel('Your name'));
  await page.keyboard.type('Mara Okafor');
  await tabTo(page, page.getByLabel('Mail address'));
  await page.keyboard.type('mara@northwind.example');
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type('a long password');
  await page.keyboard.press('Enter');
  await page.getByText('Step 2 of 4').waitFor();
  await tabTo(page, page.getByLabel('Address'));
  await page.keyboard.insertText(model.url);
  const use = page.getByRole('button', { name: /^Use (?!it)/ });
  await tabTo(page, use);
  await page.keyboard.press('Enter');
  await page.getByText('Step 3 of 4').waitFor();
  const desk = page.getByRole('radio', { name: /^Support desk/ });
  await tabTo(page, desk);
  await page.keyboard.press('Space');
  assert.equal(await desk.getAttribute('aria-checked'), 'true');
  await checkAccess();
  await tabTo(page, page.getByRole('button', { name: 'Create agent' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Support desk is ready' }).waitFor();
  await checkAccess();
  await tabTo(page, page.getByRole('link', { name: 'Open the chat' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/chat/);
  const composer = page.getByRole('textbox').last();
  await composer.waitFor();
  if ((await composer.and(page.locator(':focus')).count()) === 0) await tabTo(page, composer);
  await page.keyboard.type('What can you do?');
  await page.keyboard.press('Enter');
  await page.getByText('You said: What can you do?', { exact: true }).last().waitFor();
  assert.ok(model.requests.length > 0, 'the model that was connected has answered');
  const presses = Number(await page.evaluate('window.presses'));
  assert.ok(presses > 0 && presses <= 12, `${presses} presses`);
  assert.equal(await page.evaluate('window.pointers'), 0, 'no pointer was used');
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
