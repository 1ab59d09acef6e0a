import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

const good = ['leave.md', 'travel.md', 'expenses.md', 'office.md'].map((name) => ({
  ...{ name, mimeType: 'text/markdown' },
  buffer: Buffer.from(`# ${name}\n\nThirty days of leave are there for everybody, says ${name}.\n`),
}));
const broken = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 this is no PDF') };

/** Chooses files by the button, as a person without a mouse does. */
async function addFiles(page: Page, files: typeof good | string) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add documents' }).press('Enter'),
  ]);
  await chooser.setFiles(files);
}

test('shows the stages of five files and the reason of the broken one when they are added', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const hold = Promise.withResolvers<void>();
  // The training waits here, so that its stages can be looked at.
  app.model.answers = () => ({ text: 'About leave.', after: hold.promise });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/knowledge`);
  await page.getByText('No knowledge bases yet').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'New knowledge base' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Handbook');
  await checkAccess();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
  await page.getByText('No documents yet').waitFor();

  await addFiles(page, [broken, ...good]);
  const panel = page.getByRole('region', { name: 'Documents that are being added' });
  for (const { name } of good)
    await panel.getByRole('img', { name: new RegExp(`^${name}: 2 of 5.*Enriching`) }).waitFor();
  await panel.getByRole('button', { name: 'Try scan.pdf again' }).waitFor();
  await panel.getByText('Adding 4 of 5 documents').waitFor();
  const reason = await panel.getByRole('listitem').filter({ hasText: 'scan.pdf' }).innerText();
  assert.match(reason, /pdf/i, 'the reason of the server stands there');
  await checkAccess();

  // Leaving and coming back shows the same state, also after a reload.
  await page.getByRole('link', { name: 'Quality' }).press('Enter');
  await page.getByText('No set of questions yet').waitFor();
  await page.getByRole('link', { name: /^Documents/ }).press('Enter');
  await panel.getByText('Adding 4 of 5 documents').waitFor();
  await page.reload();
  await panel.getByRole('img', { name: /^leave\.md: 2 of 5.*Enriching/ }).waitFor();
  const rows = page.getByRole('list', { name: 'Documents', exact: true }).getByRole('listitem');
  const scan = rows.filter({ hasText: 'scan.pdf' });
  await scan.getByRole('button', { name: 'Try scan.pdf again' }).waitFor();
  await page.getByText('Training 4 documents').first().waitFor();
  await checkAccess();

  // Without a reload they become ready, and so does the base.
  hold.resolve();
  for (const { name } of good) await rows.filter({ hasText: name }).getByText('Ready').first().waitFor();
  await page.getByRole('banner').or(page.locator('header')).getByText('Ready', { exact: true }).first().waitFor();
  const runs = async () =>
    (await app.call('GET', `/v1/knowledge-bases/${base}/runs`)).json.filter(
      ({ document_id }: { document_id: string }) => document_id === scanId,
    ).length as number;
  const base = /knowledge\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const { items } = (await app.call('GET', `/v1/knowledge-bases/${base}/documents?search=scan`)).json;
  const scanId = items[0].id as string;
  const before = await runs();
  await scan.getByRole('button', { name: 'Try scan.pdf again' }).press('Enter');
  await page.getByText('1 document is trained again').waitFor();
  await scan.getByRole('button', { name: 'Try scan.pdf again' }).waitFor();
  assert.equal(await runs(), before + 1);

  // A document opens at its passages, which are edited and switched off.
  await rows.filter({ hasText: 'leave.md' }).getByRole('link').press('Enter');
  const pane = page.getByRole('complementary', { name: 'Document' });
  await pane.getByText('Thirty days of leave').waitFor();
  await checkAccess();
  await pane.getByRole('switch').press('Space');
  await pane.getByText('Switched off').waitFor();
  await pane.getByRole('button', { name: 'Edit passage 1' }).press('Enter');
  await dialog.getByRole('textbox').fill('Thirty-one days of leave.');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await pane.getByText('Thirty-one days of leave.').waitFor();
  await pane.getByText('Edited', { exact: true }).waitFor();
  const [passage] = (await app.call('GET', `/v1/knowledge-bases/${base}/chunks?size=1&enabled=false`)).json.items;
  assert.equal(passage.content, 'Thirty-one days of leave.');
  await pane.getByRole('radio', { name: 'About' }).press('Space');
  await pane.getByRole('heading', { name: 'Who sees it' }).waitFor();
  await checkAccess();
  await pane.getByRole('button', { name: 'Close' }).press('Enter');
  await page.locator('a[data-document]:focus').waitFor();

  // Two move into a folder, one is deleted; the focus goes on to the next row.
  await page.getByRole('checkbox', { name: 'Pick travel.md' }).press('Space');
  await page.getByRole('checkbox', { name: 'Pick office.md' }).press('Space');
  await page.getByText('2 picked').waitFor();
  await page.getByRole('button', { name: 'Move' }).press('Enter');
  await dialog.getByRole('combobox', { name: 'To the folder' }).fill('/people');
  await page.keyboard.press('Enter');
  await page.getByText('2 entries were moved').waitFor();
  await rows.filter({ hasText: 'travel.md' }).getByText('/people').waitFor();
  // A key that is pressed before the dialog has given the focus to a row would go to that row.
  await page.locator('a[data-document]:focus').waitFor();
  await page.getByRole('checkbox', { name: 'Pick scan.pdf' }).press('Space');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await dialog.getByText('Delete scan.pdf?').waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Delete document' }).press('Enter');
  await scan.waitFor({ state: 'detached' });
  await page.locator('a[data-document]:focus').waitFor();
  checkQuiet();
});

test('goes on with a large file where it was when the page was closed meanwhile', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const made = await app.call('POST', '/v1/knowledge-bases', { name: 'Archive' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/knowledge/${made.json.id}/documents`);
  const path = join(mkdtempSync(join(tmpdir(), 'atrium-')), 'archive.bin');
  writeFileSync(path, Buffer.alloc(9 * 1024 * 1024, 7));
  const offsets: string[] = [];
  let isBroken = true;
  await page.route(/\/v1\/uploads\/[^/]+$/, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const offset = route.request().headers()['upload-offset'] ?? '';
    if (isBroken && offset !== '0') return route.abort();
    offsets.push(offset);
    return route.continue();
  });
  await addFiles(page, path);
  await page.getByText('Sending, 44%').waitFor();
  await page.reload();
  await page.getByText(/archive\.bin was sent to 44%/).waitFor();
  await checkAccess();
  isBroken = false;
  await addFiles(page, path);
  await page.getByRole('link', { name: 'archive.bin' }).waitFor();
  assert.deepEqual(offsets, ['0', '4194304', '8388608'], 'the first part is sent once');
  await page.getByText(/archive\.bin was sent to/).waitFor({ state: 'detached' });
  checkQuiet(/ERR_FAILED/);
});
