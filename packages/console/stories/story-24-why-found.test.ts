import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { fillBase } from './support/fill-base.ts';

const paragraphs = (topic: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${topic} paragraph ${index}: ${'it says something else, '.repeat(9)}of its own.`,
  );

test('explains why each passage was found and compares two settings when a person tries a search', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const base = await fillBase(
    app,
    'Handbook',
    {
      'returns.md': [
        ...paragraphs('Parcels', 3),
        `Goods that arrive broken are refunded in full within thirty days, ${'after which nothing is paid, '.repeat(7)}and need not be returned.`,
        ...paragraphs('Labels', 3),
      ].join('\n\n'),
      'warranty.md': [
        `The warranty does not cover goods that were used, ${'whatever else is said of it, '.repeat(7)}at all.`,
        ...paragraphs('Warranty', 3),
      ].join('\n\n'),
      'office.md': paragraphs('Office', 6).join('\n\n'),
    },
    {
      ...{ default_chunk_size: 50, default_chunk_overlap: 0, auto_summary: false, enrich_chunks_mode: 'none' },
      ...{ threshold_enabled: true, threshold: 0.5 },
    },
  );
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/knowledge/${base}/search`);
  const question = page.getByRole('searchbox', { name: 'Question' });
  await question.fill('goods arrived broken');
  await page.keyboard.press('Enter');
  const first = page.getByRole('article', { name: 'Result 1', exact: true });
  await first.waitFor();
  for (const bar of ['Words', 'Meaning', 'Joined', 'Reranked']) await first.getByText(bar, { exact: true }).waitFor();
  await first.getByText('1st').first().waitFor();
  await first.locator('mark', { hasText: 'broken' }).waitFor();
  await first.locator('mark', { hasText: /arrive/ }).waitFor();
  // Its neighbour in the document stands beside it and is not part of it.
  await first.getByText(/^Parcels paragraph 0/).waitFor();
  const found = await first.locator('p', { has: page.locator('mark') }).innerText();
  assert.doesNotMatch(found, /Parcels paragraph 0/);
  await checkAccess();
  await page
    .locator('summary')
    .filter({ hasText: /passages? below a threshold/ })
    .press('Enter');
  await page.getByText('Its score is below the threshold').first().waitFor();
  await checkAccess();

  await page.getByRole('button', { name: 'Compare settings' }).press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('radio', { name: 'Words', exact: true }).press('Space');
  await drawer.getByRole('switch', { name: 'Use a threshold' }).press('Space');
  await drawer.getByText('2 settings differ').waitFor();
  await checkAccess();
  await drawer.getByRole('button', { name: 'Try these' }).press('Enter');
  const inForce = page.getByRole('region', { name: 'Settings in force' });
  const onTrial = page.getByRole('region', { name: 'Settings on trial' });
  await onTrial.getByText('Search method: Words').waitFor();
  await onTrial.getByRole('article', { name: 'Result 1', exact: true }).waitFor();
  await inForce.getByText(/passages? below a threshold/).waitFor();
  assert.equal(await onTrial.getByText(/below a threshold/).count(), 0, 'nothing is dropped on trial');
  await checkAccess();

  // The address opens the same for a colleague.
  const colleague = await app.windowOf('Admin');
  await colleague.page.goto(page.url());
  const theirs = colleague.page.getByRole('region', { name: 'Settings on trial' });
  await theirs.getByText('Search method: Words').waitFor();
  await theirs.getByRole('article', { name: 'Result 1', exact: true }).locator('mark', { hasText: 'broken' }).waitFor();
  await colleague.checkAccess();
  await theirs.getByRole('link', { name: 'Open returns.md at this passage' }).first().press('Enter');
  const pane = colleague.page.getByRole('complementary', { name: 'Document' });
  await pane.getByText('The passage that was asked for').waitFor();
  assert.match(await pane.locator('[aria-current]').innerText(), /arrive broken/);
  await colleague.checkAccess();
  colleague.checkQuiet();

  // A set of questions gives recall and nDCG for both settings.
  await page.getByRole('link', { name: 'Quality' }).press('Enter');
  await page.getByRole('button', { name: 'New set' }).press('Enter');
  await drawer.getByRole('textbox', { name: 'Name of the set' }).fill('First week');
  await page.keyboard.press('Enter');
  await drawer.waitFor({ state: 'detached' });
  for (const [asked, name] of [
    ['goods arrived broken', 'returns.md'],
    ['what does the warranty cover', 'warranty.md'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a question' }).press('Enter');
    await drawer.getByRole('textbox', { name: 'Question' }).fill(asked);
    await drawer.getByRole('checkbox', { name }).press('Space');
    await checkAccess();
    await drawer.getByRole('button', { name: 'Save the question' }).press('Enter');
    await page.getByText(asked).waitFor();
    await drawer.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Compare settings' }).press('Enter');
  await drawer.getByRole('radio', { name: 'Words', exact: true }).press('Space');
  await drawer.getByRole('button', { name: 'Try these' }).press('Enter');
  await page.getByRole('button', { name: 'Measure' }).press('Enter');
  await page.getByText('Measured with 2 questions').waitFor();
  const chart = page.getByRole('img', { name: /^Chart\. Recall/ });
  assert.match((await chart.getAttribute('aria-label')) ?? '', /Recall 1\.00 in force and 1\.00 on trial.*nDCG at 10/);
  await page.getByText('The figures as a table').press('Enter');
  await page.getByRole('rowheader', { name: /^Recall/ }).waitFor();
  await page.getByText('Each question').press('Enter');
  await page.getByRole('cell', { name: 'the same' }).first().waitFor();
  await checkAccess();
  const { meta } = (await app.call('GET', `/v1/knowledge-bases/${base}`)).json;
  assert.equal(meta.question_sets[0].questions.length, 2, 'the set is there for everybody');

  await page.getByRole('button', { name: 'Propose settings' }).press('Enter');
  await page.getByRole('heading', { name: 'Proposed settings' }).waitFor();
  await checkAccess();
  checkQuiet();
});
