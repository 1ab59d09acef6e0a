import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('previews a changed draft, publishes it with a note, and goes back in two clicks', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { server, name: model } = await app.provider();
  server.answers = () => ({ text: 'The full price comes back.' });
  const definition = { model: [`${model}/one`], persona: 'You are the old desk.' };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  const { page, checkAccess, checkQuiet, workspace } = await app.windowOf('Editor');
  const asked = () => JSON.stringify(server.last().body);
  const askInChat = async () => {
    const made = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'chat' });
    await app.say(made.json.id);
    return asked();
  };

  await page.goto(`/w/${workspace}/agents`);
  await page.getByRole('link', { name: 'Support Desk' }).press('Enter');
  const persona = page.getByRole('textbox', { name: 'Persona' });
  await persona.fill('You are the new desk.');
  await page.getByRole('switch', { name: 'To-dos' }).press('Space');
  await page.getByRole('switch', { name: 'Memory', exact: true }).focus();
  await page.keyboard.press('Space');
  const changes = page.getByRole('button', { name: /^\d+ changes?$/ });
  await page.getByRole('button', { name: '3 changes', exact: true }).waitFor();

  // The last change is undone and done again by the keyboard.
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: '2 changes', exact: true }).waitFor();
  await page.keyboard.press('Control+Shift+z');
  await page.getByRole('button', { name: '3 changes', exact: true }).waitFor();
  await page.getByText(/^Draft saved/).waitFor();

  await page.getByPlaceholder('Ask the draft something').fill('My kettle came broken.');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('The full price comes back.').waitFor();
  assert.match(asked(), /You are the new desk/);
  assert.match(await askInChat(), /You are the old desk/);
  await checkAccess();

  await changes.press('Enter');
  const dialog = page.getByRole('dialog', { name: '3 changes since v1' });
  assert.equal((await dialog.locator('ins').filter({ hasText: 'new' }).innerText()).trim(), 'new');
  assert.equal((await dialog.locator('del').filter({ hasText: 'old' }).innerText()).trim(), 'old');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Knows the new rules.');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Publish v2' }).press('Enter');
  await page.getByText('Live · v2').waitFor();
  await page.getByRole('button', { name: 'No changes' }).waitFor();
  assert.match(await askInChat(), /You are the new desk/);

  await page.getByRole('link', { name: 'Versions' }).press('Enter');
  await page.getByText('Knows the new rules.').waitFor();
  await page.getByRole('button', { name: 'Compare v2 with what is live' }).press('Enter');
  await page.getByRole('heading', { name: '3 settings differ' }).waitFor();
  assert.match(page.url(), /from=.+&to=/);
  await checkAccess();
  await page.getByRole('button', { name: 'Go back to v1' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to v1' }).press('Enter');
  await page.getByText('Live · v1').waitFor();
  assert.match(await askInChat(), /You are the old desk/);
  checkQuiet();
});

test('names the records that a draft adds when it is published', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const { call } = app;
  const { json: base } = await call('POST', '/v1/knowledge-bases', { name: 'Handbook' });
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Support Desk' });
  const draft = { definition: { knowledge_bases: [{ id: base.id }] } };
  const changed = await call('PATCH', `/v1/agents/${agent.id}?preview=true`, draft);
  assert.equal(changed.status, 200, changed.text);
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Editor');
  await page.goto(`/w/${workspace}/agents/${agent.id}/build`);
  await page.getByRole('button', { name: '1 change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('ins', { hasText: 'Handbook' }).waitFor();
  assert.ok(!(await dialog.innerText()).includes(base.id), 'no id is shown');
  await checkAccess();
  checkQuiet();
});
