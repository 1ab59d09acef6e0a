import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as } from '../../server/src/features/people/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

const skip = withoutBrowser;
const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>{{7*7}}\u202e';

test('shows markup in names of workspaces, people and agents as text', { skip }, async () => {
  const app = await consoleApp();
  const { call, address, people } = app;
  const { page, person, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await call('PATCH', `/v1/admin/groups/${people.home}`, { name: hostile });
  await call('PATCH', `/v1/admin/users/${person.id}`, { name: hostile });
  await call('POST', '/v1/agents', { name: hostile, description: hostile });
  const { json: agents } = await call('GET', '/v1/agents', undefined, as(person.cookie, { origin: address }));
  assert.equal(agents.items[0].name, hostile);
  for (const path of ['/', `/w/${people.home}/agents`, '/account']) {
    await page.goto(path);
    await page.getByText('<img src=x', { exact: false }).first().waitFor();
    assert.equal(await page.evaluate('window.ran'), undefined, path);
    assert.equal(await page.locator('img[src="x"]').count(), 0, path);
    await checkAccess();
  }
  await page.goto(`/w/${people.home}/inbox`);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await page.keyboard.type('img');
  await page
    .getByRole('option', { name: /<img src=x/ })
    .first()
    .waitFor();
  assert.equal(await page.evaluate('window.ran'), undefined);
  checkQuiet();
});

test('shows nothing of a workspace that the person does not belong to', { skip }, async () => {
  const app = await consoleApp();
  const { json: other } = await app.call('POST', '/v1/admin/groups', { name: 'Secret project' });
  const { page, checkAccess, checkQuiet } = await app.windowOf('Reader');
  await page.goto(`/w/${other.id}/agents`);
  await page.getByRole('heading', { name: 'There is no such page' }).first().waitFor();
  assert.ok(!(await page.content()).includes('Secret project'));
  await checkAccess();
  await page.goto(`/w/${app.people.home}/admin`);
  await page.getByRole('heading', { name: 'You may not see this page' }).first().waitFor();
  await checkAccess();
  checkQuiet(/status of 40[34]/);
});
