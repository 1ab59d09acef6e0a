import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('opens a page for visitors and gives it a new address', { skip: withoutBrowser }, async () => {
  const app = await chatApp({ text: 'It ships today.' });
  const { page, context, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${app.agentId}/channels`);
  await page.getByRole('heading', { name: 'Nobody outside reaches this agent yet' }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'New channel' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Shop page');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Open the channel' }).press('Enter');

  const details = page.getByRole('article', { name: 'Shop page' });
  await details.getByText('No message has come yet').waitFor();
  const address = details.getByLabel('Address of the page', { exact: true });
  const old = await address.inputValue();
  assert.ok(old.startsWith(`${app.address}/chat/`), old);
  const line = await details.getByLabel('Line to embed it', { exact: true }).inputValue();
  assert.match(line, /^<script src="http:\/\/127\.0\.0\.1:\d+\/embed\/[^"]+\.js" async><\/script>$/);
  await checkAccess();

  const [visitor] = await Promise.all([
    context.waitForEvent('page'),
    details.getByRole('link', { name: 'Open the page' }).press('Enter'),
  ]);
  await visitor.getByRole('textbox').fill('When does it ship?');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('It ships today.').first().waitFor();
  await visitor.close();
  await page.reload();
  await page.getByRole('region', { name: 'Channels' }).getByText('Working').waitFor();
  assert.equal(await details.getByText('No message has come yet').count(), 0);
  const { items } = (await app.call('GET', '/v1/conversations')).json;
  assert.equal(items[0].chat_transport, 'web');

  await details.getByRole('button', { name: 'More for Shop page' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Give the page a new address' }).press('Enter');
  await dialog.getByText('The old address and the old line to embed stop working at once').waitFor();
  await dialog.getByRole('button', { name: 'Give the page a new address' }).press('Enter');
  await page.getByText('The page has a new address').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  assert.notEqual(await address.inputValue(), old);
  assert.equal((await fetch(old)).status, 404);
  checkQuiet();
});

test('asks Slack for two secrets, keeps them and says what is still to do', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${app.agentId}/channels`);
  await page.getByRole('button', { name: 'New channel' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Where people write').selectOption('Slack');
  await dialog.getByLabel('Signing secret', { exact: true }).fill('a signing secret');
  await dialog.getByRole('button', { name: 'Open the channel' }).press('Enter');
  await dialog.getByText('This is needed.').waitFor();
  const token = dialog.getByLabel('Bot token', { exact: true });
  await token.and(page.locator(':focus')).waitFor();
  await checkAccess();
  await token.fill('xoxb-1234567890');
  await dialog.getByRole('button', { name: 'Open the channel' }).press('Enter');

  const details = page.getByRole('article', { name: /slack/i });
  await details.getByText('enter the address below under Event Subscriptions').waitFor();
  const address = await details.getByLabel('Address to enter at Slack', { exact: true }).inputValue();
  assert.match(address, /\/v1\/channels\/[0-9a-f-]+\/slack$/);
  assert.equal(await details.getByText('Stored', { exact: true }).count(), 2);
  await checkAccess();
  const [made] = (await app.call('GET', `/v1/agents/${app.agentId}/deployments`)).json.items;

  // What is left as it is stays: secrets are not sent back as masks.
  await details.getByRole('button', { name: 'Edit' }).press('Enter');
  await dialog.getByLabel('Name', { exact: true }).fill('Team Slack');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('article', { name: 'Team Slack' }).waitFor();

  await app.query('update deployments set last_error = $2, last_error_at = now() where id = $1', [
    ...[made.id, 'Slack answered invalid_auth'],
  ]);
  await page.reload();
  await page.getByText('Slack answered invalid_auth').waitFor();
  await page.getByRole('switch', { name: 'Team Slack is on' }).press('Space');
  await page.getByRole('article').getByText('Off', { exact: true }).waitFor();
  const content = await page.content();
  assert.ok(!content.includes('xoxb-1234567890') && !content.includes('a signing secret'));
  checkQuiet(/422/);
});
