import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pricedModels } from '../../server/src/features/budgets/testing.ts';
import { addUp, lookNow, until } from '../../server/src/features/insights/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const questions = ['How long does a refund take?', 'Where is my parcel?', 'Do you ship to the Azores?'];

/** A console with an agent whose answers follow its persona, and three chats with it. */
async function evaluatedApp() {
  const app = await consoleApp({ models_file: pricedModels() });
  const { server, name } = await app.provider();
  server.answers = (body) => {
    const told = JSON.stringify(body['messages']);
    if (told.includes('Will this fail?')) return { status: 400, error: 'Not today' };
    if (told.includes('You are rude')) return { text: 'No idea, ask somebody else', usage: { input: 900, output: 90 } };
    if (told.includes('gift')) return { text: 'Yes, we wrap gifts', usage: { input: 100, output: 10 } };
    return { text: 'A refund takes five days', usage: { input: 100, output: 10 } };
  };
  const definition = {
    ...{ model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, persona: 'You are kind.' },
    ...{ agent_title_mode: 'first_message', insights_enabled: true, insights_csat_enabled: true },
  };
  const made = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  assert.equal(made.status, 200, made.text);
  const agent = made.json.id as string;
  const chats: string[] = [];
  for (const question of questions) {
    const { json } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, { name: question });
    chats.push(json.id);
    await app.say(json.id, question);
  }
  return { ...app, server, agent, chats };
}

const choose = async (page: Page, button: string, entry: string | RegExp) => {
  await page.getByRole('button', { name: button, exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: entry }).press('Enter');
};

test('shows which cases became better or worse, dearer or slower when a set is run for a version and the draft', {
  skip: withoutBrowser,
}, async () => {
  const app = await evaluatedApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');

  // A set of three chats and one case by hand.
  await page.goto(`/w/${workspace}/evaluations`);
  await page.getByText('No evaluation yet').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'New set' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Before we publish');
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption('Support Desk');
  for (const question of questions) await dialog.getByRole('checkbox', { name: question }).press('Space');
  await dialog.getByText('3 chats chosen').waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make the set' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Before we publish' }).waitFor();
  const cases = page.getByRole('region', { name: 'Cases' });
  await cases.getByText('3 cases', { exact: true }).waitFor();
  await cases.getByRole('button', { name: 'Add a case' }).press('Enter');
  await dialog.getByRole('button', { name: 'Save the case' }).press('Enter');
  await dialog.getByText('Write what the person says').waitFor();
  await dialog.getByRole('textbox', { name: 'Message 1' }).fill('Do you wrap a gift?');
  await dialog.getByRole('textbox', { name: 'What the answer should say' }).fill('wrap gifts');
  await dialog.getByRole('combobox', { name: 'How it is compared' }).selectOption('Contains this');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Save the case' }).press('Enter');
  await cases.getByText('4 cases', { exact: true }).waitFor();
  await checkAccess();

  // The published version, then the draft, which is rude and dear; both fill while one watches.
  const [set] = (await app.call('GET', '/v1/evaluations')).json.items;
  await choose(page, 'Run', 'Published version');
  const runs = page.getByRole('list', { name: 'Runs' });
  await runs.getByText('4 of 4 passed').waitFor();
  const results = page.getByRole('region', { name: 'Results' });
  await results.getByRole('article', { name: 'Do you wrap a gift?' }).getByText('Yes, we wrap gifts').waitFor();
  await checkAccess();
  const { definition } = (await app.call('GET', `/v1/agents/${app.agent}`)).json;
  const changed = await app.call('PATCH', `/v1/agents/${app.agent}?preview=true`, {
    definition: { ...definition, persona: 'You are rude.' },
  });
  assert.equal(changed.status, 200, changed.text);
  await choose(page, 'Run', 'Draft as it is now');
  await runs.getByText('0 of 4 passed').waitFor();

  // Side by side.
  await results.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 });
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByRole('radio', { name: 'Worse 4' }).waitFor();
  await comparison.getByRole('radio', { name: 'Dearer 4' }).waitFor();
  await comparison.getByRole('radio', { name: 'Better 0' }).waitFor();
  assert.match(page.url(), /from=[^&]+.*to=/);
  const gift = comparison.getByRole('article', { name: 'Do you wrap a gift?' });
  await gift.getByRole('region', { name: /^v1, / }).getByText('Yes, we wrap gifts').waitFor();
  const draft = gift.getByRole('region', { name: /^Draft, / });
  await draft.getByText('No idea, ask somebody else').waitFor();
  await gift.getByText(/^Dearer \+\$0\.00\d/).waitFor();
  await checkAccess();
  await comparison.getByRole('radio', { name: 'Better 0' }).press('Space');
  await comparison.getByText('No case is in both runs like this.').waitFor();
  await comparison.getByRole('radio', { name: 'Worse 4' }).press('Space');
  await gift.waitFor();

  // A person sees it otherwise: the mark stands beside the verdict, which stays.
  await draft.getByRole('button', { name: 'Good answer' }).press('Enter');
  await draft.getByText('People disagree with the machine').waitFor();
  await draft.getByRole('textbox', { name: 'Why' }).fill('Honest at least');
  await draft.getByRole('button', { name: 'Save the note' }).press('Enter');
  await draft.getByRole('button', { name: 'Save the note' }).waitFor({ state: 'hidden' });
  const [last] = (await app.call('GET', `/v1/evaluations/${set.id}/runs`)).json.items;
  const { results: marked, summary } = (await app.call('GET', `/v1/evaluations/${set.id}/runs/${last.id}`)).json;
  const own = marked.find(({ name }: Json) => name === 'Do you wrap a gift?');
  assert.deepEqual([own.marks[0].note, own.passed, summary.disputed], ['Honest at least', false, 1]);
  await checkAccess();

  // The set becomes the gate: the rude draft is not published.
  const gate = page.getByRole('region', { name: 'Publish gate' });
  await gate.getByRole('button', { name: 'Use as publish gate' }).press('Enter');
  await dialog.getByRole('textbox').fill('90');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Set the gate' }).press('Enter');
  await gate.getByText(/published only when 90% of these cases pass/).waitFor();
  await page.goto(`/w/${workspace}/agents/${app.agent}/evaluations`);
  await page.getByRole('link', { name: 'Before we publish' }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Publish v2' }).press('Enter');
  await dialog.getByRole('button', { name: 'Publish v2' }).press('Enter');
  await dialog.getByText(/0% of its cases passed, 90% are needed/).waitFor();
  checkQuiet(/409/);
});

