import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('answers in place of the agent and gives the chat back', { skip: withoutBrowser }, async () => {
  const app = await chatApp();
  const agent = await app.makeAgent('Careful Desk', {
    ...{ crime: 'High', guardrail_action: 'human', guardrail_action_human: 'Call them back' },
  });
  // The guardrail objects to one word; every other question to the model is one of the agent.
  const isVerdict = (body: { response_format?: unknown }) => body.response_format !== undefined;
  app.model.answers = (body) => {
    if (!isVerdict(body)) return undefined;
    const severity = JSON.stringify(body.messages).includes('burn it down') ? 'severe' : 'none';
    return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'A threat' }) };
  };
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'A complaint' });
  assert.equal((await app.say(chat.id, 'I will burn it down')).status, 'awaiting_human_feedback');
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');

  await page.goto(`/w/${workspace}/inbox`);
  await page.getByRole('link', { name: /A complaint/ }).press('Enter');
  const panel = page.getByRole('region', { name: 'A person answers' });
  await panel.getByText('This chat waits for a person').waitFor();
  await page.getByText('Call them back').waitFor();
  await checkAccess();
  await panel.getByRole('textbox', { name: 'Your reply' }).fill('I am sorry. I look into it myself.');
  await panel.getByRole('button', { name: 'Reply as a person' }).press('Enter');

  const mine = page.getByRole('article', { name: 'Bo, in place of the agent' });
  await mine.getByText('I am sorry. I look into it myself.').waitFor();
  await panel.getByText('The next message comes to a person.').waitFor();

  // What is written next comes to the person too.
  await page.getByRole('textbox', { name: 'Message' }).fill('Thank you, any news?');
  await page.keyboard.press('Enter');
  await panel.getByText('The last message waits for your reply.').waitFor();
  await panel.getByRole('textbox', { name: 'Your reply' }).fill('It is solved.');
  await panel.getByRole('button', { name: 'Reply as a person' }).press('Enter');
  await mine.getByText('It is solved.').waitFor();
  assert.ok(
    app.model.requests.every(({ body }) => isVerdict(body as object)),
    'the agent said nothing',
  );

  await panel.getByRole('button', { name: 'Give it back to the agent' }).press('Enter');
  await panel.waitFor({ state: 'detached' });
  app.model.reply({ text: 'The agent is back.' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello?');
  await page.keyboard.press('Enter');
  await page.getByText('The agent is back.', { exact: true }).waitFor();
  await checkAccess();
  checkQuiet();
});
