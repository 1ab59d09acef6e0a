import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pricedModels } from '../../server/src/features/budgets/testing.ts';
import { addUp, until } from '../../server/src/features/insights/testing.ts';
import { openaiProvider } from '../../server/test/providers/openai-provider.ts';
import { closing } from '../../server/test/support/scripted-app.ts';
import { withoutBrowser } from './support/browser.ts';
import { flowKeys } from './support/build-flow.ts';
import { claimServer } from './support/claim-server.ts';
import { consoleApp } from './support/console-app.ts';
import { pageKeys } from './support/page-keys.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const order = 'A-1042';
const orders = 'order_no,customer,amount,state\nA-1041,Tom Becker,31.5,open\nA-1042,Ada Byrne,184,open\n';
const handbook = '# Refunds\n\nGoods that arrive broken are refunded within 30 days of purchase.\n';
const rule = 'refunded within 30 days of purchase';

/** A model that searches the handbook, and the table when it is asked for the state of an order; it repeats what it reads. */
async function readingModel() {
  const model = await closing(openaiProvider());
  model.models = ['one', 'two'];
  model.answers = ({ messages = [], tools = [] }: Json) => {
    const last = messages.at(-1);
    const isOffered = (name: string) => tools.some((tool: Json) => tool.function.name === name);
    const usage = { input: 500, output: 60 };
    if (last?.role === 'tool') return { text: `It reads: ${JSON.stringify(last.content)}`, usage };
    const asked = JSON.stringify(last?.content);
    if (asked.includes('What is the state of') && isOffered('tables_query')) {
      const filters = [{ column: 'order_no', op: 'eq', value: order }];
      return { tool_calls: [{ id: 'c1', name: 'tables_query', input: { table: 'orders', filters } }], usage };
    }
    if (asked.includes('How do refunds work?') && isOffered('kb_handbook_search'))
      return { tool_calls: [{ id: 'c2', name: 'kb_handbook_search', input: { query: 'refunded' } }], usage };
    return { text: 'Good.', usage };
  };
  return model;
}