test('leads from each figure of the last 30 days to what it counts', { skip: withoutBrowser }, async () => {
  const app = await evaluatedApp();
  const [first = ''] = app.chats;
  const { ui_messages } = (await app.call('GET', `/v1/conversations/${first}`)).json;
  const answer = ui_messages.findLast(({ role }: Json) => role === 'assistant');
  const body = { rating: 'down', comment: 'It took nine days' };
  const given = await app.call('POST', `/v1/conversations/${first}/messages/${answer.id}/feedback`, body);
  assert.equal(given.status, 200, given.text);
  await app.call('POST', `/v1/conversations/${first}/feedback`, { score: 4 });
  const { json: failed } = await app.call('POST', `/v1/conversations?assistant_id=${app.agent}`, { name: 'Broken' });
  await app.call('POST', `/v1/conversations/${failed.id}`, { content: 'Will this fail?' });
  const librarian = { name: 'Librarian', definition: { model: ['atrium/extractive'] } };
  const { json: builtIn } = await app.call('POST', '/v1/agents', librarian);
  const { json: asked } = await app.call('POST', `/v1/conversations?assistant_id=${builtIn.id}`, { name: 'Birds' });
  await app.say(asked.id, 'Which bird stands in the river at night?');
  await lookNow(app);
  await addUp(app);
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');

  await page.goto(`/w/${workspace}/insights`);
  await page.getByRole('link', { name: 'Conversations: 5' }).waitFor();
  await page.getByRole('link', { name: /^Cost: \$0\.00\d/ }).waitFor();
  await page.getByRole('link', { name: /^First word, p95: \d/ }).waitFor();
  const chart = page.getByRole('region', { name: 'Conversations a day' });
  await chart
    .first()
    .getByRole('img', { name: /^Conversations from .* to .*: 5\. At most 5/ })
    .waitFor();
  const costs = page.getByRole('region', { name: 'Cost by model' });
  await costs.getByText('one', { exact: true }).waitFor();
  await costs.getByRole('heading', { name: 'Used without a cost' }).waitFor();
  await costs.getByText('extractive', { exact: true }).waitFor();
  await costs.getByText(/^[\d,]+ tokens$/).waitFor();
  await page.getByRole('link', { name: 'Searches without an answer: 1' }).waitFor();
  await page.getByRole('region', { name: 'Latest comments' }).getByText('It took nine days').waitFor();
  await page.getByRole('img', { name: /^First word, p95\. At most/ }).waitFor();
  await checkAccess();
  await chart.getByRole('radio', { name: 'Table' }).press('Space');
  await chart.getByRole('columnheader', { name: 'Support Desk' }).waitFor();
  await checkAccess();

  // Each figure leads down.
  const entries = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  await page.getByRole('link', { name: 'Conversations: 5' }).press('Enter');
  await page.getByText('5 entries', { exact: true }).waitFor();
  assert.equal(await entries.count(), 5);
  await checkAccess();
  await page.goBack();
  await page.getByRole('link', { name: 'Bad ratings: 1' }).press('Enter');
  await page.getByText('It took nine days').waitFor();
  await checkAccess();
  await page.getByRole('link', { name: 'Open chat' }).press('Enter');
  await page.waitForURL(`**/chat/${first}?message=${answer.id}`);
  await page.goto(`/w/${workspace}/insights?group=agent`);
  await page.getByRole('link', { name: 'Failed runs: 1' }).press('Enter');
  await page.getByRole('link', { name: 'Will this fail?' }).waitFor();
  await page.goBack();
  const groups = page.getByRole('region', { name: 'Figures by' });
  await groups.getByRole('link', { name: 'Support Desk' }).waitFor();
  await groups.getByRole('radio', { name: 'Channel' }).press('Space');
  await groups.getByRole('table').getByRole('row').nth(1).waitFor();
  await groups.getByRole('radio', { name: 'Topic' }).press('Space');
  const topic = groups.getByRole('table').getByRole('link').first();
  await topic.waitFor();
  const label = (await topic.textContent()) ?? '';
  await checkAccess();
  await topic.press('Enter');
  await page.getByText(`About ${label}`).waitFor();
  await entries.first().waitFor();

  // The agent's own tab has its satisfaction too.
  await page.goto(`/w/${workspace}/agents/${app.agent}/insights?days=7`);
  await page.getByRole('link', { name: 'Conversations: 4' }).waitFor();
  await until(
    async () => page.getByRole('region', { name: 'How people rate' }).count(),
    (count) => count === 1,
  );
  await checkAccess();
  checkQuiet();
});
