import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/test/support/two-nodes.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { makeRefundAgent, refundTool, waitForAnswer, waitForRefund, waitForStep } from './support/requests.ts';

test('works through everything that waits when only the keyboard is used', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(app);
  const first = await waitForRefund(app, agent, '1042');
  const second = await waitForRefund(app, agent, '1043');
  const question = await waitForAnswer(app, agent, 'May I give ten percent?');
  const run = await waitForStep(app, 'Publish 48 return labels?');
  const { page, workspace, person, checkAccess, checkQuiet } = await app.windowOf('Admin');

  await page.goto(`/w/${workspace}/inbox`);
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('button');
  await rows.nth(3).waitFor();
  assert.equal(await rows.count(), 4);
  await page
    .getByRole('link', { name: /Inbox.*4 waiting/ })
    .first()
    .waitFor();
  await checkAccess();

  // Nobody is named for any of them.
  await page.goto(`/w/${workspace}/inbox?named=me`);
  await page.getByText('Nothing waits for you').waitFor();
  await page.getByRole('combobox', { name: 'For whom' }).selectOption('All that I see');
  await rows.nth(3).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take it back' }).count(), 0, 'others asked');
  await page.goto(`/w/${workspace}/inbox`);
  await rows.nth(3).waitFor();

  // The newest comes first: the step of the workflow, then the question, then the two refunds.
  agent.server.reply({ text: 'Refunded.' }, { text: 'Not refunded.' }, { text: 'Ten percent it is.' });
  const card = page.locator('[data-request]');
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 2, name: 'Publish 48 return labels?' }).waitFor();
  await card.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('heading', { level: 2, name: 'May I give ten percent?' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 2, name: 'Use payments_refund?' }).waitFor();
  await card.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('a');
  await page.getByText('1042', { exact: true }).waitFor();
  await card.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('r');

  // What is left is the question: it takes words.
  await page.getByRole('textbox', { name: 'Your answer' }).waitFor();
  await card.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ten percent is fine.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for you').waitFor();

  const decided = await app.call('GET', '/v1/approvals?status=decided');
  const outcomes = decided.json.items.map(
    (one: {
      run_id: string;
      conversation_id: string;
      status: string;
      decided_by: string;
      decided_by_actor: { id: string };
    }) => [one.conversation_id ?? one.run_id, one.status, one.decided_by_actor.id],
  );
  assert.deepEqual(outcomes, [
    [run, 'approved', person.id],
    [question, 'answered', person.id],
    [second, 'approved', person.id],
    [first, 'rejected', person.id],
  ]);

  // An answer that still goes on would take the next reply of the model.
  for (const id of [first, second, question])
    await until('its answer is over', async () => (await app.stored(id)).status === 'completed');

  // A new one appears without a reload.
  await waitForRefund(app, agent, '1044');
  await rows.filter({ hasText: 'payments_refund' }).waitFor();
  checkQuiet();
});

test('says that somebody was faster when two windows answer', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(app);
  const id = await waitForRefund(app, agent, '1042');
  const { page, workspace, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/inbox`);
  const approve = page.getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  // The page hears nothing of the other answer before it sends its own.
  await page.context().route('**/v1/events*', (route) => route.abort());
  agent.server.reply({ text: 'Refunded.' });
  const { json: waiting } = await app.call('GET', `/v1/conversations/${id}/approvals`);
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/approvals/'),
    ),
    (async () => {
      await page.route('**/approvals/*', async (route) => {
        await app.call('POST', `/v1/conversations/${id}/approvals/${waiting.items[0].id}`, { decision: 'reject' });
        await route.continue();
      });
      await approve.press('Enter');
    })(),
  ]);
  assert.equal(answer.status(), 409);
  await page.getByText(/has answered this already/).waitFor();
  checkQuiet(/409/);
});
