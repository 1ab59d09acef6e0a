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

test('keeps what was written without a network and sends it once, in order, when there is one again', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  app.model.answers = ({ messages }: { messages: { content: unknown }[] }) => ({
    text: `Heard ${JSON.stringify(messages.at(-1)?.content)}.`,
  });
  const { page, context, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${app.agentId}`, {});
  const address = `/w/${workspace}/chat/${json.id}`;
  const partsOf = (on: typeof page) => ({
    composer: on.getByRole('textbox', { name: 'Message' }),
    thread: on.getByRole('log'),
    outbox: on.getByRole('list', { name: 'Waiting to be sent' }).getByRole('listitem'),
  });
  const said = async () => {
    const { items } = (await app.call('GET', `/v1/conversations/${json.id}/messages?order=oldest`)).json;
    const mine = (items as { message_parts: { type: string; content: string }[] }[]).flatMap(
      ({ message_parts: [part] }) => (part?.type === 'user' ? part.content : []),
    );
    return mine;
  };
  await page.goto(address);
  const { composer, thread, outbox } = partsOf(page);
  const write = async (words: string) => {
    await composer.fill(words);
    await composer.press('Enter');
  };
  await write('Zero');
  await thread.getByText('Heard "Zero".').waitFor();

  // Without a network nothing is tried: it waits, in the order in which it was written, and can be taken back.
  await context.setOffline(true);
  for (const words of ['One', 'Never mind', 'Two']) await write(words);
  await outbox.nth(2).waitFor();
  await page.getByText('It is sent once there is one again.').waitFor();
  await outbox.nth(1).getByRole('button', { name: 'Take it back' }).press('Enter');
  assert.equal(await composer.inputValue(), 'Never mind');
  await composer.fill('');
  assert.deepEqual(await outbox.allInnerTexts(), ['Waiting to be sent: One', 'Waiting to be sent: Two']);
  await checkAccess();
  assert.deepEqual(await said(), ['Zero']);

  // It survives that the page is closed, and is sent once there is a network.
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  again.setDefaultTimeout(15_000);
  await again.goto(address);
  const now = partsOf(again);
  await now.thread.getByText('Heard "Two".').waitFor();
  await now.outbox.first().waitFor({ state: 'detached' });
  assert.deepEqual(await said(), ['Zero', 'One', 'Two']);

  // The server has taken a message, but its answer was lost with the network: it is not there twice.
  let lost = 0;
  await context.route('**/stream*', async (route) => {
    if (lost++ === 0) await route.fetch().catch(() => {});
    await route.abort('internetdisconnected');
  });
  await now.composer.fill('Three');
  await now.composer.press('Enter');
  while (lost === 0) await again.waitForTimeout(20);
  await context.setOffline(true);
  await now.outbox.filter({ hasText: 'Three' }).waitFor();
  await now.composer.fill('Four');
  await now.composer.press('Enter');
  await now.outbox.nth(1).waitFor();
  assert.equal(await now.outbox.count(), 2);
  await context.unroute('**/stream*');
  await context.setOffline(false);
  await now.thread.getByText('Heard "Four".').waitFor();
  assert.deepEqual(await said(), ['Zero', 'One', 'Two', 'Three', 'Four']);
  for (const words of ['Heard "Three".', 'Three', 'Four'])
    assert.equal(await now.thread.getByText(words, { exact: true }).count(), 1, words);

  // What waits in a chat that is not open any more is sent, too.
  await context.setOffline(true);
  for (const words of ['Five', 'Six']) {
    await now.composer.fill(words);
    await now.composer.press('Enter');
  }
  await now.outbox.nth(1).waitFor();
  await again.keyboard.press('Control+Shift+O');
  await now.thread.waitFor({ state: 'detached' });
  await context.setOffline(false);
  const all = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  for (let tries = 0; tries < 300 && (await said()).length < all.length; tries++) await again.waitForTimeout(50);
  assert.deepEqual(await said(), all);
  await again.goto(address);
  await now.thread.getByText('Heard "Six".').waitFor();
  assert.equal(await now.outbox.count(), 0);
  assert.deepEqual(await said(), all);
  checkQuiet(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
});

test('says how many messages a chat still takes, and how to go on when it is full', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  app.model.answers = () => ({ text: 'Leave is counted in weeks.' });
  const agent = await app.makeAgent('Short Desk', { usage_limits_max_messages: 14 });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, {});
  const path = `/v1/conversations/${json.id}`;
  const composer = page.getByRole('textbox', { name: 'Message' });
  const note = page.getByText(/You can send \d+ more/);
  const count = async () => (await app.call('GET', `${path}?messages=0`)).json.message_count as number;
  const ask = async (left: number) => {
    await composer.fill('How is leave counted?');
    await composer.press('Enter');
    await page.getByText(`You can send ${left} more ${left === 1 ? 'message' : 'messages'} in this chat.`).waitFor();
  };

  // Nothing is said while there is room enough; then the person's own messages are counted.
  await app.call('POST', path, { content: 'How is leave counted?' });
  await page.goto(`/w/${workspace}/chat/${json.id}`);
  await page.getByRole('log').getByText('Leave is counted in weeks.').waitFor();
  assert.equal(await note.count(), 0);
  await ask(5);
  assert.equal(await count(), 4);
  await checkAccess();
  for (const left of [4, 3, 2, 1]) await ask(left);
  await page.reload();
  await page.getByText('You can send 1 more message in this chat.').waitFor();

  // At the limit the way on is there at once, before a message is refused.
  await composer.fill('And now?');
  await composer.press('Enter');
  const full = page.getByRole('region', { name: 'This chat is full' });
  await full.getByText('14 messages').waitFor();
  await full.getByRole('button', { name: 'New chat with a summary of this one' }).waitFor();
  assert.equal(await full.getByText('Your message was not sent').count(), 0);
  assert.deepEqual([await count(), await note.count()], [14, 0]);
  await checkAccess();
  checkQuiet();
});

test('says that a budget is used up and gives the message back, also after a reload', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  app.model.answers = () => ({ text: 'Leave is counted in weeks.', usage: { input: 200_000, output: 5 } });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const budget = { name: 'Team', group_id: workspace, period: 'month', max_tokens: 100_000 };
  const made = await app.call('POST', '/v1/admin/budgets', budget);
  assert.equal(made.status, 200, made.text);
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${app.agentId}`, {});
  await page.goto(`/w/${workspace}/chat/${json.id}`);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('How is leave counted?');
  await composer.press('Enter');
  await page.getByRole('log').getByText('Leave is counted in weeks.').waitFor();
  await composer.fill('And for interns?');
  await composer.press('Enter');
  const card = page.getByRole('region', { name: 'The budget is used up' });
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await card.getByText('Your message was not sent; it is below.').waitFor();
    assert.equal(await composer.inputValue(), 'And for interns?');
  }
  await checkAccess();
  await card.getByRole('button', { name: 'Hide this' }).press('Enter');
  await card.waitFor({ state: 'detached' });
  assert.equal(await composer.inputValue(), 'And for interns?');
  checkQuiet(/409/);
});
