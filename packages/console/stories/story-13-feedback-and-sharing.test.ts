import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('marks an answer, takes it back, and shares the chat with a guest', { skip: withoutBrowser }, async () => {
  const app = await chatApp({ text: 'It leaves on Tuesday.' });
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${app.agentId}`, { name: 'Delivery' });
  await app.say(chat.id, 'When does it leave?');
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const feedback = async () => (await app.call('GET', `/v1/conversations/${chat.id}/feedback`)).json.items;

  await page.goto(`/w/${workspace}/chat/${chat.id}`);
  const bad = page.getByRole('button', { name: 'Bad answer' });
  await bad.press('Enter');
  await page.getByRole('textbox', { name: 'What was wrong?' }).fill('It left on Monday.');
  await page.keyboard.press('Escape');
  await bad.or(page.getByRole('button', { name: 'Bad answer', pressed: true })).press('Enter');
  assert.equal(await page.getByRole('textbox', { name: 'What was wrong?' }).inputValue(), 'It left on Monday.');
  await checkAccess();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).press('Enter');
  await page.getByText('Thank you. It is noted.').waitFor();
  const given = await feedback();
  assert.deepEqual([given[0].rating, given[0].comment], ['down', 'It left on Monday.']);

  await page.reload();
  await page.getByRole('button', { name: 'Bad answer', pressed: true }).press('Enter');
  assert.equal(await page.getByRole('textbox', { name: 'What was wrong?' }).inputValue(), 'It left on Monday.');
  await page.getByRole('button', { name: 'Take it back' }).press('Enter');
  await page.getByText('Your feedback is taken back.').waitFor();
  assert.deepEqual(await feedback(), []);

  await page.getByRole('button', { name: 'Share' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share “Delivery”' });
  await dialog.getByText('Everybody you share it with can read all of its answers.').waitFor();

  // With a colleague, who finds it; then with nobody again.
  const colleague = await app.windowOf('Reader');
  await app.call('PATCH', `/v1/admin/users/${colleague.person.id}`, { name: 'Ines Vidal' });
  await dialog.getByRole('combobox', { name: 'Find a person, group or role' }).fill('Ines');
  await dialog.getByRole('option', { name: 'Ines Vidal' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('What they may do').selectOption('May go on');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Share', exact: true }).press('Enter');
  await dialog.getByText('Shared with Ines Vidal.').waitFor();
  const grant = (await app.call('GET', `/v1/conversations/${chat.id}/shares`)).json.items[0];
  assert.deepEqual([grant.grantee_id, grant.access], [colleague.person.id, 'write']);
  await colleague.page.goto(`/w/${workspace}/chat/${chat.id}`);
  await colleague.page.getByText('It leaves on Tuesday.').waitFor();
  await dialog.getByRole('button', { name: 'Remove Ines Vidal' }).press('Enter');
  await dialog.getByText('Ines Vidal can no longer open it.').waitFor();
  assert.deepEqual((await app.call('GET', `/v1/conversations/${chat.id}/shares`)).json.items, []);

  // A link is for reading only and ends in 30 days, unless its maker says otherwise; the words say the same.
  await dialog.getByText(/^Who has the link can read the whole chat and write nothing, until the end of /).waitFor();
  await dialog.getByRole('button', { name: 'Make a link' }).press('Enter');
  const address = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await checkAccess();

  const { json: linked } = await app.call('GET', `/v1/conversations/${chat.id}`);
  assert.equal(linked.public_access_read_only, true);
  const days = (Date.parse(linked.public_access_expires_at) - Date.parse(chat.created_at)) / 86_400_000;
  assert.ok(days > 29 && days < 32, `it ends after ${days} days`);

  const guest = await app.stranger();
  await guest.page.goto(address);
  await guest.page.getByText('It leaves on Tuesday.').waitFor();
  assert.equal(await guest.page.getByRole('navigation').count(), 0, 'there is no shell');
  await guest.checkAccess();
  await guest.page.getByText('This link is for reading only.').waitFor();
  await dialog.getByRole('switch', { name: 'For reading only' }).press('Space');
  await dialog.getByText(/^Who has the link can read the whole chat and go on with it/).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('The link is changed.').waitFor();
  app.model.reply({ text: 'At noon.' });
  await guest.page.getByRole('textbox', { name: 'Message' }).fill('At what time?');
  await guest.page.keyboard.press('Enter');
  await guest.page.getByText('At noon.', { exact: true }).waitFor();

  // The link becomes one for reading only, with an end; then it ends at once.
  await dialog.getByRole('switch', { name: 'For reading only' }).press('Space');
  await dialog.getByLabel('Ends').fill('2099-01-01');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await guest.page.getByText('This link is for reading only.').waitFor();
  const { json: shared } = await app.call('GET', `/v1/conversations/${chat.id}`);
  assert.match(shared.public_access_expires_at, /^2099-01-01/);
  await dialog.getByRole('button', { name: 'End the link' }).press('Enter');
  await page.getByText('The link is ended. It opens nothing any more.').waitFor();
  await guest.page.getByText('There is no chat here').waitFor();
  await guest.checkAccess();
  guest.checkQuiet(/404/);
  checkQuiet();
});