test('leads from a fresh server to an audited, budgeted agent whose row a webhook has changed', {
  skip: withoutBrowser,
  timeout: 600_000,
}, async () => {
  const app = await consoleApp({ models_file: pricedModels() });
  const model = await readingModel();
  const read = async (path: string): Promise<Json> => (await app.call('GET', path)).json;

  // 1 and 2: the first administrator claims the server, connects a model, signs out, and signs in from another browser.
  const first = await claimServer(app);
  await first.page.getByLabel('Address').fill(model.url);
  await first.page.getByText(/It answers, in \d+ ms/).waitFor();
  await first.checkAccess();
  await first.page.getByRole('button', { name: 'Use one' }).press('Enter');
  await first.page.getByText('Step 3 of 4').waitFor();
  await first.page.getByRole('button', { name: 'Skip' }).press('Enter');
  await first.page.getByRole('link', { name: 'Open the chat' }).press('Enter');
  await first.page.waitForURL(/\/w\/[0-9a-f-]+\/chat/);
  await first.page.getByRole('button', { name: 'Mara Okafor' }).press('Enter');
  await first.page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await first.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The page has left its stream of live events before the server cuts it.
  first.checkQuiet(/status of 401/);
  const { page, checkAccess, checkQuiet } = await app.stranger();
  const { dialog, goTo, addReference, findSetting } = pageKeys(page);
  const { keyboard } = page;
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await checkAccess();
  await page.getByLabel('Mail address').fill('mara@northwind.example');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await keyboard.press('Enter');
  await page.waitForURL(/\/w\/[0-9a-f-]+\/chat/);
  const [provider] = await read('/v1/admin/providers');
  assert.deepEqual([provider.name, provider.base_urls], ['local', [model.url]]);

  // 3: documents.
  await goTo('Knowledge');
  await page.getByRole('button', { name: 'New knowledge base' }).first().press('Enter');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Handbook');
  await keyboard.press('Enter');
  await page.getByText('No documents yet').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add documents' }).press('Enter'),
  ]);
  await chooser.setFiles(
    [
      ['refunds.md', handbook],
      ['travel.md', '# Travel\n\nTrains are booked two weeks ahead.\n'],
    ].map(([name = '', text = '']) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) })),
  );
  const documents = page.getByRole('list', { name: 'Documents', exact: true }).getByRole('listitem');
  for (const name of ['refunds.md', 'travel.md'])
    await documents.filter({ hasText: name }).getByText('Ready').first().waitFor();
  await checkAccess();

  // 4: an agent on them, which answers from them in the chat.
  await goTo('Agents');
  await page.getByRole('button', { name: 'New agent' }).first().press('Enter');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Support Desk');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Persona' }).fill('You are the support desk.');
  await findSetting('model');
  await addReference('Models', 'local/one');
  await findSetting('knowledge_bases');
  await addReference('Knowledge bases', 'Handbook');
  await checkAccess();
  await page.getByText(/^Draft saved/).waitFor();
  await page.getByRole('button', { name: /^\d+ changes?$/ }).press('Enter');
  await dialog.getByRole('button', { name: 'Publish v2' }).press('Enter');
  await page.getByText('Live · v2').waitFor();
  await goTo('Chat');
  await page.getByRole('textbox', { name: 'Message' }).fill('How do refunds work?');
  await keyboard.press('Enter');
  await page.getByRole('log').getByText(rule).first().waitFor();
  await checkAccess();
  assert.match(JSON.stringify(model.last().body), new RegExp(rule));

  // 5: a table from a file; the agent may read it.
  await goTo('Tables');
  await page.getByRole('button', { name: 'Import' }).first().press('Enter');
  const csv = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(orders) };
  await dialog.getByLabel('File', { exact: true }).setInputFiles(csv);
  await dialog.getByRole('button', { name: 'Import 2 rows' }).press('Enter');
  await page.getByRole('grid', { name: 'Rows of orders' }).getByRole('gridcell', { name: order }).waitFor();
  await checkAccess();
  const table = (await read('/v1/tables')).items[0];
  await goTo('Agents');
  await page.getByRole('link', { name: 'Support Desk' }).press('Enter');
  await findSetting('tables');
  await addReference('Tables', 'orders');
  await page.getByText(/^Draft saved/).waitFor();
  await page.getByRole('button', { name: /^\d+ changes?$/ }).press('Enter');
  await dialog.getByRole('button', { name: 'Publish v3' }).press('Enter');
  await page.getByText('Live · v3').waitFor();
  const agent = (await read('/v1/agents')).items[0];

  // 6: a workflow that asks a person, changes the row and has the agent read it.
  await goTo('Workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().press('Enter');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Refund an order');
  await keyboard.press('Enter');
  await page.getByText('No step yet').waitFor();
  const { add, set, saved, openStep, leavePanel, panel } = flowKeys(page);
  await add('Input');
  await openStep();
  await panel.getByRole('textbox', { name: 'Label', exact: true }).fill('order');
  await leavePanel();
  await add('Wait for approval');
  await set('Wait for approval', 'Question', 'Refund ((order))?');
  await add('Transform data');
  await set('Transform data', 'Expression', '[{order_no: run.input.order, state: "approved"}]');
  await add('Write table');
  await openStep();
  await addReference('Table', 'orders', panel);
  await panel.getByRole('radio', { name: 'Upsert' }).press('Space');
  await panel.getByRole('textbox', { name: 'On', exact: true }).fill('order_no');
  await leavePanel();
  await add('Compose text');
  await set('Compose text', 'Template', 'What is the state of ((order))?');
  await add('Ask agent');
  await openStep();
  await addReference('Agent', 'Support Desk', panel);
  await leavePanel();
  await add('Output');
  await saved();
  await page.getByText('Valid', { exact: true }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Publish' }).press('Enter');
  await dialog.getByRole('button', { name: 'Publish the draft' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });

  // 7: another program fires it, with the secret that was shown once.
  await page.getByRole('link', { name: 'Triggers' }).press('Enter');
  // While the list loads, its button is another one.
  await page.getByText('Nothing starts this workflow by itself').first().waitFor();
  await page.getByRole('button', { name: 'New trigger' }).press('Enter');
  await dialog.getByRole('radio', { name: 'A message of a program' }).press('Space');
  await dialog.getByLabel('Name', { exact: true }).fill('Shop');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make the trigger' }).press('Enter');
  const secret = await dialog.getByLabel('Secret of the webhook', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  const address = await page.getByLabel('Address to post to', { exact: true }).inputValue();
  const post = (sent: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': sent },
      body: JSON.stringify({ order }),
    });
  assert.equal((await post('wrong secret')).status, 401);
  assert.equal((await post(secret)).status, 200);

  // 8: the person is asked; the row is changed after that and not before.
  const stateNow = async () =>
    (await read(`/v1/tables/${table.id}/rows`)).items.find((row: Json) => row.order_no === order).state;
  await goTo(/^Inbox/);
  await page.getByRole('heading', { level: 2, name: `Refund ${order}?` }).waitFor();
  await checkAccess();
  assert.equal(await stateNow(), 'open');
  await page.getByRole('button', { name: 'Approve' }).press('Enter');
  await page.getByText('Nothing waits for you').waitFor();
  const workflow = (await read('/v1/workflows')).items[0];
  const run = await until(
    async () => (await read(`/v1/workflows/${workflow.id}/runs`)).items[0],
    ({ status }: Json) => status !== 'running' && status !== 'awaiting_human_feedback' && status !== 'queued',
  );
  assert.equal(run.status, 'completed', JSON.stringify(run));
  assert.equal(await stateNow(), 'approved');
  const { items: asked } = await read('/v1/approvals?status=decided');
  assert.deepEqual([asked.length, asked[0].status, asked[0].run_id], [1, 'approved', run.id]);

  // 9: the agent has read the row as it is now.
  const [agentRun] = (await read(`/v1/runs?kind=conversation&agent_id=${agent.id}`)).items;
  const trace = await until(
    () => read(`/v1/runs/${agentRun.id}/trace`),
    ({ steps }: Json) => steps.some((step: Json) => JSON.stringify(step).includes('tables_query')),
  );
  assert.match(JSON.stringify(trace.steps), /tables_query/);
  assert.match(JSON.stringify(model.last().body), /approved/);

  // 10: the trace of the run, from the list of runs.
  await goTo('Runs');
  const runs = page.getByRole('table', { name: 'Runs' });
  await checkAccess();
  await runs
    .getByRole('link', { name: /What is the state of/ })
    .first()
    .press('Enter');
  const steps = page.getByRole('treegrid', { name: 'Steps of the run' }).getByRole('row');
  await steps.filter({ hasText: 'tables_query' }).first().waitFor();
  await checkAccess();

  // 11: insights.
  await addUp(app);
  await goTo('Insights');
  await page.getByRole('link', { name: 'Conversations: 2' }).waitFor();
  const cost = await page.getByRole('link', { name: /^Cost: \$0\.\d+$/ }).textContent();
  assert.ok(Number(/\d\.\d+/.exec(cost ?? '')?.[0]) >= agentRun.usage.cost, `${cost} is at least that of the run`);
  await checkAccess();

  // 12: a budget and the audit log, which says who did what.
  await goTo('Admin');
  const part = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of Admin' }).getByRole('link', { name, exact: true });
  await part('Usage and budgets').press('Enter');
  await page.getByRole('button', { name: 'Set a budget' }).press('Enter');
  await dialog.getByLabel('Name').fill('Support, monthly');
  await dialog.getByLabel('Dollars').fill('300');
  await dialog.getByRole('button', { name: 'Set budget' }).press('Enter');
  await page.getByRole('row', { name: /Support, monthly.*of \$300/ }).waitFor();
  const [budget] = (await read('/v1/admin/budgets')).items;
  assert.deepEqual([budget.name, budget.max_cost, budget.period], ['Support, monthly', 300, 'month']);
  await checkAccess();
  await goTo('Chat');
  await page.getByRole('textbox', { name: 'Message' }).fill(`What is the state of ${order}?`);
  await keyboard.press('Enter');
  await page
    .getByRole('log')
    .getByText(/It reads:.*approved/)
    .first()
    .waitFor();
  const used = await until(
    async () => (await read('/v1/admin/budgets')).items[0].used,
    ({ cost }: Json) => cost >= agentRun.usage.cost,
  );
  assert.ok(used.tokens > 0);
  await goTo('Admin');
  await part('Audit log').press('Enter');
  const changes = page.getByRole('list', { name: 'Changes' });
  for (const text of [
    'Set a budget Support, monthly',
    'Answered a request of a run',
    'Made a trigger of a workflow Shop',
    'Published a workflow Refund an order',
    'Published an agent',
    'Tables: create from file orders',
    'Added documents Handbook',
    'Made a knowledge base Handbook',
    'Signed in',
    'Added a model provider local',
    'Claimed the server',
  ])
    await changes
      .getByRole('button', { name: new RegExp(`Mara Okafor ${text}`) })
      .first()
      .waitFor();
  await changes.getByRole('button', { name: /Set a budget/ }).press('Enter');
  await page.getByText('budgets.create').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Verify the log' }).press('Enter');
  await page.getByText('The log is whole').waitFor();
  checkQuiet(/status of 401/);
});
