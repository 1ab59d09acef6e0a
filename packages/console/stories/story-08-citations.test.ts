import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { fillBase } from './support/fill-base.ts';

test('opens the document at the passage when a person follows a citation', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const passage = 'Refunds are paid within 30 days of purchase, with the receipt.';
  const before = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} about something else entirely.`).join(
    '\n\n',
  );
  const base = await fillBase(app, 'Handbook', {
    'refunds.md': `# Handbook\n\n${before}\n\n## Refunds\n\n${passage}\n`,
  });
  await app.makeAgent('Librarian', { knowledge_bases: [base] });
  // Other work asks the model too: the replies are for the chat alone.
  app.model.answers = ({ messages }: { messages: { role: string; content: unknown }[] }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: 'Goods that arrive broken are refunded within 30 days [1].', deltas: 4 };
    if (!JSON.stringify(last?.content).includes('How do refunds work?')) return undefined;
    return { tool_calls: [{ id: 'c1', name: 'kb_handbook_search', input: { query: 'refund' } }] };
  };
  const { page, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Message' }).fill('How do refunds work?');
  await page.keyboard.press('Enter');
  const number = page
    .getByRole('log')
    .getByRole('button', { name: /^Source 1: / })
    .first();
  await number.waitFor();
  await checkAccess();

  await number.focus();
  const card = page.getByRole('tooltip');
  await card.waitFor();
  assert.match(await card.innerText(), /refunds[\s\S]*30 days/i);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  const marked = drawer.locator('mark', { hasText: 'within 30 days of purchase' });
  await marked.waitFor();
  assert.ok(await marked.isVisible());
  await checkAccess();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const focused = String(await page.evaluate("document.activeElement?.getAttribute('aria-label')"));
  assert.match(focused, /^Source 1: /, 'the focus comes back');

  await page.getByRole('button', { name: /1 step/ }).press('Enter');
  await page.getByRole('button', { name: /Searched Handbook for “refund”/ }).press('Enter');
  await page.getByText('Output', { exact: true }).waitFor();
  // Each step says how long it took.
  await page.getByRole('button', { name: /Searched Handbook.*\d\.\d s$/ }).waitFor();
  await checkAccess();
  checkQuiet();
});
