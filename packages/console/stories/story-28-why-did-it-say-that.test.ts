// Alone on the machine: it measures key presses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pricedModels } from '../../server/src/features/budgets/testing.ts';
import { until } from '../../server/src/features/insights/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { busyFactor } from './support/busy.ts';
import { consoleApp } from './support/console-app.ts';
import { tabTo } from './support/keys.ts';
import { refundTool } from './support/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

/** A console whose agent is checked by a guardrail, hides private values and asks before it sends money back. */
async function tracedApp() {
  const app = await consoleApp({ models_file: pricedModels() }, { tools: [refundTool] });
  const { server, name } = await app.provider();
  server.answers = (body) =>
    body['response_format'] ? { text: '{"flagged": false, "severity": "none", "reason": "-"}' } : undefined;
  const definition = {
    ...{ model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, persona: 'You are the support desk.' },
    ...{ toxicity: 'High', agent_title_mode: 'first_message', tools: [{ type: 'payments', requires_approval: true }] },
  };
  const made = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  assert.equal(made.status, 200, made.text);
  return { ...app, server, agent: made.json.id as string };
}
const converse = async (app: Awaited<ReturnType<typeof tracedApp>>) =>
  (await app.call('POST', `/v1/conversations?assistant_id=${app.agent}`, { name: 'Kettle' })).json.id as string;

const gapNames = /Waiting for a slot|Preparing|Between steps|Storing the answer/;
const numberIn = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, '') || 0);

