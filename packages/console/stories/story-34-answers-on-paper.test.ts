import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { fillBase } from './support/fill-base.ts';

const wide = [
  'Region',
  'Handling time',
  'People now',
  'Needed',
  'Cost in December',
  'Languages spoken',
  'Team lead',
  'Next check',
];
const row = ['DACH', '343 s', '14', '17', '€12,900.00', 'German, French', 'Mara', '24 November 2026'];
const table = [wide, wide.map(() => '---'), row].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const rich = `Before the peak:

- [x] Ask two agencies
- [ ] Sign the contracts

${table}`;
const hebrew = `שלום, הנה הפקודה:

> ציטוט

\`\`\`sh
npm start -- --port 80
\`\`\`

- ראשון`;

test('draws tasks, wide tables and answers from right to left, and prints a whole chat with its sources', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const base = await fillBase(app, 'Handbook', {
    'refunds.md': '# Refunds\n\nGoods that arrive broken are refunded within 30 days.\n',
  });
  const desk = await app.makeAgent('Support Desk', {
    ...{ knowledge_bases: [base], chat_input_placeholder: 'What can the desk do for you?' },
    ...{
      feedback_placeholder: 'Tell the desk',
      feedback_submit_label: 'Tell them',
      feedback_cancel_label: 'Better not',
    },
  });
  app.model.answers = ({ messages }: { messages: { role: string; content: unknown }[] }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: 'Goods that arrive broken are refunded within 30 days [1].' };
    const said = JSON.stringify(last?.content);
    if (said.includes('refunds'))
      return { tool_calls: [{ id: 'c1', name: 'kb_handbook_search', input: { query: 'refund' } }] };
    if (said.includes('Hebrew')) return { text: hebrew };
    if (said.includes('Rich')) return { text: rich };
    return { text: Array.from({ length: 12 }, (_, line) => `Paragraph ${line} of a long answer.`).join('\n\n') };
  };
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${desk}`, {});
  for (const words of ['The first of all', 'How do refunds work?', 'more', 'more', 'Hebrew', 'Rich'])
    await app.say(json.id, words);
  await page.goto(`/w/${workspace}/chat/${json.id}`);
  const thread = page.getByRole('log');

  // Tasks, and a table that is wider than its place.
  await thread.getByRole('checkbox', { name: 'Ask two agencies', checked: true }).waitFor();
  await thread.getByRole('checkbox', { name: 'Sign the contracts', checked: false }).waitFor();
  assert.equal(await thread.getByText(/\[[x ]\]/).count(), 0);
  const frame = thread.getByRole('group', { name: 'Table' });
  const cell = frame.getByRole('cell', { name: '€12,900.00' });
  const styleOf = (locator: Locator, name: string) =>
    locator.evaluate((element, property) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(of: unknown): { getPropertyValue(name: string): string };
      };
      return getComputedStyle(element).getPropertyValue(property);
    }, name);
  assert.equal(await styleOf(cell, 'overflow-wrap'), 'normal', 'no word is torn');
  await frame.and(page.locator('.fade-end:not(.fade-start)')).waitFor();
  await frame.evaluate((element) => (element as unknown as { scrollTo(x: number, y: number): void }).scrollTo(9999, 0));
  await frame.and(page.locator('.fade-start:not(.fade-end)')).waitFor();
  await checkAccess();

  // From right to left: quotes and lists turn, code does not.
  await thread.getByText('שלום, הנה הפקודה:').scrollIntoViewIfNeeded();
  assert.equal(await styleOf(thread.locator('figure pre').first(), 'direction'), 'ltr');
  assert.equal(await styleOf(thread.locator('blockquote').first(), 'border-right-width'), '3px');
  assert.equal(await styleOf(thread.locator('ul', { hasText: 'ראשון' }).first(), 'padding-right'), '24px');
  // What editors of code are written in.
  assert.match(await styleOf(page.locator('html'), '--font-mono'), /JetBrains Mono/);

  // The words of the agent's settings.
  await page.getByPlaceholder('What can the desk do for you?').waitFor();
  await page.getByRole('button', { name: 'Bad answer' }).last().press('Enter');
  const form = page.getByRole('dialog');
  await form.getByPlaceholder('Tell the desk').waitFor();
  await form.getByRole('button', { name: 'Tell them' }).waitFor();
  await form.getByRole('button', { name: 'Better not' }).press('Enter');
  await form.waitFor({ state: 'hidden' });

  // On paper: all of it, without the shell, with the sources.
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('[data-printed]');
  await paper.getByText('The first of all').last().waitFor();
  await paper.getByText('Ask two agencies').last().waitFor();
  await paper.getByRole('heading', { name: 'Sources' }).waitFor();
  await paper.getByText('refunds', { exact: false }).first().waitFor();
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false);
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).isVisible(), false);
  assert.equal(await paper.getByRole('button', { name: 'Copy', exact: true }).count(), 0);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0) > 1, 'more than one page');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  assert.equal(await paper.count(), 0);

  // A guest of the link reads the agent's words, too.
  const shared = await app.call('POST', `/v1/conversations/${json.id}/share`, {});
  const token = shared.json.public_access_token ?? shared.json.token;
  const guest = await app.stranger();
  await guest.page.goto(`/shared/${token}`);
  await guest.page.getByPlaceholder('What can the desk do for you?').waitFor();
  checkQuiet();
});
