import assert from 'node:assert/strict';
import { test } from 'node:test';
import { password } from '../../server/src/features/people/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('shows locked settings with who locked them, and an administrator unlocks them', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const made = await app.call('POST', '/v1/agents', {
    ...{ name: 'Support Desk', definition: { pii_lock: true }, lock_reason: 'Checked by the officer.' },
  });
  const path = `/v1/agents/${made.json.id}`;
  const editor = await app.windowOf('Editor');
  const { page } = editor;
  const address = `/w/${editor.workspace}/agents/${made.json.id}/build?group=safety`;

  await page.goto(address);
  const people = page.getByRole('checkbox', { name: 'Names of people' });
  await people.waitFor();
  assert.ok(await people.isDisabled());
  assert.ok(await people.isChecked(), 'it can be read');
  await page.getByText('Locked by').first().waitFor();
  await page.getByText('Checked by the officer.').waitFor();
  await editor.checkAccess();
  await page.getByRole('button', { name: 'Ask to unlock' }).press('Enter');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Why' }).fill('The policy has changed.');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).press('Enter');
  await page.getByText('The administrators have been asked').waitFor();

  // Settings that are locked while they are edited elsewhere: the change is refused, and the page says by whom.
  await editor.context.setOffline(true);
  await page.getByRole('switch', { name: 'Jailbreak attempts' }).press('Space');
  await page.getByText('Not saved yet. It is kept here and sent later.').waitFor();
  const locked = await app.call('PATCH', `${path}?preview=true`, { definition: { guardrail_lock: true } });
  assert.equal(locked.status, 200, locked.text);
  await editor.context.setOffline(false);
  await page.getByText('Guardrails was locked meanwhile. Your change was not saved.').waitFor();
  await editor.checkAccess();
  await page.getByRole('button', { name: 'Take my change back' }).press('Enter');
  await page.getByRole('switch', { name: 'Jailbreak attempts', checked: false, disabled: true }).waitFor();

  const admin = await app.windowOf('Admin');
  await app.call('PATCH', `/v1/admin/users/${admin.person.id}`, { tenant_admin: true });
  // New rights end the sessions of a person.
  await admin.page.goto(address);
  await admin.page.getByRole('textbox', { name: 'Mail address' }).fill(admin.person.email);
  await admin.page.getByLabel('Password', { exact: true }).fill(password);
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('button', { name: 'Unlock' }).first().press('Enter');
  await admin.checkAccess();
  await admin.page
    .getByRole('dialog', { name: 'Unlock Personal data?' })
    .getByRole('button', { name: 'Unlock' })
    .press('Enter');
  await admin.page.getByText('Personal data is unlocked').waitFor();
  assert.ok(await admin.page.getByRole('checkbox', { name: 'Names of people' }).isEnabled());
  // The editor's page hears of it.
  await page.getByRole('checkbox', { name: 'Names of people', disabled: false }).press('Space');
  await page.getByRole('button', { name: /^\d+ changes?$/ }).waitFor();
  await page.getByText(/^Draft saved/).waitFor();
  editor.checkQuiet(/status of 403|ERR_INTERNET_DISCONNECTED/);
  admin.checkQuiet(/status of 401/);
});
