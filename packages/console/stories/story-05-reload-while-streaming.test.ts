// Alone on the machine: it reloads within a stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { busyFactor } from './support/busy.ts';
import { chatApp, readAnswer } from './support/chat-app.ts';

const words = Array.from({ length: 400 }, (_, index) => `word${index}`);

test('goes on without a lost or doubled word when the page reloads or is offline while an answer streams', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp({ text: words.join(' '), deltas: 400, chunk_delay_ms: 60 });
  const { page, context, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const thread = page.getByRole('log');
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Message' }).fill('Write 400 words');
  await page.keyboard.press('Enter');
  await thread.getByText('word20 ').waitFor();
  await checkAccess();
  const reloaded = Date.now();
  await page.reload();
  await thread.getByText('word20 ').waitFor();
  const shown = Date.now() - reloaded;
  const busy = await busyFactor(page);
  console.log(`text after a reload: ${shown} ms, machine ${busy.toFixed(1)} times slower than at rest`);
  assert.ok(shown < 2000 * busy, `the text up to now was there after ${shown} ms`);
  await thread.getByText('word120 ').waitFor();
  await context.setOffline(true);
  const before = await readAnswer(page);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await context.setOffline(false);
  await thread.getByText('word399').waitFor();
  assert.ok(before.length < words.join(' ').length, 'it went offline while the answer was written');
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  assert.equal(await readAnswer(page), words.join(' '));
  const { json } = await app.call('GET', `/v1/conversations/${page.url().split('/').at(-1)}`);
  assert.equal(
    json.ui_messages.at(-1).parts.find(({ type }: { type: string }) => type === 'text').text,
    words.join(' '),
  );
  await checkAccess();
  checkQuiet(/net::ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
});
