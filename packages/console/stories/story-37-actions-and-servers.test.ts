import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { scriptedMcp } from '../../server/src/features/mcp/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

interface Asked {
  method: string;
  url: string;
  body: string;
  team: string | undefined;
}

/** A program of the workspace with orders, on loopback. */
async function orderDesk() {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, body: await text(request), team: headers['x-team']?.toString() });
    const isKnown = url.startsWith('/orders/1001');
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { order: '1001', state: 'shipped' } : { error: 'no such order' }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('builds an action by a form, tries it with examples, and shows what is wrong beside its field', {
  skip: withoutBrowser,
}, async () => {
  const desk = await orderDesk();
  const app = await consoleApp({ web_allow: ['127.0.0.1'] });
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Support Desk' });
  const { page, checkAccess, checkQuiet, workspace } = await app.windowOf('Editor');
  await page.goto(`/w/${workspace}/agents/${agent.id}/build?group=tools`);
  await page.getByRole('button', { name: 'Add an action' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New action' });
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  const keep = dialog.getByRole('button', { name: 'Keep it in the draft' });

  // What is missing stands at its field.
  await keep.press('Enter');
  await dialog.getByText('Give it a name.').waitFor();
  await dialog.getByText('Type an address that begins with http:// or https://.').waitFor();
  await field('Name').and(page.locator(':focus')).waitFor();
  await field('Name').fill('find_order');
  await field('When to use it').fill('Looks up an order by its number');

  // A private address that the operator has not listed is refused, and the draft stays as it was.
  await field('Address').fill('http://10.0.0.7/orders/{{id}}');
  await keep.press('Enter');
  await dialog.getByText(/10\.0\.0\.7 is a private address, .*ATRIUM_WEB_ALLOW/).waitFor();
  await checkAccess();
  assert.deepEqual((await app.call('GET', `/v1/agents/${agent.id}`)).json.draft_definition?.actions ?? [], []);

  await field('Address').fill(`${desk.url}/orders/{{id}}`);
  await dialog.getByRole('button', { name: 'Add a parameter' }).press('Enter');
  await field('Parameter 1, Name').fill('id');
  await field('Parameter 1, Description').fill('The number of the order');
  await dialog.getByRole('button', { name: 'Add a parameter' }).press('Enter');
  await field('Parameter 2, Name').fill('lines');
  await dialog.getByRole('combobox', { name: 'Parameter 2, Type' }).selectOption('Whole number');
  await dialog.getByRole('group', { name: 'lines' }).getByRole('checkbox', { name: 'Required' }).uncheck();
  await dialog.getByRole('button', { name: /Headers$/ }).press('Enter');
  await field('Headers, Name').fill('X-Team');
  await field('Headers, Value').fill('returns');

  const trial = dialog.getByRole('region', { name: 'Try it' });
  await trial.getByRole('textbox', { name: 'Example for lines' }).fill('many');
  await trial.getByRole('textbox', { name: 'Example for id' }).fill('1001');
  await trial.getByRole('button', { name: 'Send the request' }).press('Enter');
  await trial.getByText(/should be integer/i).waitFor();
  assert.equal(desk.asked.length, 0);
  await trial.getByRole('textbox', { name: 'Example for lines' }).fill('3');
  await trial.getByRole('button', { name: 'Send the request' }).press('Enter');
  await trial.getByText(/Answered 200 in/).waitFor();
  await trial.getByRole('region', { name: 'Response' }).getByText('"shipped"').waitFor();
  assert.deepEqual(desk.asked, [{ method: 'GET', url: '/orders/1001?lines=3', body: '', team: 'returns' }]);
  await checkAccess();

  // JSON Schema only on request.
  assert.equal(await dialog.getByRole('textbox', { name: 'Parameters as JSON Schema' }).count(), 0);
  await dialog.getByRole('button', { name: 'Show JSON' }).press('Enter');
  const schema = JSON.parse(await dialog.getByRole('textbox', { name: 'Parameters as JSON Schema' }).inputValue());
  assert.deepEqual(schema, {
    type: 'object',
    properties: { id: { type: 'string', description: 'The number of the order' }, lines: { type: 'integer' } },
    required: ['id'],
  });
  await dialog.getByRole('button', { name: 'Show rows' }).press('Enter');
  await keep.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(`GET ${desk.url}/orders/{{id}}`).waitFor();
  await page.getByText(/^Draft saved/).waitFor();
  const { draft_definition } = (await app.call('GET', `/v1/agents/${agent.id}`)).json;
  assert.deepEqual(draft_definition.actions, [
    {
      ...{ name: 'find_order', description: 'Looks up an order by its number', method: 'GET' },
      ...{ url: `${desk.url}/orders/{{id}}`, input_schema: schema, headers: { 'X-Team': 'returns' } },
    },
  ]);
  await checkAccess();
  // The two refusals of the page's own story.
  checkQuiet(/status of 422/);
});

test('picks MCP servers of the workspace from a list, with their tools as switches', {
  skip: withoutBrowser,
}, async () => {
  const mcp = await scriptedMcp();
  mcp.tools.push({ name: 'delete_page', description: 'Deletes a page', inputSchema: { type: 'object' } });
  const app = await consoleApp({ web_allow: ['127.0.0.1'] });
  for (const url of [mcp.url, 'http://127.0.0.1:9/mcp']) await app.call('POST', '/v1/mcp-servers', { url });
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Librarian' });
  const { page, checkAccess, checkQuiet, workspace } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${agent.id}/build?group=tools`);
  const add = page.getByRole('button', { name: 'Add an MCP server' });
  const dialog = page.getByRole('dialog', { name: 'Add an MCP server' });
  const addServer = async (url: string, name: string) => {
    await add.press('Enter');
    await dialog.getByRole('combobox', { name: 'Server' }).selectOption(url);
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await checkAccess();
    await dialog.getByRole('button', { name: 'Add it' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  };
  const stored = async () => {
    await page.getByText(/^Draft saved/).waitFor();
    return (await app.call('GET', `/v1/agents/${agent.id}`)).json.draft_definition.mcp_servers;
  };
  await addServer(mcp.url, 'wiki');
  const wiki = page.getByRole('region', { name: 'wiki' });
  await wiki.getByText('All 2 tools, also those it gets later').waitFor();
  assert.deepEqual(await stored(), [{ name: 'wiki', url: mcp.url }]);
  await wiki.getByRole('switch', { name: 'delete_page' }).press('Space');
  await wiki.getByText('1 of 2 tools').waitFor();
  await page.getByText(/^Draft saved/).waitFor();
  assert.deepEqual(await stored(), [{ name: 'wiki', url: mcp.url, allowed_tools: ['echo'] }]);

  // A server that is down says so, and stays.
  await addServer('http://127.0.0.1:9/mcp', 'archive');
  const archive = page.getByRole('region', { name: 'archive' });
  await archive.getByText('It can’t be reached now').waitFor();
  await archive.getByRole('button', { name: 'Ask again' }).waitFor();
  await archive.scrollIntoViewIfNeeded();
  await checkAccess();
  await wiki.getByRole('button', { name: 'All tools' }).press('Enter');
  await wiki.getByText('All 2 tools, also those it gets later').waitFor();
  assert.equal(await page.getByRole('textbox', { name: /JSON/ }).count(), 0);
  checkQuiet();
});

test('the publish dialog names what changed, without JSON and ids', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const { json: base } = await app.call('POST', '/v1/knowledge-bases', { name: 'Handbook' });
  const { json: flow } = await app.call('POST', '/v1/workflows', {
    name: 'Refund check',
    definition: { nodes: [{ id: 'n', type: 'DateNode', node_config: {} }], edges: [] },
  });
  const order = { name: 'find_order', method: 'GET', url: 'https://desk.example/orders/{{id}}' };
  const definition = { actions: [order, { name: 'old_one', url: 'https://desk.example/old' }] };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  const input_schema = { type: 'object', properties: { id: { type: 'string' } } };
  const draft = {
    knowledge_bases: [base.id],
    tools: [{ type: 'workflow', workflow_id: flow.id }],
    actions: [{ ...order, method: 'POST', input_schema }],
    mcp_servers: [{ name: 'wiki', url: 'https://wiki.example/mcp', allowed_tools: ['search'] }],
    glossary: [{ term: 'RMA', definition: 'A return' }],
  };
  const saved = await app.call('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition: draft });
  assert.equal(saved.status, 200, saved.text);
  const { page, checkAccess, checkQuiet, workspace } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents/${agent.id}/build`);
  await page.getByRole('button', { name: /^\d+ changes$/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  for (const name of ['Handbook', 'Refund check', 'old_one', 'find_order', 'wiki', 'RMA'])
    await dialog.getByText(name, { exact: true }).waitFor();
  await dialog.locator('ins').filter({ hasText: 'POST' }).waitFor();
  const shown = await dialog.innerText();
  assert.doesNotMatch(shown, /[{}]|[\da-f]{8}-[\da-f]{4}-/, shown);
  await checkAccess();
  checkQuiet();
});
