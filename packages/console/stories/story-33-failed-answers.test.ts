import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('keeps words when an answer breaks off, a chat is full or a message does not arrive', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const hold = Promise.withResolvers<void>();
  const summary = '- Two questions on leave';
  app.model.answers = ({ messages }: { messages: { role: string; content: unknown }[] }) => {
    const last = JSON.stringify(messages.at(-1)?.content);
    if (last.includes('Break off'))
      return { text: 'Three invoices are late, and two of them', deltas: 8, drop_after: 6 };
    if (last.includes('Write slowly'))
      return { text: 'The first and more..', deltas: 2, held: { before: 'and more', until: hold.promise } };
    if (last.includes('User:')) return { text: summary };
    return { text: 'Leave is counted in weeks.' };
  };
  const tight = await app.makeAgent('Short Desk', { usage_limits_max_messages: 2 });
  const poor = await app.makeAgent('Poor Desk', { usage_limits_maximum_tokens: 1000, max_tokens: 10 });
  const { page, workspace, context, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const composer = page.getByRole('textbox', { name: 'Message' });
  const thread = page.getByRole('log');
  const begin = async (agent: string, words: string) => {
    const { json } = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, {});
    await page.goto(`/w/${workspace}/chat/${json.id}`);
    await composer.fill(words);
    await composer.press('Enter');
  };

  // A stream that breaks: its words stay, with what went wrong below, also after a reload.
  await begin(app.agentId, 'Break off');
  const fault = thread.getByRole('alert').filter({ hasText: 'The answer broke off' });
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await fault.waitFor();
    await thread.getByText('Three invoices are late').waitFor();
    await fault.getByRole('button', { name: 'Go on from here' }).waitFor();
  }
  await checkAccess();

  // Stop stays while something is typed, and Escape gives the focus back.
  await composer.fill('Write slowly');
  await composer.press('Enter');
  await thread.getByText('The first').waitFor();
  await composer.fill('And then?');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await composer.fill('');
  hold.resolve();
  await thread.getByText('The first and more').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  await composer.press('ArrowUp');
  await page.getByRole('textbox', { name: 'Edit your message' }).press('Escape');
  await composer.and(page.locator(':focus')).waitFor();
  const pencil = thread.getByRole('button', { name: 'Edit', exact: true }).last();
  await pencil.press('Enter');
  await page.getByRole('textbox', { name: 'Edit your message' }).press('Escape');
  await pencil.and(page.locator(':focus')).waitFor();

  // A message that did not arrive stays over a reload, and goes back into the composer.
  await context.route('**/stream*', (route) => route.abort());
  await composer.fill('Lost on the way');
  await composer.press('Enter');
  await thread.getByText('Lost on the way').waitFor();
  await page.reload();
  await thread.getByText('Not sent').waitFor();
  await thread.getByText('Lost on the way').waitFor();
  await checkAccess();
  await thread.getByRole('group').or(thread).getByRole('button', { name: 'Edit', exact: true }).last().press('Enter');
  assert.equal(await composer.inputValue(), 'Lost on the way');
  assert.equal(await thread.getByText('Lost on the way').count(), 0);
  await composer.fill('');
  await context.unroute('**/stream*');

  // An answer that was refused before a model was asked says why after a reload, too.
  await begin(poor, 'word '.repeat(900));
  const used = thread.getByRole('alert').filter({ hasText: 'usage_limits_maximum_tokens' });
  const refused = page.getByRole('region', { name: 'This chat is full' });
  await used.or(refused).first().waitFor();
  await page.reload();
  await used.or(refused).first().waitFor();

  // A chat that is full says so, keeps the words, and goes on in a new one.
  await begin(tight, 'How is leave counted?');
  await thread.getByText('Leave is counted in weeks.').waitFor();
  await composer.fill('And for interns?');
  await composer.press('Enter');
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await refused.getByText('2 messages').waitFor();
    await refused.getByText('Everything stays here.').waitFor();
    assert.equal(await composer.inputValue(), 'And for interns?');
  }
  await checkAccess();
  await refused.getByRole('button', { name: 'New chat with a summary of this one' }).press('Enter');
  const field = refused.getByRole('textbox', { name: 'The new chat begins with this' });
  await field.waitFor();
  assert.equal(await field.inputValue(), summary);
  await checkAccess();
  await field.fill(`${summary}, one of them answered`);
  const before = page.url();
  await refused.getByRole('button', { name: 'Begin the new chat' }).press('Enter');
  await thread.getByText('Two questions on leave, one of them answered').waitFor();
  assert.notEqual(page.url(), before);
  assert.equal(await composer.inputValue(), 'And for interns?');
  await composer.press('Enter');
  await thread.getByText('Leave is counted in weeks.').waitFor();
  await checkAccess();
  checkQuiet(/409|ERR_FAILED/);
});
