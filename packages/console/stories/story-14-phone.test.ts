import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { fillBase } from './support/fill-base.ts';
import { makeRefundAgent, refundTool, waitForRefund } from './support/requests.ts';

const phone = { width: 390, height: 844, touch: true };

/** Controls that are smaller than 44 px for a finger. Links and numbers inside of running text have no size of their own. */
const smallTargets = `[...document.querySelectorAll('button, a[href], input, select, textarea, [role=radio], [role=menuitem], [role=switch]')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('p, td, .sr-only, [aria-hidden=true]'))
  .map((element) => {
    const style = getComputedStyle(element, '::after');
    // A link that covers its card is as large as the card.
    const covers = style.position === 'absolute' && style.content !== 'none' && element.offsetParent;
    const own = (covers || element).getBoundingClientRect();
    // A label enlarges what can be touched.
    const label = element.labels?.[0]?.getBoundingClientRect();
    const height = Math.max(own.height, label?.height ?? 0);
    return { shown: own.bottom > 0 && own.top < innerHeight, height, width: Math.max(own.width, label?.width ?? 0), name: element.getAttribute('aria-label') || element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 80) };
  })
  .filter(({ shown, height, width }) => shown && height > 1 && width > 1 && (height < 43.5 || width < 43.5))
  .map(({ name, width, height }) => name + ' ' + Math.round(width) + '×' + Math.round(height))`;

/** What leads to scrolling sideways: the page, or anything that stands out of the window. */
const sideways = `Math.max(document.scrollingElement.scrollWidth, document.body.scrollWidth) - innerWidth`;

/** What is wrong for a finger, in all states that the story reaches. */
const faults: string[] = [];
async function checkTouch(page: Page, where: string): Promise<void> {
  const small = (await page.evaluate(smallTargets)) as string[];
  faults.push(...small.map((target) => `${where}: less than 44 px: ${target}`));
  if (Number(await page.evaluate(sideways)) > 0) faults.push(`${where}: scrolls sideways`);
}

