import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scriptedMcp } from '../../server/src/features/mcp/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { consoleApp } from './support/console-app.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('uploads files, shows them with what uses them, and deletes several at once', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources`);
  await page.getByText('No files yet').waitFor();
  await checkAccess();
  await page.getByLabel('Choose files to upload').setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Kettles are returned within 30 days.') },
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ]);
  await page.getByText('The file is empty.').waitFor();
  await page.getByText('2 files', { exact: true }).waitFor();
  const rows = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem');
  await rows.filter({ hasText: 'dot.png' }).locator('img').waitFor();
  await checkAccess();

  const notes = rows.filter({ hasText: 'notes.txt' });
  const { id } = (await app.call('GET', '/v1/files?search=notes')).json.items[0];
  await app.call('POST', '/v1/variables', { name: 'price_list', type: 'file', inline_value: id });
  await page.keyboard.press('j');
  await notes.getByRole('button', { name: 'notes.txt', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Kettles are returned within 30 days.').waitFor();
  await dialog.getByRole('link', { name: 'price_list' }).waitFor();
  assert.ok(page.url().includes(`file=${id}`), 'what is open has an address');
  await checkAccess();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).press('Enter'),
  ]);
  assert.equal(download.suggestedFilename(), 'notes.txt');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('combobox', { name: 'Kind' }).selectOption('image');
  await notes.waitFor({ state: 'hidden' });
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('nothing like it');
  await page.getByText('No file fits').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
  await notes.waitFor();

  await page.getByRole('checkbox', { name: 'Choose notes.txt' }).press('Space');
  await page.getByRole('checkbox', { name: 'Choose dot.png' }).press('Space');
  await page.getByText('2 files chosen').waitFor();
  await page.getByRole('button', { name: 'Delete 2 files' }).press('Enter');
  await dialog.getByText('Used by 1 record').waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Delete 2 files' }).press('Enter');
  await page.getByText('No files yet').waitFor();
  assert.equal((await app.call('GET', '/v1/files')).json.total, 0);
  checkQuiet();
});

test('lists the tools of an MCP server before an agent has it, and accepts a changed one as it was seen', {
  skip: withoutBrowser,
}, async () => {
  const mcp = await scriptedMcp();
  const app = await consoleApp({ web_allow: ['127.0.0.1'] });
  const { server: model, name } = await app.provider();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/connections`);
  await page.getByText('No MCP servers yet').waitFor();
  await page.getByText('No vaults yet').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Add a server' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  const address = dialog.getByRole('textbox', { name: 'Address' });
  await address.fill('http://127.0.0.1:9/mcp');
  await address.press('Enter');
  await dialog.getByText('It can’t be used yet').waitFor();
  await address.fill(mcp.url);
  await dialog.getByRole('button', { name: 'Try it' }).press('Enter');
  await dialog.getByText(/It answered in .* with 1 tool/).waitFor();
  await dialog.getByText('Says it back').waitFor();
  await checkAccess();
  assert.equal((await app.call('GET', '/v1/mcp-servers')).json.total, 0, 'a trial stores nothing');
  await dialog.getByRole('button', { name: 'Add the server' }).press('Enter');
  const details = page.getByRole('article', { name: mcp.url.slice('http://'.length) });
  await details.getByText('No agent has met it yet').waitFor();
  await details.getByText('Nothing uses it.').waitFor();
  await checkAccess();

  // An agent meets the server, and then one of its tools changes.
  const definition = { model: [`${name}/one`], mcp_servers: [{ name: 'wiki', url: mcp.url }] };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Librarian', definition });
  const meet = async () => {
    model.reply({ text: 'Hello.' });
    const { json } = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Chat' });
    await app.say(json.id, 'Hello');
  };
  await meet();
  mcp.tools[0] = { ...mcp.tools[0], description: 'Says it back and to everybody else' };
  mcp.notify('notifications/tools/list_changed');
  const server = (await app.call('GET', '/v1/mcp-servers')).json.items[0];
  for (let tries = 0; tries < 20; tries++) {
    await meet();
    if ((await app.call('GET', `/v1/mcp-servers/${server.id}`)).json.held > 0) break;
    await new Promise((done) => setTimeout(done, 250));
  }
  await page.reload();
  await details.getByText('1 tool waits for a look').waitFor();
  await details.locator('ins').filter({ hasText: 'everybody' }).waitFor();
  await details.getByRole('link', { name: 'Librarian' }).waitFor();
  await checkAccess();
  await details.getByRole('button', { name: 'Accept echo' }).press('Enter');
  await details.getByText('In use', { exact: true }).waitFor();
  await details.getByText('1 tool waits for a look').waitFor({ state: 'hidden' });
  assert.equal((await app.call('GET', `/v1/mcp-servers/${server.id}`)).json.held, 0);
  checkQuiet();
});