test('shows every step, the prompt with placeholders and figures that add up when a trace is opened from an answer', {
  skip: withoutBrowser,
}, async () => {
  const app = await tracedApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const id = await converse(app);
  const usage = { input: 500, output: 60 };
  app.server.reply({
    tool_calls: [{ id: 'c0', name: 'payments_refund', input: { order: '1042', amount: '€184.00' } }],
    usage,
  });
  await app.say(id, 'I am anna.berg@corp-mail.com. The kettle is broken, can we refund it?');

  // While it waits for a person the trace is there already, and grows when the person has decided.
  const [run] = (await app.call('GET', `/v1/runs?conversation_id=${id}`)).json.items;
  await page.goto(`/w/${workspace}/runs/${run.id}`);
  const grid = page.getByRole('treegrid', { name: 'Steps of the run' });
  const rows = grid.getByRole('row');
  await rows.filter({ hasText: 'Approval waits' }).waitFor();
  await page.getByText('Waits for a person', { exact: true }).waitFor();
  await checkAccess();
  const [asked] = (await app.call('GET', `/v1/conversations/${id}/approvals`)).json.items;
  app.server.reply({ text: 'The refund is sent, <EMAIL_ADDRESS_1>.', usage: { input: 700, output: 20 } });
  const decided = await app.call('POST', `/v1/conversations/${id}/approvals/${asked.id}`, { decision: 'approve' });
  assert.equal(decided.status, 200, decided.text);
  await rows.filter({ hasText: 'Approval agreed' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();

  // From the answer to its trace.
  await page.goto(`/w/${workspace}/chat/${id}`);
  await page.getByText('The refund is sent').first().waitFor();
  await page.getByRole('link', { name: 'Open trace' }).last().press('Enter');
  await page.waitForURL(`**/runs/${run.id}*`);
  const trace = await until(
    async () => (await app.call('GET', `/v1/runs/${run.id}/trace`)).json,
    ({ steps }: Json) => steps.filter(({ prompt }: Json) => prompt).length >= 3,
  );
  for (const text of [
    'Guardrail of the question, passed',
    'payments_refund ok',
    'one for the reply',
    'one for a guardrail',
  ])
    await rows.filter({ hasText: text }).first().waitFor();
  await until(
    async () => rows.filter({ hasNotText: gapNames }).count(),
    (count) => count === trace.steps.length + 2,
  );

  // Tokens and cost of the model calls add up to those of the run.
  const cells = async (name: RegExp) =>
    Promise.all(
      (await rows.filter({ hasText: name }).all()).map(async (row) => [
        numberIn(await row.getByRole('gridcell').nth(1).textContent()),
        numberIn(await row.getByRole('gridcell').nth(2).textContent()),
      ]),
    );
  const [whole] = await cells(/^Support Desk/);
  const models = await cells(/^one /);
  const sum = (at: number) => models.reduce((total, row) => total + (row[at] ?? 0), 0);
  assert.equal(whole?.[0], trace.whole.input_tokens + trace.whole.output_tokens);
  assert.equal(sum(0), whole?.[0], 'tokens add up');
  assert.ok(Math.abs(sum(1) - (whole?.[1] ?? 0)) < 0.0005 * models.length, `cost ${models} is ${whole}`);
  assert.ok((whole?.[1] ?? 0) > 0, 'the run cost something');
  await checkAccess();

  // Up and down move, Enter goes to the details, Escape back.
  await page.keyboard.press('ArrowDown');
  await grid.and(page.locator(':focus')).waitFor();
  const reply = trace.steps.findLast(({ purpose }: Json) => purpose === 'reply');
  const chosen = grid.getByRole('row', { selected: true });
  for (let moves = 0; moves < 20 && (await chosen.getAttribute('id')) !== `row-${reply.id}`; moves++)
    await page.keyboard.press('ArrowDown');
  const details = page.getByRole('complementary', { name: 'Details of the step' });
  await details.getByText('Call 2 of 2, for the reply').waitFor();
  assert.match(page.url(), new RegExp(`step=.*${reply.id}`));
  await details.getByText('You are the support desk.').waitFor();
  await details.getByText('EMAIL_ADDRESS_1', { exact: true }).first().waitFor();
  await details.getByText('1 value was hidden from the model').waitFor();
  assert.equal(await page.getByText('anna.berg').count(), 1, 'the address stands in the words that were asked, alone');
  await checkAccess();
  await page.keyboard.press('Enter');
  await details.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await grid.and(page.locator(':focus')).waitFor();
  await details.getByRole('radio', { name: 'Answer' }).press('Space');
  await details.getByText('The refund is sent').waitFor();
  await details.getByRole('radio', { name: 'Settings' }).press('Space');
  await details.getByText('temperature', { exact: true }).waitFor();
  await details.getByRole('radio', { name: 'JSON' }).press('Space');
  await details.getByText('"attempt": 1').waitFor();
  await checkAccess();

  // The same call with another prompt: nothing of it is stored.
  app.server.reply({ text: 'Sent.', usage: { input: 300, output: 2 } });
  await details.getByRole('button', { name: 'Try again' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'System prompt' }).fill('Answer in one word.');
  await dialog.getByRole('button', { name: 'Send' }).press('Enter');
  await dialog.getByText('Sent.', { exact: true }).waitFor();
  await dialog.getByText(/302 tokens/).waitFor();
  await checkAccess();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Add to evaluation' }).press('Enter');
  await dialog.getByRole('textbox', { name: 'Name of the new set' }).fill('Refunds');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Add the case' }).press('Enter');
  await page.getByText('Added to Refunds').waitFor();
  const [set] = (await app.call('GET', '/v1/evaluations')).json.items;
  assert.equal(set.cases.length, 1);
  assert.ok(!JSON.stringify(set).includes('anna.berg'), 'personal data is replaced');

  // Back to the answer.
  await page.getByRole('link', { name: 'Open chat' }).press('Enter');
  await page.waitForURL(`**/chat/${id}?message=*`);
  await page.getByText('The refund is sent').first().waitFor();

  // The list of runs, filtered; brackets lead to the run before and after.
  const second = await converse(app);
  app.server.reply({ text: 'Five days.' });
  await app.say(second, 'How long does it take?');
  await page.goto(`/w/${workspace}/runs?kind=conversation`);
  const list = page.getByRole('table', { name: 'Runs' });
  await list.getByRole('link', { name: 'How long does it take?' }).waitFor();
  await page.getByText('2 runs', { exact: true }).waitFor();
  await checkAccess();
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Dearest first');
  await list
    .getByRole('row')
    .nth(1)
    .getByRole('link', { name: /The kettle is broken/ })
    .waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Failed');
  await page.getByText('No run fits the filters').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
  await list.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('j');
  await list.getByRole('link', { name: 'How long does it take?' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'How long does it take?' }).waitFor();
  await page.getByRole('button', { name: 'Older run' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press(']');
  await page.getByRole('heading', { level: 1, name: /The kettle is broken/ }).waitFor();
  await page.getByRole('button', { name: 'Newer run' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('[');
  await page.getByRole('heading', { level: 1, name: 'How long does it take?' }).waitFor();
  checkQuiet();
});

test('shows a failed run in red, and where its time went', { skip: withoutBrowser }, async () => {
  const app = await tracedApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const id = await converse(app);
  app.server.reply({ status: 400, error: 'Not today' });
  await app.call('POST', `/v1/conversations/${id}`, { content: 'Will this fail?' });
  const [run] = (await app.call('GET', `/v1/runs?conversation_id=${id}`)).json.items;
  // As if it had waited for a slot, and had taken three seconds to store what came of it.
  await app.query(
    `update runs set created_at = started_at - interval '6 seconds', finished_at = finished_at + interval '3 seconds'
     where id = $1`,
    [run.id],
  );
  await page.goto(`/w/${workspace}/runs/${run.id}`);
  const grid = page.getByRole('treegrid', { name: 'Steps of the run' });
  const root = grid.getByRole('row').nth(1);
  await root.getByText('failed', { exact: true }).waitFor();
  const red = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--bad')");
  assert.ok(red, 'there is a red');
  assert.equal(await root.locator('.bg-bad').count(), 1, 'its bar is red');
  await grid.getByRole('row', { name: /^Waiting for a slot/ }).waitFor();
  const details = page.getByRole('complementary', { name: 'Details of the step' });
  const parts = details.getByLabel('Where the time went');
  await parts.getByText('Waiting for a slot').waitFor();
  assert.match((await parts.locator('dd').first().textContent()) ?? '', /^6\.\d s$/);
  const { time } = (await app.call('GET', `/v1/runs/${run.id}/trace`)).json;
  assert.equal(await parts.locator('dt').count(), time.parts.length);
  await checkAccess();
  await grid.getByRole('row', { name: /^Storing the answer/ }).click();
  await details.getByText('After the last step, until the run was over.').waitFor();
  await checkAccess();
  checkQuiet();
});

/** Counts long tasks and how long after a key press the next frame is drawn. */
const observe = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
  window.keys = [];
  addEventListener('keydown', ({ timeStamp }) =>
    requestAnimationFrame(() => setTimeout(() => window.keys.push(performance.now() - timeStamp))), true);`;
const at95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
const elements = (page: Page) => page.evaluate("document.querySelectorAll('*').length") as Promise<number>;

test('opens soon and moves smoothly when a run has 2,000 steps', { skip: withoutBrowser }, async () => {
  const app = await tracedApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const id = await converse(app);
  app.server.reply({ text: 'Done.' });
  await app.say(id, 'Go through all of it');
  const [run] = (await app.call('GET', `/v1/runs?conversation_id=${id}`)).json.items;
  const before = await until(
    async () => (await app.call('GET', `/v1/runs/${run.id}/trace?content=false`)).json,
    ({ steps }: Json) => steps.some(({ purpose }: Json) => purpose === 'reply'),
  );
  const columns = `purpose, model, agent_id, version_id, conversation_id, run_id, actor_kind, actor_id, input_tokens,
    cached_tokens, output_tokens, reasoning_tokens, cost, ttft_ms, status`;
  await app.query(
    `insert into model_calls (workspace_id, id, at, ms, ${columns})
     select workspace_id, gen_random_uuid(), at + n * interval '7 milliseconds', 5, ${columns}
     from model_calls, generate_series(1, $2::int) n where run_id = $1 and purpose = 'reply'`,
    [run.id, 2000 - before.steps.length],
  );
  await page.goto(`/w/${workspace}/runs/${run.id}`);
  const grid = page.getByRole('treegrid', { name: 'Steps of the run' });
  await grid.getByRole('row').nth(5).waitFor();
  const loaded = (await page.evaluate('performance.now()')) as number;
  const rowCount = Number(await grid.getAttribute('aria-rowcount'));
  const most = 2002 + before.time.gaps.length;
  assert.ok(rowCount >= 2002 && rowCount <= most, `${rowCount} for a heading, the run, its steps and gaps`);
  await tabTo(page, grid);
  await page.keyboard.press('Home');
  await page.evaluate(observe);
  // A key that changes nothing: how long a frame takes on this machine now.
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Shift', { delay: 16 });
  const idle = at95((await page.evaluate('window.keys')) as number[]);
  await page.evaluate('void (window.longTasks.length = 0, window.keys.length = 0)');
  for (let moves = 0; moves < 60; moves++) await page.keyboard.press('ArrowDown', { delay: 16 });
  for (let moves = 0; moves < 40; moves++) await page.keyboard.press('PageDown', { delay: 16 });
  await page.keyboard.press('End');
  const last = grid.locator(`[aria-rowindex="${rowCount}"]`);
  await last.waitFor();
  assert.equal(await last.getAttribute('aria-selected'), 'true');
  const [keys, long] = (await page.evaluate('[window.keys, window.longTasks]')) as [number[], number[]];
  const count = await elements(page);
  const busy = Math.max(await busyFactor(page), idle / 25);
  console.log(
    JSON.stringify({
      ...{ loaded_ms: Math.round(loaded), keys: keys.length, key_p95_ms: Math.round(at95(keys)), elements: count },
      ...{ idle_key_p95_ms: Math.round(idle), long_tasks: long.map(Math.round), busy: Number(busy.toFixed(1)) },
    }),
  );
  await checkAccess();
  assert.ok(loaded < 4000 * busy, `loaded after ${loaded} ms`);
  assert.ok(count < 3000, `${count} elements`);
  assert.ok(at95(keys) < 50 * busy, `p95 of a key press ${at95(keys)} ms, busy ${busy}`);
  assert.ok(long.filter((ms) => ms > 100 * busy).length <= 2, `long tasks ${long}`);
  checkQuiet();
});
