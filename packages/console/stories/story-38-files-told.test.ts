import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('says under each file of a message what the model was sent', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const agent = await app.makeAgent('Order Desk', {});
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'Orders' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/chat/${chat.id}`);
  const rows = Array.from({ length: 3000 }, (_, n) => `${n + 1},customer ${n + 1},${n * 2}`);
  await page.getByRole('button', { name: 'Attach files' }).first().waitFor();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(['id,customer,total', ...rows].join('\n')) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Short notes') },
    ]);
  const chosen = page.getByRole('list', { name: 'Files that go with the message' });
  await chosen.getByText(/^\d+(?:\.\d+)? kB$/i).waitFor();
  await chosen.getByText('11 B').waitFor();
  app.model.reply({ text: 'There are 3,000 orders.' });
  await page.getByRole('textbox', { name: 'Message' }).fill('How many orders?');
  await page.keyboard.press('Enter');
  await page.getByText('There are 3,000 orders.', { exact: true }).waitFor();
  const mine = page.getByRole('article', { name: 'You' });
  await mine.getByText('Sent: a summary (columns and first rows); the agent reads the rest by itself').waitFor();
  await mine.getByText('Sent: whole').waitFor();
  await checkAccess();
  await page.reload();
  await mine.getByText('Sent: whole').waitFor();
  checkQuiet();
});

const golden = (name: string) => readFileSync(join(import.meta.dirname, '../../server/test/golden/files', name));

test('opens Office files as tables and pages of text', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const { page, workspace, checkAccess } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/files`);
  const mimeType = 'application/octet-stream';
  await page
    .getByLabel('Choose files to upload')
    .setInputFiles(
      ['orders.xlsx', 'guide.docx', 'review.pptx'].map((name) => ({ name, mimeType, buffer: golden(name) })),
    );
  const rows = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem');
  const open = async (name: string) => {
    await rows.getByRole('button', { name, exact: true }).press('Enter');
    return page.getByRole('dialog');
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  };
  const sheets = await open('orders.xlsx');
  await sheets.getByRole('columnheader').first().waitFor();
  await checkAccess();
  await close();
  const guide = await open('guide.docx');
  await guide.getByRole('heading', { name: 'Visitor guide' }).waitFor();
  await checkAccess();
  await close();
  const slides = await open('review.pptx');
  await slides.getByText('Page 1', { exact: true }).waitFor();
});