test('makes a webhook whose secret is shown once, tests it, and sends a delivery again', {
  skip: withoutBrowser,
}, async () => {
  const got: { event: string; signature: string }[] = [];
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const { type } = JSON.parse(String(Buffer.concat(parts)));
      got.push({ event: type, signature: String(request.headers['webhook-signature']) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  after(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const app = await consoleApp({ web_allow: ['127.0.0.1'] });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/webhooks`);
  await page.getByText('No program listens yet').waitFor();
  await page.getByRole('button', { name: 'New webhook' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address to post to' }).fill(url);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ledger');
  await dialog.getByRole('checkbox', { name: 'A run failed' }).press('Space');
  await dialog.getByRole('button', { name: 'Make the webhook' }).press('Enter');
  await dialog.getByText('Choose at least one event.').waitFor();
  await dialog.getByRole('checkbox', { name: 'Everything of documents' }).press('Space');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make the webhook' }).press('Enter');
  const field = dialog.getByRole('textbox', { name: 'Secret of the webhook' });
  await field.waitFor();
  const secret = await field.inputValue();
  assert.match(secret, /^whsec_/);
  await checkAccess();
  await page.keyboard.press('Escape');
  await field.waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const details = page.getByRole('article', { name: 'Ledger' });
  await details.getByText('Nothing was sent yet.').waitFor();
  assert.ok(!(await page.content()).includes(secret));

  await details.getByRole('button', { name: 'Send a test' }).press('Enter');
  const deliveries = details.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await deliveries.filter({ hasText: 'Delivered' }).first().waitFor();
  await checkAccess();
  await details.getByRole('button', { name: 'Send Test again' }).press('Enter');
  await deliveries.filter({ hasText: 'sent again' }).filter({ hasText: 'Delivered' }).waitFor();
  assert.deepEqual(
    got.map(({ event }) => event),
    ['webhook.test', 'webhook.test'],
  );
  assert.ok(got.every(({ signature }) => signature.startsWith('v1,')));

  await page.getByRole('switch', { name: 'Ledger is on' }).press('Space');
  await details.getByText('Off', { exact: true }).waitFor();
  await details.getByRole('button', { name: 'More for Ledger' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete webhook' }).press('Enter');
  await page.getByText('No program listens yet').waitFor();
  checkQuiet();
});

test('runs commands in a sandbox with their output as it comes, stops one, and shows its files', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/sandboxes`);
  await page.getByText('No sandboxes yet').waitFor();
  await page.getByRole('button', { name: 'New sandbox' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Figures');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make the sandbox' }).press('Enter');
  await page.getByRole('heading', { name: 'Figures', level: 1 }).waitFor();
  // An engine without terminals has nothing to choose.
  const { items } = (await app.call('GET', '/v1/sandboxes')).json;
  if (items[0].terminal) await page.getByRole('radio', { name: 'Commands' }).press('Space');
  const command = page.getByRole('textbox', { name: 'Command' });
  const output = page.getByRole('log', { name: 'Output' });
  const type = async (text: string) => {
    await command.fill(text);
    await command.press('Enter');
  };
  await type('mkdir data && echo "six times seven" > data/sum.txt && echo made');
  await output.getByText('made', { exact: true }).waitFor();
  await output.getByText(/^Done in/).waitFor();
  await checkAccess();
  await type('cd data');
  await page.getByRole('heading', { name: 'Folder /data' }).waitFor();
  await type('cat sum.txt');
  await output.getByText('six times seven', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Download sum.txt' }).waitFor();
  await type('cd ../..');
  await output.getByText('There is no folder ../..').waitFor();
  await type('ls nothing-like-it');
  await output
    .getByText(/^Ended with/)
    .last()
    .waitFor();

  // Earlier commands come back, and one that runs is stopped by the keyboard.
  await command.press('ArrowUp');
  assert.equal(await command.inputValue(), 'ls nothing-like-it');
  await command.press('ArrowDown');
  await type('sleep 50');
  await page.getByRole('button', { name: 'Stop the command' }).waitFor();
  await command.press('Control+c');
  await output.getByText('Stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await checkAccess();

  await page.getByRole('button', { name: 'More for Figures' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete sandbox' }).press('Enter');
  await page.getByText('No sandboxes yet').waitFor();
  checkQuiet();
});

test('lists all triggers and channels of the workspace with the way to each', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const definition = { type: 'schedule', cron: '0 9 * * 1', timezone: 'UTC' };
  await app.call('POST', `/v1/agents/${app.agentId}/triggers`, { name: 'Monday mail', definition });
  await app.call('POST', `/v1/agents/${app.agentId}/deployments`, { name: 'Shop page', channel: 'web', config: {} });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/triggers`);
  await page.getByRole('listitem').filter({ hasText: 'Monday mail' }).getByText('Not used yet').waitFor();
  await checkAccess();
  await page.getByRole('radio', { name: 'Failing only' }).press('Space');
  await page.getByText('Nothing fits').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
  await page.getByRole('radio', { name: 'Channels' }).press('Space');
  await page.getByRole('button', { name: 'Shop page' }).waitFor();
  await checkAccess();
  await page.getByRole('radio', { name: 'Triggers' }).press('Space');
  await page.getByRole('button', { name: 'Monday mail' }).press('Enter');
  await page.getByRole('article', { name: 'Monday mail' }).waitFor();
  assert.match(page.url(), /\/agents\/[^/]+\/triggers\?trigger=/);
  checkQuiet();
});

test('opens a table, code and the pages of a PDF in a preview', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/files`);
  await page.getByText('No files yet').waitFor();
  await page.getByLabel('Choose files to upload').setInputFiles([
    { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from('city;total\n"Oslo; centre";12\nBergen;7\n') },
    { name: 'sums.py', mimeType: 'text/x-python', buffer: Buffer.from('def total(rows):\n    return sum(rows)\n') },
    {
      ...{ name: 'scripts.pdf', mimeType: 'application/pdf' },
      buffer: readFileSync(join(import.meta.dirname, '../../server/test/golden/files/scripts.pdf')),
    },
  ]);
  await page.getByText('3 files', { exact: true }).waitFor();
  const dialog = page.getByRole('dialog');
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const close = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  };
  await open('orders.csv');
  await dialog.getByRole('row', { name: 'Oslo; centre 12' }).waitFor();
  await dialog.getByText('2 rows').waitFor();
  await checkAccess();
  await close();
  await open('sums.py');
  await dialog.locator('code span', { hasText: /^def$/ }).waitFor();
  await close();
  await open('scripts.pdf');
  await dialog.getByText(/^Page 1 of/).waitFor();
  const first = await dialog.getByRole('img').getAttribute('src');
  await dialog.getByRole('button', { name: 'Page after' }).click();
  await dialog.getByText(/^Page 2 of/).waitFor();
  await dialog.getByRole('img', { name: /Page 2/ }).waitFor();
  await dialog.locator(`img:not([src="${first}"])`).waitFor();
  await checkAccess();
  checkQuiet();
});
