import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as } from '../../server/src/features/people/testing.ts';
import { openWindow, withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

const day = 86_400_000;

/** An administrator of the organization who is a member of two workspaces, and an editor who has published an agent. */
async function aBusyPlace() {
  const app = await consoleApp();
  const { call, people } = app;
  const sales = (await call('POST', '/v1/admin/groups', { name: 'Sales' })).json.id as string;
  const admin = await people.aMember('Admin');
  await call('PUT', `/v1/admin/groups/${sales}/members/${admin.id}`, { role_id: people.roleNamed('Admin') });
  await call('PATCH', `/v1/admin/users/${admin.id}`, { name: 'Mara Okafor', tenant_admin: true });
  const signedIn = await people.signIn(admin.email);
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] as string;

  const editor = await people.aMember('Editor');
  await call('PATCH', `/v1/admin/users/${editor.id}`, { name: 'Ines Vidal' });
  const asEditor = as(editor.cookie, { origin: app.address });
  const agent = (await call('POST', '/v1/agents', { name: 'Support Desk' }, asEditor)).json;
  const published = await call('POST', `/v1/agents/${agent.id}/versions/${agent.version_id}/publish`, {}, asEditor);
  assert.equal(published.status, 200, published.text);

  const provider = { provider: 'openai-compatible', name: 'office-gpu', base_urls: ['http://127.0.0.1:9/v1'] };
  assert.equal((await call('POST', '/v1/admin/providers', provider)).status, 200);
  return { ...app, sales, cookie, editor };
}