test('works by touch at 390 px: chat, citation, approval, inbox and a new chat', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(app);
  const waiting = await waitForRefund(app, agent, '1042');
  const passage = 'Refunds are paid within 30 days of purchase, with the receipt.';
  const base = await fillBase(app, 'Handbook', { 'refunds.md': `# Handbook\n\n## Refunds\n\n${passage}\n` });
  await app.call('PATCH', `/v1/agents/${agent.agent_id}`, { definition: { knowledge_bases: [base] } });
  // Other work asks the model too: the replies are for the chats alone.
  agent.server.answers = ({ messages }: { messages: { role: string; content: unknown }[] }) => {
    const last = messages.at(-1);
    const said = JSON.stringify(messages);
    if (last?.role === 'tool' && said.includes('Order 1042')) return { text: 'The refund is sent.' };
    if (last?.role === 'tool' && said.includes('How do refunds work?'))
      return {
        text: 'Broken goods are refunded within 30 days [1].\n\n| what | when |\n|---|---|\n| refund | 5 days |',
      };
    if (!JSON.stringify(last?.content).includes('How do refunds work?')) return undefined;
    return { tool_calls: [{ id: 'c1', name: 'kb_handbook_search', input: { query: 'refund' } }] };
  };
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin', phone);

  // A new chat: the field is above the end of the window, and lets go of the focus after sending.
  await page.goto(`/w/${workspace}/chat`);
  const begin = page.getByRole('link', { name: 'New chat' });
  await begin.waitFor();
  await checkAccess();
  await checkTouch(page, 'list of chats');
  await begin.tap();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  await checkAccess();
  await checkTouch(page, 'new chat');
  await field.tap();
  await page.keyboard.type('How do refunds work?');
  await page.getByRole('button', { name: 'Send' }).tap();
  const log = page.getByRole('log');
  await log.getByText('Broken goods are refunded').waitFor();
  assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA', 'it lets go of the focus');

  // The keyboard of a phone takes the lower part of the window: the field moves above it.
  await page.setViewportSize({ width: 390, height: 480 });
  await field.tap();
  const box = await field.boundingBox();
  assert.ok(box && box.y + box.height <= 480, `the field ends at ${box && box.y + box.height}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().waitFor();
  await checkAccess();
  await checkTouch(page, 'chat');

  // The citation opens a sheet from below with the passage.
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().tap();
  const sheet = page.getByRole('dialog');
  await sheet.locator('mark', { hasText: 'within 30 days of purchase' }).waitFor();
  const sheetBox = await sheet.boundingBox();
  assert.ok(sheetBox && sheetBox.width === 390 && Math.round(sheetBox.y + sheetBox.height) === 844, 'from below');
  await checkAccess();
  await checkTouch(page, 'citation');
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });

  // The approval waits in the inbox, and is answered there or in its chat.
  await page.getByRole('link', { name: /^Inbox/ }).tap();
  const row = page.getByRole('region', { name: 'Requests' }).getByRole('button').first();
  await row.waitFor();
  await checkAccess();
  await checkTouch(page, 'inbox');
  await row.tap();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await checkAccess();
  await checkTouch(page, 'request');

  await page.goto(`/w/${workspace}/chat/${waiting}`);
  const card = page.getByRole('region', { name: 'Request: Use payments_refund?' });
  await card.getByText('€184.00').waitFor();
  await checkTouch(page, 'approval');
  await card.getByRole('button', { name: 'Approve' }).tap();
  await card.getByText('Approved by Bo').waitFor();
  await log.getByText('The refund is sent.').waitFor();
  await checkAccess();
  assert.deepEqual(faults, []);
  checkQuiet();
});

test('has a way back, filters in a sheet and targets for a finger on the other pages', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { call } = app;
  const made = async (path: string, body: object) => {
    const { status, json, text } = await call('POST', path, body);
    assert.equal(status, 200, text);
    return json.id as string;
  };
  const agent = await made('/v1/agents', { name: 'Support Desk' });
  const base = await made('/v1/knowledge-bases', { name: 'Handbook' });
  const table = await made('/v1/tables', { name: 'orders', columns: [{ name: 'city', type: 'text' }] });
  const flow = await made('/v1/workflows', { name: 'Nightly', definition: { nodes: [], edges: [] } });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin', phone);
  faults.length = 0;
  const lists = [
    'agents',
    'workflows',
    'knowledge',
    'tables',
    'runs',
    'insights',
    'evaluations',
    'admin',
    'resources/files',
  ];
  const records: [string, string][] = [
    [`agents/${agent}/build`, 'Agents'],
    [`workflows/${flow}`, 'Workflows'],
    [`knowledge/${base}/documents`, 'Knowledge'],
    [`tables/${table}`, 'Tables'],
    ['admin/keys', 'Admin'],
    ['admin/audit', 'Admin'],
  ];
  for (const path of lists) {
    await page.goto(`/w/${workspace}/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('.pulse').first().waitFor({ state: 'detached' });
    await checkTouch(page, path);
  }
  for (const [path, list] of records) {
    await page.goto(`/w/${workspace}/${path}`);
    await page.getByRole('link', { name: `Back to ${list}` }).waitFor();
    await page.locator('.pulse').first().waitFor({ state: 'detached' });
    await checkTouch(page, path);
  }

  // Filters take no room of the list, and say how many are set.
  await page.goto(`/w/${workspace}/runs`);
  await page.getByRole('button', { name: 'Filters', exact: true }).tap();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('combobox').first().selectOption({ index: 1 });
  await checkTouch(page, 'filters of runs');
  await checkAccess();
  await sheet.getByRole('button', { name: 'Show the list' }).tap();
  await page.getByRole('button', { name: 'Filters: 1 set' }).waitFor();
  await page.goto(`/w/${workspace}/agents/${agent}/build`);
  await page.getByRole('link', { name: 'Back to Agents' }).tap();
  await page.waitForURL(/\/agents$/);
  assert.deepEqual(faults, []);
  checkQuiet();
});
