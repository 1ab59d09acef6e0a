import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('shows both sides when two people change one agent, and overwrites nothing unseen', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const definition = { persona: 'You are the desk.', tone: 'Calm' };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  const draft = async () => (await app.call('GET', `/v1/agents/${agent.id}`)).json.draft_definition;
  const [mine, theirs] = [await app.windowOf('Editor'), await app.windowOf('Editor')];
  const address = `/w/${mine.workspace}/agents/${agent.id}/build`;
  const field = ({ page }: typeof mine, name: string) => page.getByRole('textbox', { name, exact: true });
  await mine.page.goto(address);
  await theirs.page.goto(address);
  await field(mine, 'Persona').waitFor();

  // A change of a colleague is seen while nothing waits here.
  await field(theirs, 'Tone').fill('Warm');
  await mine.page.getByRole('button', { name: '1 change', exact: true }).waitFor();
  assert.equal(await field(mine, 'Tone').inputValue(), 'Warm');

  // Both change the same text: the second save is held back.
  await mine.context.setOffline(true);
  await field(mine, 'Persona').fill('You are my desk.');
  await mine.page.getByText('Not saved yet. It is kept here and sent later.').waitFor();
  await field(theirs, 'Persona').fill('You are their desk.');
  await field(theirs, 'Tone').fill('Warm and short');
  await theirs.page.getByText(/^Draft saved/).waitFor();
  await mine.context.setOffline(false);
  const dialog = mine.page.getByRole('dialog', { name: 'Bo changed this agent too' });
  await dialog.getByRole('region', { name: 'Yours' }).getByText('You are my desk.').waitFor();
  await dialog.getByRole('region', { name: 'Theirs' }).getByText('You are their desk.').waitFor();
  await mine.checkAccess();
  assert.equal((await draft()).persona[0].text, 'You are their desk.', 'nothing was overwritten');
  await dialog.getByRole('button', { name: 'Keep mine' }).press('Enter');
  await mine.page.getByText(/^Draft saved/).waitFor();
  const kept = await draft();
  assert.deepEqual([kept.persona[0].text, kept.tone[0].text], ['You are my desk.', 'Warm and short']);

  // What was typed survives a reload before the server has it; then theirs are taken.
  await mine.context.setOffline(true);
  await field(mine, 'Persona').fill('You are nobody’s desk.');
  await mine.page.getByText('Not saved yet. It is kept here and sent later.').waitFor();
  await field(theirs, 'Persona').fill('You are the last desk.');
  await theirs.page.getByText(/^Draft saved/).waitFor();
  await mine.context.setOffline(false);
  await mine.page.reload();
  await dialog.getByRole('region', { name: 'Yours' }).getByText('You are nobody’s desk.').waitFor();
  await dialog.getByRole('button', { name: 'Take theirs' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await field(mine, 'Persona').inputValue(), 'You are the last desk.');
  mine.checkQuiet(/status of 409|ERR_INTERNET_DISCONNECTED/);
  theirs.checkQuiet();
});