test('runs the place with the keyboard when an administrator makes roles, keys, budgets and looks things up', {
  skip: withoutBrowser,
}, async () => {
  const app = await aBusyPlace();
  const { call, people, sales, editor } = app;
  const w = people.home;
  const { page, checkAccess, checkQuiet } = await openWindow(app.address, app.cookie);
  const dialog = page.getByRole('dialog');
  const part = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of Admin' }).getByRole('link', { name, exact: true });

  await page.goto(`/w/${w}/admin`);
  await checkAccess();

  // A role, given to a person.
  await part('Roles').press('Enter');
  await page.getByRole('row', { name: /^Reader/ }).waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Make a role' }).press('Enter');
  await dialog.getByRole('checkbox', { name: /^Read insights/ }).waitFor();
  await dialog.getByRole('button', { name: 'Make role' }).press('Enter');
  await dialog.getByText('Write a name.').waitFor();
  await dialog.getByLabel('Role', { exact: true }).fill('Analyst');
  await dialog.getByRole('checkbox', { name: /^Read insights/ }).press('Space');
  await dialog.getByRole('checkbox', { name: /^Run agents/ }).press('Space');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make role' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'More for Analyst' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Give to a person' }).press('Enter');
  await dialog.getByRole('combobox', { name: 'Person' }).fill('Ines');
  await dialog.getByRole('option', { name: /Ines Vidal/ }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove Ines Vidal' }).waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Give to a person' }).press('Enter');
  await page.getByText('Ines Vidal has the role Analyst.').waitFor();
  const members = (await call('GET', `/v1/admin/groups/${w}/members`)).json as {
    person_id: string;
    role_name: string;
  }[];
  assert.equal(members.find(({ person_id }) => person_id === editor.id)?.role_name, 'Analyst');

  await part('People').press('Enter');
  await page.getByRole('row', { name: /Ines Vidal.*Analyst/ }).waitFor();
  await checkAccess();

  // A key that ends in 90 days, seen once.
  await part('Keys').press('Enter');
  await page.getByRole('button', { name: 'Make a key' }).press('Enter');
  await dialog.getByLabel('Name').fill('Nightly export');
  assert.equal(await dialog.getByLabel('Ends after').inputValue(), '90');
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Analyst' });
  await checkAccess();
  await dialog.getByRole('button', { name: 'Make key' }).press('Enter');
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue();
  const me = await call('GET', '/v1/admin/me', undefined, { key: value });
  assert.equal(me.status, 200, me.text);
  assert.ok(Math.abs(Date.parse(me.json.expires_at) - Date.now() - 90 * day) < day / 24);
  await page.keyboard.press('Escape');
  await checkAccess();
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /Nightly export.*Analyst.*in 90 days/ }).waitFor();
  assert.ok(!(await page.content()).includes(value), 'the value is gone from the page');
  await checkAccess();

  // A revoked key is gone at once, and the next row gets the focus.
  await page.getByRole('button', { name: 'More for Nightly export' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
  await dialog.getByRole('button', { name: 'Revoke key' }).press('Enter');
  // A live event may take the row away before the server has answered and dropped the key from its memory.
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /Nightly export/ }).waitFor({ state: 'detached' });
  assert.equal((await call('GET', '/v1/admin/me', undefined, { key: value })).status, 401);
  await page.getByRole('table').getByRole('button').and(page.locator(':focus')).waitFor();

  // A provider that does not answer says why.
  await part('Models').press('Enter');
  await page.getByRole('button', { name: 'Test office-gpu' }).press('Enter');
  const report = page.getByRole('status', { name: 'Test of office-gpu' });
  await report.getByText('http://127.0.0.1:9/v1').waitFor();
  await page.getByRole('row', { name: /office-gpu.*Does not answer/ }).waitFor();
  await checkAccess();

  // A budget that warns and stops.
  await part('Usage and budgets').press('Enter');
  await page.getByRole('button', { name: 'Set a budget' }).press('Enter');
  await dialog.getByLabel('Name').fill('Support, monthly');
  await dialog.getByRole('button', { name: 'Set budget' }).press('Enter');
  await dialog.getByText('Write dollars, tokens or both.').waitFor();
  await dialog.getByLabel('Dollars').fill('300');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Set budget' }).press('Enter');
  await page.getByRole('row', { name: /Support, monthly.*of \$300/ }).waitFor();
  const [budget] = (await call('GET', '/v1/admin/budgets')).json.items;
  assert.deepEqual([budget.max_cost, budget.period, budget.warn_at, budget.group_id], [300, 'month', 80, w]);
  await checkAccess();

  // The browser thinks that it is tomorrow: what happened today was yesterday.
  await page.clock.setFixedTime(new Date(Date.now() + day));
  await part('Audit log').press('Enter');
  await page.getByLabel('What').selectOption({ label: 'Published an agent' });
  await page.getByLabel('When').selectOption({ label: 'Yesterday' });
  const changes = page.getByRole('list', { name: 'Changes' });
  const entry = changes.getByRole('button', { name: /Ines Vidal Published an agent/ }).first();
  await entry.press('Enter');
  await page.getByText('agentVersions.publish').waitFor();
  assert.match(page.url(), /what=agentVersions\.publish/);
  await checkAccess();
  await page.getByLabel('When').selectOption({ label: 'Today' });
  await page.getByText('No changes fit').waitFor();
  await page.getByRole('button', { name: 'Verify the log' }).press('Enter');
  await page.getByText('The log is whole').waitFor();
  await checkAccess();

  await part('System').press('Enter');
  await page.getByRole('heading', { name: 'What would be better' }).waitFor();
  await page.getByText(/PostgreSQL \d+/).waitFor();
  await checkAccess();

  // Another workspace, the same page.
  await page.getByRole('button', { name: /^Workspace / }).press('Enter');
  await page
    .getByRole('menuitemcheckbox', { name: 'Sales' })
    .or(page.getByRole('menuitem', { name: 'Sales' }))
    .press('Enter');
  await page.waitForURL(new RegExp(`/w/${sales}/admin/system`));
  await page.getByRole('heading', { name: 'What would be better' }).waitFor();
  checkQuiet();
});

test('shows an administrator of one workspace what they may, and refuses the rest', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/admin/people`);
  await page.getByRole('row', { name: /Bo/ }).waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts of Admin' }).getByRole('link');
  assert.deepEqual(await parts.allInnerTexts(), ['People', 'Keys', 'Usage and budgets', 'Audit log', 'Workspaces']);
  await checkAccess();

  await page.getByRole('button', { name: 'Invite a person' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Mail address').fill('lee@example.com');
  // Every role of the workspace can be given, also one that no member has yet.
  await dialog.getByRole('option', { name: 'Reader' }).waitFor({ state: 'attached' });
  const roles = await dialog.getByLabel('Role').getByRole('option').allInnerTexts();
  assert.deepEqual(roles, ['Admin', 'Editor', 'Reader']);
  await dialog.getByRole('button', { name: 'Make invitation' }).press('Enter');
  assert.match(await dialog.getByLabel('Link of the invitation').inputValue(), /\/invitation#token=/);
  await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
  await page.getByRole('row', { name: /lee@example\.com/ }).waitFor();

  await page.goto(`/w/${workspace}/admin/system`);
  await page.getByRole('heading', { name: 'You may not see System' }).waitFor();
  await checkAccess();
  checkQuiet();
});
