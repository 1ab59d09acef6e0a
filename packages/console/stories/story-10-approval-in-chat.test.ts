import assert from 'node:assert/strict';
import { test } from 'node:test';
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
