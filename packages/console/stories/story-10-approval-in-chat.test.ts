import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as as inSession } from '../../server/src/features/people/testing.ts';
import { openWindow, withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { makeRefundAgent, refundTool, waitForAnswer, waitForRefund } from './support/requests.ts';

test('goes on in the same place when a call is approved in the chat', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(app);
  const id = await waitForRefund(app, agent, '1042');
  const { page, workspace, person, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const second = await openWindow(app.address, person.cookie);

  await page.goto(`/w/${workspace}/chat/${id}`);
  const card = page.getByRole('region', { name: 'Request: Use payments_refund?' });
  await card.getByText('€184.00').waitFor();
  const work = page.getByRole('article', { name: 'Support Desk' }).getByRole('button', { expanded: false }).first();
  await work.getByText('Waits for a person').waitFor();
  await card.getByText('This agent asks before every use of the tool.').waitFor();
  assert.equal(await card.locator(':focus').count(), 0, 'nothing in the card has the focus by itself');
  await checkAccess();

  // The second window shows the card, and hears nothing of the answer.
  await second.context.route('**/v1/events*', (route) => route.abort());
  await second.page.goto(`/w/${workspace}/chat/${id}`);
  const late = second.page.getByRole('button', { name: 'Approve' });
  await late.waitFor();

  agent.server.reply({ text: 'The refund of €184.00 is sent.' });
  await card.getByRole('button', { name: 'Add a note' }).press('Enter');
  await card.getByRole('textbox', { name: 'Note' }).fill('Fine with me');
  await card.getByRole('button', { name: 'Approve' }).press('Enter');
  await card.getByText('Approved by Bo').waitFor();
  await card.getByText('Fine with me').waitFor();
  const answers = page.getByRole('article', { name: 'Support Desk' });
  await answers.getByText('The refund of €184.00 is sent.').waitFor();
  assert.equal(await answers.count(), 1, 'the answer went on in its place');
  await checkAccess();

  await late.press('Enter');
  await second.page.getByText('Bo has answered this already').waitFor();
  await second.page.getByText('Approved by Bo').waitFor();

  // A question of the agent is answered in words.
  const asked = await waitForAnswer(app, agent, 'May I give ten percent?');
  agent.server.reply({ text: 'Ten percent it is.' });
  await page.goto(`/w/${workspace}/chat/${asked}`);
  const question = page.getByRole('region', { name: 'Request: May I give ten percent?' });
  await question.getByRole('textbox', { name: 'Your answer' }).fill('Ten percent is fine.');
  await question.getByRole('button', { name: 'Answer' }).press('Enter');
  await answers.getByText('Ten percent it is.').waitFor();
  await question.getByText('Answered by Bo').waitFor();
  await checkAccess();
  checkQuiet();
  second.checkQuiet(/409|ERR_FAILED/);
});

test('says whom a call with four eyes waits for, to who asked and to who decides', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(app, { four_eyes: true });
  const asker = await app.windowOf('Reader');
  const id = await waitForRefund(app, agent, '1042', inSession(asker.person.cookie, { origin: app.address }));
  const decider = await app.windowOf('Admin');

  const { page, workspace } = asker;
  await page.goto(`/w/${workspace}/chat/${id}`);
  const card = page.getByRole('region', { name: 'Request: Use payments_refund?' });
  await card.getByText(/^You asked for this yourself\. Somebody else has to agree: /).waitFor();
  assert.equal(await page.getByText('Waiting for your approval').count(), 0);
  await card.getByRole('button', { name: 'Approve' }).and(page.locator('[aria-disabled=true], :disabled')).waitFor();
  await asker.checkAccess();

  await decider.page.goto(`/w/${workspace}/inbox`);
  const row = decider.page.getByRole('region', { name: 'Requests' }).getByRole('button');
  await row.getByText('Support Desk, for Bo').waitFor();
  await row.getByText('Waiting for you').waitFor();
  const asked = decider.page.getByRole('region', { name: 'Request: Use payments_refund?' });
  await asked.getByText('Whoever caused it may not decide.').waitFor();
  await asked.getByText('Asked by').waitFor();
  await decider.checkAccess();
  agent.server.reply({ text: 'The refund is sent.' });
  await asked.getByRole('button', { name: 'Approve' }).press('Enter');
  await page.getByText(/^Approved by /).waitFor();
  asker.checkQuiet();
  decider.checkQuiet();
});
