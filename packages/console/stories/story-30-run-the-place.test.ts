import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../../server/src/features/insights/testing.ts';
import { as } from '../../server/src/features/people/testing.ts';
import { openaiProvider } from '../../server/test/providers/openai-provider.ts';
import { closing } from '../../server/test/support/scripted-app.ts';
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

/** Whether something in a layer can be seen without scrolling. */
async function isInView(inside: Locator, layer: Locator): Promise<boolean> {
  const [box, frame] = await Promise.all([inside.boundingBox(), layer.boundingBox()]);
  return Boolean(box && frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height);
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

  // One with an address that was typed and not added, and a price; what was wrong is forgotten once it is mended.
  const model = await closing(openaiProvider());
  model.models = ['qwen3-32b'];
  const presets = page.getByRole('table', { name: 'Presets' });
  await presets.getByText('None is set').first().waitFor();
  await page.getByRole('button', { name: 'Add a provider' }).press('Enter');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await name.fill('Not a name');
  await dialog
    .getByRole('group', { name: /^Addresses/ })
    .getByRole('textbox')
    .fill(model.url);
  await dialog.getByRole('button', { name: 'Test' }).press('Enter');
  await dialog.getByText('This is not written as it has to be.').waitFor();
  await name.fill('bench');
  assert.equal(await dialog.getByText('This is not written as it has to be.').count(), 0);
  await dialog.getByRole('button', { name: 'Test' }).press('Enter');
  const answer = dialog.getByRole('status').getByText(/It answered with 1 model/);
  await answer.waitFor();
  assert.ok(await isInView(answer, dialog), 'the result is in view');
  await dialog.getByLabel('Input: All models').fill('0.4');
  await dialog.getByLabel('Output: All models').fill('1.2');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Add provider' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await presets.getByText('bench/qwen3-32b').first().waitFor();
  const { json: llms } = await call('GET', '/v1/models/llms');
  assert.deepEqual(llms.find(({ name }: { name: string }) => name === 'bench/qwen3-32b').price, {
    input: 0.4,
    cached_input: 0.4,
    output: 1.2,
  });

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
  checkQuiet(/status of 422/);
});

test('shows an administrator of one workspace what they may, and refuses the rest', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/admin/people`);
  await page.getByRole('row', { name: /Bo/ }).waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts of Admin' }).getByRole('link');
  assert.deepEqual(await parts.allInnerTexts(), [
    'Overview',
    'People',
    'Keys',
    'Usage and budgets',
    'Audit log',
    'Workspaces',
  ]);
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

test('sees on one page what needs an administrator', { skip: withoutBrowser }, async () => {
  const app = await aBusyPlace();
  const { call, query, people } = app;
  const w = people.home;
  for (let n = 0; n < 3; n++)
    await query(
      `insert into model_calls (workspace_id, id, at, purpose, model, input_tokens, cached_tokens, output_tokens,
         reasoning_tokens, cost, ms, status)
       values ($1, gen_random_uuid(), now(), 'reply', 'office-gpu/llama', 1, 0, 1, 0, 2, 9, 'failed')`,
      [w],
    );
  const budget = { name: 'Support', group_id: w, max_cost: 300, period: 'month' };
  assert.equal((await call('POST', '/v1/admin/budgets', budget)).status, 200);
  const invitation = { email: 'emil@example.com', role_id: people.roleNamed('Reader'), days: 1 };
  assert.equal((await call('POST', `/v1/admin/groups/${w}/invitations`, invitation)).status, 200);
  const expires_at = new Date(Date.now() + 3 * day).toISOString();
  const key = { name: 'Nightly export', permissions: ['insights_read'], expires_at };
  assert.equal((await call('POST', `/v1/admin/groups/${w}/api-keys`, key)).status, 200);

  const { page, checkAccess, checkQuiet } = await openWindow(app.address, app.cookie);
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await page.goto(`/w/${w}/admin`);
  await card('Model providers')
    .getByRole('listitem')
    .filter({ hasText: /office-gpu.*Fails since/ })
    .waitFor();
  await card('Usage against budget')
    .getByRole('img', { name: /^Support: \$0 of \$300\.00, ends near/ })
    .waitFor();
  await card('Audit of today')
    .getByText(/Ines Vidal Published an agent/)
    .first()
    .waitFor();
  await card('What would be better')
    .getByRole('link', { name: /Add a language model/ })
    .first()
    .waitFor();
  await card('Today in figures').getByText('1 provider, 1 key').waitFor();
  await checkAccess();

  // A link that ends is sent again, a key that ends is renewed, without leaving the page.
  await page.getByRole('button', { name: 'Send again emil@example.com' }).click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.getByLabel('Link of the invitation').inputValue(), /invitation#token=/);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  const open = (await call('GET', `/v1/admin/groups/${w}/invitations`)).json as { expires_at: string }[];
  assert.ok(open.length === 1 && Date.parse(open[0]?.expires_at ?? '') > Date.now() + 6 * day);
  await card('Keys that end soon').getByText('in 3 days').waitFor();
  await page.getByRole('button', { name: 'Renew Nightly export' }).click();
  await dialog.getByLabel('Ends after').selectOption('90');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await card('Keys that end soon').getByText('in 90 days').waitFor();

  // In forced colours a bar is more than its track.
  await page.emulateMedia({ forcedColors: 'active' });
  const colourOf = (element: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${element}')).backgroundColor`);
  await card('Usage against budget').locator('.meter > span').first().waitFor({ state: 'attached' });
  assert.notEqual(await colourOf('.meter > span'), await colourOf('.meter'));
  await page.emulateMedia({ forcedColors: 'none' });

  // What is on the page stays where it is while the rest comes, also where every answer is late.
  const { items: agents } = (await call('GET', '/v1/agents')).json;
  await page.route('**/v1/**', async (route) => {
    await new Promise((later) => setTimeout(later, 400));
    await route.continue();
  });
  const region = (name: string) => page.getByRole('region', { name });
  const badRatings = page.getByRole('link', { name: /^Bad ratings/ });
  const pages = [
    ['insights', [region('Cost by model'), region('Figures by'), badRatings, region('Latest comments')]],
    [`agents/${agents[0].id}/insights`, [region('Figures by'), badRatings, region('Latest comments')]],
    [`agents/${agents[0].id}/build`, [page.getByRole('textbox').first()]],
  ] as const;
  for (const [path, parts] of pages) {
    await page.goto(`/w/${w}/${path}`);
    for (const part of parts) await part.waitFor();
    await until(
      () => page.locator('.pulse').count(),
      (count) => count === 0,
    );
    const moved = Number(
      await page.evaluate(`new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
      })`),
    );
    assert.ok(moved < 0.05, `${path} moved by ${moved}`);
  }
  await page.unrouteAll({ behavior: 'wait' });

  await page.goto(`/w/${w}/admin`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('navigation', { name: 'All parts' }).getByRole('link', { name: /^Keys/ }).click();
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Back to Admin' }).click();
  await card('People waiting').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  checkQuiet();
});
