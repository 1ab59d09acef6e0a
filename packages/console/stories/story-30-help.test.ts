import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('opens the guide of a page, follows its links, finds guides, and brings the first steps back', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  await page.goto(`/w/${workspace}/admin/people`);
  await page.getByRole('link', { name: 'Guide: People' }).press('Enter');
  await page.waitForURL(/\/help\/people$/);
  await heading('People').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Second factors' }).waitFor();
  await checkAccess();
  await page.getByRole('link', { name: 'keys and roles' }).first().press('Enter');
  await page.waitForURL(/\/help\/keys-and-roles$/);
  await heading('Workspaces, keys and roles').waitFor();
  await page.getByRole('link', { name: 'decision 61' }).press('Enter');
  await page.waitForURL(/\/help\/decisions\/0061-owners$/);
  await checkAccess();
  const hrefs = (await page.evaluate(
    "[...document.querySelectorAll('article a')].map((link) => link.getAttribute('href'))",
  )) as string[];
  assert.ok(
    hrefs.every((href) => /^\/(?:help|docs)/.test(href)),
    `a link leads to a file: ${hrefs}`,
  );

  // All guides, then the sections that have the words.
  await page.getByRole('link', { name: 'Help', exact: true }).press('Enter');
  await page.getByRole('region', { name: 'Running the place' }).getByRole('link', { name: 'Budgets' }).waitFor();
  await checkAccess();
  await page.keyboard.press('/');
  await page.keyboard.type('recovery code');
  const found = page.getByRole('link', { name: 'Second factors' });
  await found.waitFor();
  await checkAccess();
  assert.match(page.url(), /q=recovery/);
  await found.press('Enter');
  await page.waitForURL(/\/help\/people#second-factors$/);
  await page.locator('#second-factors:focus').waitFor();
  await page.goto('/help/no-such-guide');
  await page.getByText('There is no such guide').waitFor();
  await checkAccess();

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type('audit log');
  await page.getByRole('option', { name: /Audit log.*protected/ }).waitFor();
  for (let presses = 0; presses < 12; presses++) {
    const chosen = page.locator('[role=option][aria-selected=true]');
    if (/protected/.test(await chosen.innerText())) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/help\/audit$/);

  // The first steps are put away, and come back from Help.
  await page.goto(`/w/${workspace}/chat`);
  const steps = page.getByRole('region', { name: 'First steps' });
  assert.equal(
    await steps.getByRole('link', { name: 'Set a budget' }).getAttribute('href'),
    `/w/${workspace}/admin/usage`,
  );
  await steps.getByRole('button', { name: 'Put away' }).press('Enter');
  await steps.waitFor({ state: 'detached' });
  await page.goto('/help');
  await page.getByRole('button', { name: 'Show the first steps' }).press('Enter');
  await steps.getByRole('link', { name: 'Make a table' }).waitFor();
  await app.call('POST', '/v1/tables', { name: 'orders', columns: [{ name: 'item', type: 'text', label: 'Item' }] });
  await page.reload();
  await steps.getByRole('listitem').filter({ hasText: 'Make a table' }).getByText('Done').waitFor();
  await checkAccess();
  checkQuiet();
});
