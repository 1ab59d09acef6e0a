import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('asks another model for one answer, and offers those that the person may choose', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  app.model.answers = ({ model, messages }: { model: string; messages: { content: unknown }[] }) => {
    const last = JSON.stringify(messages.at(-1)?.content);
    if (last.includes('Break off') && model === 'one')
      return { text: 'Three invoices are late, and two', deltas: 8, drop_after: 6 };
    return { text: `Said by ${model}.` };
  };
  const [one] = app.definition.model as [string];
  const two = one.replace(/one$/, 'two');
  await app.makeAgent('Two Desk', { model: [one, two] });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const composer = page.getByRole('textbox', { name: 'Message' });
  const thread = page.getByRole('log');
  const other = { name: 'Answer with another model' };

  // A failed answer offers it, with the models that the person may choose; the answer is on a branch of its own.
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${app.agentId}`, {});
  await page.goto(`/w/${workspace}/chat/${json.id}`);
  await composer.fill('Break off');
  await composer.press('Enter');
  const fault = thread.getByRole('alert').filter({ hasText: 'The answer broke off' });
  await fault.getByRole('button', other).waitFor();
  await checkAccess();
  await fault.getByRole('button', other).press('Enter');
  await page.getByRole('menuitem', { name: two }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: one }).count(), 0, 'the model that failed is not offered');
  await page.getByRole('menuitem', { name: 'Built-in answers, without a model' }).waitFor();
  await page.getByRole('menuitem', { name: two }).press('Enter');
  await thread.getByText('Said by two.').waitFor();
  await thread.getByText('2 of 2').waitFor();
  await fault.waitFor({ state: 'detached' });

  // The next answer is again of the agent's own model.
  await composer.fill('And now?');
  await composer.press('Enter');
  await thread.getByText('Said by one.').waitFor();

  // A good answer has it among its actions; focus and keys are enough.
  const last = thread.getByRole('article', { name: 'Support Desk' }).last();
  await last.getByRole('button', other).press('Enter');
  await page.getByRole('menuitem', { name: two }).press('Enter');
  await thread.getByText('Said by one.').waitFor({ state: 'detached' });
  await thread.getByText('Said by two.').nth(1).waitFor();
  await checkAccess();
  checkQuiet();

  // Who may not edit agents chooses among the models of the agent, and has no choice where it has one.
  const reader = await app.windowOf('Reader');
  const words = reader.page.getByRole('log');
  const ask = async (agent: RegExp) => {
    await reader.page.goto(`/w/${workspace}/chat`);
    await reader.page.getByRole('button', { name: agent }).first().click();
    const field = reader.page.getByRole('textbox', { name: 'Message' });
    await field.fill('Hello');
    await field.press('Enter');
    await words.getByText('Said by one.').waitFor();
  };
  await ask(/Two Desk/);
  await words.getByRole('button', other).press('Enter');
  await reader.page.getByRole('menuitem').first().waitFor();
  assert.deepEqual(await reader.page.getByRole('menuitem').allInnerTexts(), [two]);
  await reader.page.getByRole('menuitem', { name: two }).press('Enter');
  await words.getByText('Said by two.').waitFor();
  await ask(/Support Desk/);
  await words.getByRole('button', { name: 'Answer again' }).waitFor();
  await reader.checkAccess();
  assert.equal(await words.getByRole('button', other).count(), 0);
  reader.checkQuiet();
});
