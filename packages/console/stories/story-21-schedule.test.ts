import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aNode } from '../../server/src/features/workflows/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('makes a schedule in words, fires it by hand and leads to its chat', { skip: withoutBrowser }, async () => {
  const app = await chatApp({ text: 'Nothing is late.' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${app.agentId}/triggers`);
  await page.getByRole('heading', { name: 'Nothing starts this agent by itself' }).waitFor();
  await checkAccess();

  await page.getByRole('button', { name: 'New trigger' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Late orders');
  await dialog.getByLabel('How often').selectOption('Every week');
  await dialog.getByLabel('At', { exact: true }).fill('09:00');
  const cron = dialog.getByLabel('As a cron expression');
  assert.equal(await cron.inputValue(), '0 9 * * 1', 'words become an expression');
  await dialog.getByText('The next five times, in your zone Europe/Berlin').waitFor();
  const times = dialog.locator('ol time');
  await times.nth(4).waitFor();
  const shown = await times.allInnerTexts();
  assert.ok(
    shown.every((time) => /^Mon,? \d+ \w+,? (at )?09:00$/.test(time)),
    shown.join(' | '),
  );

  // An expression becomes words; one that is none says so before it is saved.
  await cron.fill('30 8 * * 1-5');
  assert.equal(await dialog.getByLabel('How often').inputValue(), 'working day');
  await cron.fill('99 8 * * 1');
  await dialog.getByText('This expression has no next times').waitFor();
  await dialog.getByLabel('How often').selectOption('Every week');
  await dialog.getByText('The next five times').waitFor();
  await dialog.getByLabel('Message', { exact: true }).fill('Which orders are late?');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');

  const details = page.getByRole('article', { name: 'Late orders' });
  await details.getByText('Every Monday at 09:00').waitFor();
  assert.equal(await details.locator('dl time').count(), 5);
  const [made] = (await app.call('GET', `/v1/agents/${app.agentId}/triggers`)).json;
  assert.deepEqual([made.definition.cron, made.definition.timezone], ['0 9 * * 1', 'Europe/Berlin']);

  await details.getByRole('button', { name: 'Fire now' }).press('Enter');
  await details.getByText('By hand').waitFor();
  const chat = details.getByRole('link', { name: 'Open the chat' });
  await chat.waitFor();
  await page.getByRole('region', { name: 'Triggers' }).getByText('Working').waitFor();
  await checkAccess();

  await page.getByRole('switch', { name: 'Late orders is on' }).press('Space');
  await details.getByText('Off', { exact: true }).waitFor();
  assert.equal((await app.call('GET', `/v1/triggers/${made.id}`)).json.enabled, false);

  await chat.press('Enter');
  await page.getByText('Which orders are late?').first().waitFor();
  await page.getByText('Nothing is late.').first().waitFor();
  checkQuiet(/422/);
});

test('shows the secret of a webhook once and its address always', { skip: withoutBrowser }, async () => {
  const app = await chatApp({ text: 'Noted.' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${app.agentId}/triggers`);
  await page.getByRole('button', { name: 'New trigger' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'A message of a program' }).press('Space');
  await dialog.getByLabel('Name', { exact: true }).fill('Shop');
  await dialog.getByLabel('Message', { exact: true }).fill('Order ((order))');
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');
  const secret = await dialog.getByLabel('Secret of the webhook', { exact: true }).inputValue();
  await checkAccess();
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  const address = await page.getByLabel('Address to post to', { exact: true }).inputValue();

  const post = (sent: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': sent },
      body: JSON.stringify({ order: 17 }),
    });
  assert.equal((await post('wrong secret')).status, 401);
  assert.equal((await post(secret)).status, 200);
  await page.reload();
  await page.getByText('By a message').waitFor();
  assert.ok(!(await page.content()).includes(secret), 'the secret is shown once');
  checkQuiet();
});

test('asks for what the workflow needs before a trigger is saved, and shows how to call a webhook', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp({ text: 'Nothing is late.' });
  const definition = { nodes: [aNode('in', 'InputNode', { label: 'Customer' })], edges: [] };
  const { json: flow } = await app.call('POST', '/v1/workflows', { name: 'Greets', definition });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/workflows/${flow.id}/triggers`);
  await page.getByRole('button', { name: 'New trigger' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const customer = dialog.getByRole('textbox', { name: 'Customer' });
  await customer.waitFor();
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');
  await dialog.getByText('The workflow can’t run without it.').waitFor();
  const triggersNow = async () => (await app.call('GET', `/v1/workflows/${flow.id}/triggers`)).json.items;
  assert.equal((await triggersNow()).length, 0, 'nothing is saved');
  await checkAccess();
  await customer.fill('Ada');
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');
  await page.getByRole('article').getByText('Every Monday').first().waitFor();
  assert.deepEqual((await triggersNow())[0].definition.input, { Customer: 'Ada' });

  await page.getByRole('button', { name: 'New trigger' }).press('Enter');
  await dialog.getByText('A message of a program').click();
  await dialog.getByText('every message has to bring').waitFor();
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');
  const command = dialog.getByRole('textbox', { name: 'To try it in a shell' });
  assert.match(await command.inputValue(), /^curl 'http.*\/hooks\/.*' .*-H 'X-Webhook-Secret: whsec_/);
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  await page.getByText('The workflow needs values that this trigger does not give').waitFor();
  await checkAccess();
  checkQuiet();
});
