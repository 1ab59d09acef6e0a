import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as } from '../../server/src/features/people/testing.ts';
import { aNode, anEdge, watchedNodes } from '../../server/src/features/workflows/testing.ts';
import { openWindow, withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { consoleApp } from './support/console-app.ts';

test('limits a key that sees everybody’s records, with one press and a question', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const path = `/v1/admin/groups/${app.people.home}/api-keys`;
  const { json: key } = await app.call('POST', path, { name: 'old', permissions: ['agents_run'], reach: 'workspace' });
  const { page, workspace, person, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/admin/keys`);
  const row = page.getByRole('row', { name: /^old/ });
  await row.getByText('Sees everybody’s records').waitFor();
  await checkAccess();
  await row.getByRole('button', { name: 'Limit to its own: old' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Limit the key old to its own records?' });
  await checkAccess();
  await dialog.getByRole('button', { name: 'Limit key' }).press('Enter');
  await page.getByText('The key sees only its own records now.').waitFor();
  await row.getByText('Sees everybody’s records').waitFor({ state: 'detached' });
  const { json: keys } = await app.call('GET', path);
  assert.equal(keys.find(({ id }: { id: string }) => id === key.id).reach, 'own');
  // Another role ends the sessions of a person.
  checkQuiet();

  await app.call('PATCH', `/v1/admin/users/${person.id}`, { tenant_admin: true });
  const cookie = String((await app.people.signIn(person.email)).headers['set-cookie']).split(';')[0];
  const organization = await openWindow(app.address, cookie);
  await organization.page.goto(`/w/${workspace}/admin/roles`);
  await organization.page.getByRole('button', { name: 'Make a role' }).press('Enter');
  const runs = organization.page.getByRole('dialog').getByRole('group', { name: 'Runs' });
  await runs.getByRole('checkbox', { name: /^Read everybody's runs/ }).waitFor();
  organization.checkQuiet();
});

test('shows the host of links to other servers to members and guests', { skip: withoutBrowser }, async () => {
  const text =
    'See [the manual](https://docs.example/a), [bank.example](https://evil.example/x), <https://plain.example/y> and [our page](/help).';
  const app = await chatApp({ text });
  const { json: chat } = await app.call('POST', `/v1/conversations?assistant_id=${app.agentId}`, { name: 'Links' });
  await app.say(chat.id, 'Where is it written?');
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const [{ run_id }] = await app.query(
    'select run_id from messages where conversation_id = $1 and run_id is not null',
    [chat.id],
  );
  const used = [workspace, run_id, 1];
  await app.query('insert into run_rights (workspace_id, run_id, rights_id) values ($1, $2, $3)', used);
  const shown = [
    ...['the manual (docs.example)', 'bank.example (evil.example)', 'https://plain.example/y', 'our page'],
  ];
  await page.goto(`/w/${workspace}/chat/${chat.id}`);
  for (const name of shown) await page.getByRole('link', { name, exact: true }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Share' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share “Links”' });
  await dialog.getByText(/^1 answer uses documents that not everybody may read/).waitFor();
  await app.query('delete from run_rights where run_id = $1', [run_id]);
  await dialog.getByRole('button', { name: 'Make a link' }).press('Enter');
  const guest = await app.stranger();
  await guest.page.goto(await dialog.getByRole('textbox', { name: 'Link' }).inputValue());
  for (const name of shown) await guest.page.getByRole('link', { name, exact: true }).waitFor();
  await guest.checkAccess();
  checkQuiet();
});

test('says why a run is hidden to an Editor who did not start it', { skip: withoutBrowser }, async () => {
  const app = await consoleApp({}, { nodes: watchedNodes().nodes });
  const definition = {
    nodes: [aNode('in', 'InputNode', { label: 'in' }), aNode('fail', 'FlakyNode'), aNode('out', 'OutputNode')],
    edges: [anEdge('in.output -> fail.value'), anEdge('fail.output -> out.input')],
  };
  const { json: flow } = await app.call('POST', '/v1/workflows', { name: 'Broken', definition });
  const reader = as((await app.people.aMember('Reader')).cookie, { origin: app.address });
  const ran = await app.call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { in: 'secret_word' } }, reader);
  assert.equal(ran.json.status, 'failed', ran.text);
  const { page, workspace, checkAccess } = await app.windowOf('Editor');
  await page.goto(`/w/${workspace}/runs`);
  await page.getByRole('link', { name: 'Hidden run' }).press('Enter');
  await page.getByText('This is another person’s run').waitFor();
  await page.getByText('It failed at the step fail.').waitFor();
  assert.equal(await page.getByText('secret_word').count(), 0);
  await checkAccess();
});

test('shows a hidden case as hidden, and releases it for who began the chat', { skip: withoutBrowser }, async () => {
  const app = await chatApp({ text: 'In five days.' });
  const { page, workspace, person, checkAccess, checkQuiet } = await app.windowOf('Editor');
  const owner = as(person.cookie, { origin: app.address });
  const talk = `/v1/conversations?assistant_id=${app.agentId}`;
  const { json: chat } = await app.call('POST', talk, { name: 'Marmalade' }, owner);
  const said = await app.call('POST', `/v1/conversations/${chat.id}/chat`, { content: 'How long?' }, owner);
  assert.equal(said.status, 200, said.text);
  const body = { name: 'Set', agent_id: app.agentId, conversation_ids: [chat.id] };
  const { json: set } = await app.call('POST', '/v1/evaluations', body);
  const address = `/w/${workspace}/evaluations/${set.id}?view=cases`;

  const other = await app.windowOf('Editor');
  await other.page.goto(address);
  await other.page.getByText('It is made of a conversation that you may not read').waitFor();
  await other.page.getByText('Hidden', { exact: true }).waitFor();
  assert.equal(await other.page.getByRole('button', { name: /^Release/ }).count(), 0);
  await other.checkAccess();

  await page.goto(address);
  await page.getByText('From a chat', { exact: true }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: /^Release/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Release case' }).press('Enter');
  await page.getByText('The case is released').waitFor();
  await page.getByText('From a chat', { exact: true }).waitFor({ state: 'detached' });
  await other.page.reload();
  await other.page.getByText('How long?', { exact: true }).first().waitFor();
  assert.equal(await other.page.getByText('Hidden', { exact: true }).count(), 0);
  checkQuiet();
});
