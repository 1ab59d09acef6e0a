import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { busyFactor } from './support/busy.ts';
import { chatApp } from './support/chat-app.ts';

test('keeps both branches when a person stops an answer and edits the message', { skip: withoutBrowser }, async () => {
  const long = Array.from({ length: 600 }, (_, index) => `first${index}`).join(' ');
  const hostile =
    'The second answer. <img src=x onerror=alert(1)> [press](javascript:alert(1)) <script>alert(1)</script>';
  const app = await chatApp({ text: long, deltas: 600, chunk_delay_ms: 40 }, { text: hostile, deltas: 3 });
  const { page, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const thread = page.getByRole('log');
  const composer = page.getByRole('textbox', { name: 'Message' });
  await page.goto('/');
  await composer.fill('Where is order 1042?');
  await page.keyboard.press('Enter');
  await thread.getByText('first10 ').waitFor();

  const began = Date.now();
  await page.keyboard.press('Control+.');
  await thread.getByText('Stopped by you').waitFor();
  const stopped = Date.now() - began;
  const busy = await busyFactor(page);
  console.log(`stopped after ${stopped} ms, machine ${busy.toFixed(1)} times slower than at rest`);
  assert.ok(stopped < 1000 * busy, `it took ${stopped} ms to stop`);
  assert.equal(await thread.getByText('first10 ').count(), 1, 'the text stays');
  await checkAccess();

  // With the keyboard alone: up in an empty field edits the last message.
  await composer.focus();
  await page.keyboard.press('ArrowUp');
  const field = page.getByRole('textbox', { name: 'Edit your message' });
  await field.waitFor();
  await checkAccess();
  await field.fill('Where is order 1043?');
  await page.keyboard.press('Enter');
  await thread.getByText('The second answer.').waitFor();
  await thread.getByText('2 of 2').waitFor();
  assert.equal(await thread.getByText('first10 ').count(), 0);
  await thread.getByText('<img src=x onerror=alert(1)>').waitFor();
  assert.equal(await thread.locator('img, script, a[href^=javascript]').count(), 0, 'nothing of it is run');
  await checkAccess();

  await page.getByRole('button', { name: 'Version before' }).press('Enter');
  await thread.getByText('1 of 2').waitFor();
  await thread.getByText('first10 ').waitFor();
  await thread.getByText('Where is order 1042?').waitFor();
  assert.equal(await thread.getByText('The second answer.').count(), 0);
  await page.getByRole('button', { name: 'Next version' }).press('Enter');
  await thread.getByText('The second answer.').waitFor();
  checkQuiet();
});
