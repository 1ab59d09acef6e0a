import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

const value = 'canary-of-the-desk-key-4711';

/** A program that an action of an agent calls; it notes what it was sent. */
async function openDesk() {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ticket":17}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  return { sent, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('stores a secret, uses it in an action by its name, and never shows its value', {
  skip: withoutBrowser,
}, async () => {
  const desk = await openDesk();
  const app = await consoleApp({ web_allow: ['127.0.0.1'] });
  const { server, name: model } = await app.provider();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  /** Everything that the server has answered the browser. */
  const answers: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/v1/') && !response.url().includes('/v1/events'))
      answers.push(response.text().catch(() => ''));
  });

  await page.goto(`/w/${workspace}/resources/variables`);
  await page.getByText('No variables yet').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'New variable' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('not a name');
  await dialog.getByRole('switch', { name: 'Secret' }).press('Space');
  await dialog.getByLabel('Value', { exact: true }).fill(value);
  await dialog.getByText('Bound to no host').waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Store it' }).press('Enter');
  await dialog.getByText('This is not written as it has to be.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('DESK_KEY');
  const hosts = dialog.getByRole('group', { name: 'Hosts it may be sent to' }).getByRole('textbox');
  await hosts.fill('127.0.0.1');
  await hosts.press('Enter');
  await dialog.getByText('Bound to no host').waitFor({ state: 'hidden' });
  assert.ok(!(await page.content()).includes(value), 'what is typed stands in no attribute of the page');
  await dialog.getByRole('button', { name: 'Store it' }).press('Enter');
  const row = page.getByRole('listitem').filter({ hasText: 'DESK_KEY' });
  await row.getByText('Goes to 127.0.0.1 only').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await checkAccess();

  // It is opened again: everything but the value is there.
  await row.getByRole('button', { name: 'DESK_KEY', exact: true }).press('Enter');
  const field = dialog.getByLabel('New value');
  await field.waitFor();
  assert.equal(await field.inputValue(), '');
  await dialog.getByText('Nothing uses it.').waitFor();
  await checkAccess();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  const [variable] = (await app.call('GET', '/v1/variables')).json.items;
  const definition = {
    ...{ model: [`${model}/one`], max_retries_per_model: 0, pii_anonimization: [] },
    ...{ variables_enabled: true, variables: [variable.id] },
    actions: [{ name: 'create_ticket', description: 'Opens a ticket', method: 'POST', url: `${desk.address}/tickets` }],
  };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Desk', definition });
  await page.goto(`/w/${workspace}/agents/${agent.id}/build?setting=actions`);
  await page.getByRole('button', { name: 'Edit create_ticket' }).press('Enter');
  await dialog.getByRole('button', { name: 'Add to Headers' }).press('Enter');
  await dialog.getByRole('textbox', { name: 'Headers, Name' }).fill('Authorization');
  const header = dialog.getByRole('textbox', { name: 'Headers, Value' });
  await header.focus();
  await page.keyboard.type('Bearer {{DES');
  const offered = page.getByRole('listbox', { name: 'Variables' });
  await offered.getByRole('option', { name: /secret\.DESK_KEY/ }).waitFor();
  await checkAccess();
  await page.keyboard.press('Enter');
  assert.equal(await header.inputValue(), 'Bearer {{secret.DESK_KEY}}');
  await dialog.getByRole('button', { name: 'Keep it in the draft' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(/^Draft saved/).waitFor();
  await page.getByRole('button', { name: '1 change', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Publish v2' }).press('Enter');
  await page.getByText('Live · v2').waitFor();

  server.reply({ tool_calls: [{ id: 'c0', name: 'action_create_ticket', input: {} }] }, { text: 'Ticket 17 is open.' });
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Kettle' });
  await app.say(chat.id, 'Open a ticket');
  assert.deepEqual(desk.sent, [`Bearer ${value}`], 'the other program gets the value');
  await page.goto(`/w/${workspace}/chat/${chat.id}`);
  await page.getByText('Ticket 17 is open.').waitFor();

  // Deleting it names what would fail.
  await page.goto(`/w/${workspace}/resources/variables`);
  await row.getByRole('button', { name: 'More for DESK_KEY' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await dialog.getByText('Used by 1 record').waitFor();
  await dialog.getByRole('link', { name: 'Desk' }).waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Delete it all the same' }).press('Enter');
  await page.getByText('No variables yet').waitFor();
  assert.equal((await app.call('GET', '/v1/variables')).json.total, 0);

  const texts = await Promise.all(answers);
  assert.ok(texts.length > 20 && texts.some((text) => text.includes('DESK_KEY')), 'the answers were read');
  assert.ok(!texts.some((text) => text.includes(value)), 'no answer to the browser holds the value');
  assert.ok(!(await page.content()).includes(value));
  checkQuiet(/422/);
});

test('says which permission a tab needs when a person may not see it', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Reader');
  await page.goto(`/w/${workspace}/resources/webhooks`);
  await page.getByText('You may not see webhooks').waitFor();
  await page.getByText(/It needs the permission integrations_edit/).waitFor();
  await checkAccess();
  checkQuiet();
});
