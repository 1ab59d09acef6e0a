import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Drops files on the page, as a person does with the mouse. The size of a file can be pretended. */
const drop = (page: Page, files: { name: string; type: string; base64: string; size?: number }[]) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, type, base64, size } of ${JSON.stringify(files)}) {
      const file = new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type });
      if (size) Object.defineProperty(File.prototype, 'size', { configurable: true, get() { return this.name === 'film.mp4' ? size : Object.getOwnPropertyDescriptor(Blob.prototype, 'size').get.call(this); } });
      data.items.add(file);
    }
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);

test('sends files and shows those of the agent', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const agent = await app.makeAgent('Chart Desk', {
    base_tools: [{ type: 'files', enabled: true, allow_html_graphs: true }],
  });
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'Figures' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/chat/${chat.id}`);
  await page.getByRole('button', { name: 'Attach files' }).first().waitFor();

  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF').toString('base64');
  await drop(page, [
    { name: 'order.pdf', type: 'application/pdf', base64: pdf },
    { name: 'kettle.png', type: 'image/png', base64: pixel },
    { name: 'wrong.txt', type: 'text/plain', base64: btoa('not this one') },
  ]);
  const chosen = page.getByRole('list', { name: 'Files that go with the message' });
  await chosen.getByText('12 B').waitFor();
  await checkAccess();
  await chosen.getByRole('button', { name: 'Take wrong.txt back' }).press('Enter');
  assert.equal(await chosen.getByRole('listitem').count(), 2);

  // One that is too large is refused before anything of it is sent.
  let uploads = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/files')) uploads += 1;
  });
  await drop(page, [{ name: 'film.mp4', type: 'video/mp4', base64: pixel, size: 3 * 1024 ** 3 }]);
  await page.getByText(/film\.mp4 is larger than/).waitFor();
  assert.equal(uploads, 0);

  const rows = [
    ['month', 'sum'],
    ['May', 184],
  ];
  const figures = { labels: ['May'], series: [{ name: 'sum', values: [184] }] };
  app.model.reply(
    {
      tool_calls: [
        { id: 'f0', name: 'files_make_table', input: { filename: 'report', format: 'csv', sheets: [{ rows }] } },
        { id: 'f1', name: 'files_make_chart', input: { filename: 'sums', kind: 'bar', title: 'Sums', ...figures } },
      ],
    },
    { text: 'Here is the report.' },
  );
  await page.getByRole('textbox', { name: 'Message' }).fill('Make a report of these');
  await page.keyboard.press('Enter');
  await page.getByText('Here is the report.', { exact: true }).waitFor();
  const mine = page.getByRole('article', { name: 'You' });
  await mine.getByRole('button', { name: 'Open kettle.png' }).getByRole('img').waitFor();
  await mine.getByRole('button', { name: 'Open order.pdf' }).waitFor();
  await checkAccess();

  await page.getByRole('button', { name: 'Open report.csv' }).press('Enter');
  const report = page.getByRole('dialog', { name: 'report.csv' });
  await report.getByRole('columnheader', { name: 'sum' }).waitFor();
  await report.getByRole('row', { name: 'May 184' }).waitFor();
  await checkAccess();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download report.csv' }).press('Enter'),
  ]);
  assert.equal(saved.suggestedFilename(), 'report.csv');
  assert.match(await readFile(await saved.path(), 'utf8'), /month,sum\r?\nMay,184/);
  await page.keyboard.press('Escape');

  // The chart is a page of its own: it opens in a frame that runs nothing.
  await page.getByRole('button', { name: 'Open sums.html' }).press('Enter');
  const chart = page.frameLocator('iframe[title="sums.html"]');
  await chart.getByText('May').first().waitFor();
  checkQuiet();
});
