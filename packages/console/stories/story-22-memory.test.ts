import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

test('corrects one memory and erases all about one person when asked in the tab', {
  skip: withoutBrowser,
}, async () => {
  const app = await chatApp();
  const agent = await app.makeAgent('Concierge', { base_tools: [{ type: 'agent_memory', enabled: true }] });
  const { page, person, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const memories = `/v1/agents/${agent}/memories`;
  const textsNow = async () =>
    (await app.call('GET', memories)).json.items.map(({ text }: { text: string }) => text) as string[];

  /** A chat in which the agent stores these, of a person or of a program. */
  async function remember(texts: string[], cookie?: string) {
    const as = cookie ? { key: null, headers: { cookie, origin: app.address, 'x-group-id': workspace } } : {};
    const made = await app.call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'Chat' }, as);
    assert.equal(made.status, 200, made.text);
    const calls = texts.map((text, at) => ({ id: `c${at}`, name: 'agent_memory_remember', input: { text } }));
    app.model.reply({ tool_calls: calls }, { text: 'Noted.' });
    const said = await app.call('POST', `/v1/conversations/${made.json.id}/stream`, { content: 'Hello' }, as);
    assert.equal(said.status, 200, said.text);
    return made.json.id as string;
  }
  const other = await app.people.aMember('Editor');
  await app.call('PATCH', `/v1/admin/users/${other.id}`, { name: 'Ines' });
  const chat = await remember(['Prefers mornings', 'Is allergic to <b>nuts</b>'], person.cookie);
  await remember(['Likes the quiet rooms'], other.cookie);
  await remember(['The pool opens at nine']);
  assert.equal((await textsNow()).length, 4);

  await page.goto(`/w/${workspace}/agents/${agent}/memory`);
  const list = page.getByRole('list', { name: 'What the agent remembers' });
  const rows = list.getByRole('listitem');
  await rows.nth(3).waitFor();
  const mornings = rows.filter({ hasText: 'Prefers mornings' });
  await mornings.getByText(/^From Bo, /).waitFor();
  const origin = mornings.getByRole('link', { name: 'Open the chat it comes from' });
  assert.equal(await origin.getAttribute('href'), `/w/${workspace}/chat/${chat}`);
  await rows.filter({ hasText: '<b>nuts</b>' }).waitFor();
  await rows.filter({ hasText: 'The pool opens' }).getByText('About everyone').waitFor();
  await rows.filter({ hasText: 'quiet rooms' }).getByText('About Ines').waitFor();
  await checkAccess();

  await page.getByRole('searchbox', { name: 'Find in the memory' }).fill('pool');
  await page.getByText('1 entry', { exact: true }).waitFor();
  assert.equal(await rows.count(), 1);
  await page.getByRole('searchbox', { name: 'Find in the memory' }).fill('');
  await rows.nth(3).waitFor();

  // Somebody else corrects the same entry first: both texts are shown, and the choice is the person's.
  await mornings.getByRole('button', { name: 'Correct “Prefers mornings”' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const [entry] = (await app.call('GET', `${memories}?search=mornings`)).json.items;
  await app.call('PATCH', `${memories}/${entry.id}`, { text: 'Prefers noon' });
  await dialog.getByRole('textbox').fill('Prefers evenings');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await dialog.getByText('Somebody changed this entry meanwhile').waitFor();
  await dialog.getByText('Prefers noon').waitFor();
  assert.ok((await textsNow()).includes('Prefers noon'), 'nothing is overwritten unseen');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Save mine instead' }).press('Enter');
  await rows.filter({ hasText: 'Prefers evenings' }).waitFor();
  await dialog.waitFor({ state: 'hidden' });

  await rows
    .filter({ hasText: 'The pool' })
    .getByRole('button', { name: /^Delete/ })
    .press('Enter');
  await dialog.getByText('The pool opens at nine').waitFor();
  await dialog.getByRole('button', { name: 'Delete entry' }).press('Enter');
  await page.getByText('3 entries', { exact: true }).waitFor();
  await rows.and(page.locator(':focus')).waitFor();

  await rows.filter({ hasText: 'Prefers evenings' }).getByRole('button', { name: 'About Bo' }).press('Enter');
  await page.getByRole('button', { name: 'Erase all about Bo' }).press('Enter');
  await dialog.getByText('2 entries go for good').waitFor();
  await dialog.getByText('Prefers evenings').waitFor();
  await dialog.getByText('Is allergic to <b>nuts</b>').waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Erase all about Bo' }).press('Enter');
  await page.getByText('1 entry', { exact: true }).waitFor();
  assert.deepEqual(await textsNow(), ['Likes the quiet rooms']);
  checkQuiet(/409/);
});
