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
