import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';
import { consoleApp } from './support/console-app.ts';
import { tabTo } from './support/keys.ts';
import { makeRefundAgent, refundTool, waitForRefund } from './support/requests.ts';

const skip = withoutBrowser;
const app = await consoleApp();
const { people } = app;

test('shows the pages that a role allows when a person signs in', { skip }, async () => {
  const { page, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto('/');
  await page.waitForURL(/\/w\/[0-9a-f-]+\/chat$/);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  for (const name of ['Agents', 'Admin']) await links.filter({ hasText: name }).first().waitFor();
  await checkAccess();
  checkQuiet();
});

test('lists the keys of the page and of all pages, and remembers a folded sidebar', { skip }, async () => {
  const { page, checkAccess, checkQuiet } = await app.windowOf('Editor');
  await page.goto(`/w/${people.home}/runs`);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByRole('region', { name: 'Everywhere' }).getByText('Search or jump to').waitFor();
  await checkAccess();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.waitForURL(/\/inbox/);
  await page.keyboard.press('Control+\\');
  const width = () => page.evaluate('document.querySelector("nav[aria-label=Main]").offsetWidth');
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.equal(await width(), 56);
  checkQuiet();
});

test('keeps changes of preferences that are made while others are being stored', { skip }, async () => {
  const { page, checkQuiet } = await app.windowOf('Editor');
  await page.goto('/account');
  await page.route('**/v1/me/preferences', async (route) => {
    await sleep(300);
    await route.continue();
  });
  const changes = ['Light', 'Compact', 'Dark', 'Comfortable'];
  for (const name of changes) await page.getByRole('radio', { name }).click();
  const isChosen = (name: string) => page.getByRole('radio', { name }).isChecked();
  // As many looks as the answers take.
  for (let looks = 0; looks < 40; looks++) {
    assert.deepEqual([await isChosen('Dark'), await isChosen('Comfortable')], [true, true]);
    await sleep(100);
  }
  const stored = (await page.evaluate('fetch("/v1/me/preferences").then((answer) => answer.json())')) as object;
  assert.match(JSON.stringify(stored), /"theme":"dark".*"density":"comfortable"/);
  checkQuiet();
});

test('keeps theme, density and single keys of the person, without a flash at the next load', { skip }, async () => {
  const { page, person, checkAccess, checkQuiet } = await app.windowOf('Editor');
  await page.goto('/account');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await page.getByLabel('Single keys').uncheck();
  await page.getByRole('switch', { name: 'A run has failed: Mail' }).click();
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
  await checkAccess();
  const stored = async () =>
    (await page.evaluate('fetch("/v1/me/preferences").then((answer) => answer.json())')) as {
      theme: string;
      density: string;
      single_keys: boolean;
      notifications: object;
    };
  for (let tries = 0; tries < 50 && !JSON.stringify(await stored()).includes('run_failed'); tries++);
  const { theme, density, single_keys, notifications } = await stored();
  assert.deepEqual([theme, density, single_keys], ['dark', 'compact', false]);
  assert.deepEqual(notifications, { run_failed: { in_app: true, mail: true, push: true } });
  await page.addInitScript(
    'document.addEventListener("DOMContentLoaded", () => { window.early = document.documentElement.dataset.theme; })',
  );
  // Keys are the person's before the server has said so.
  await page.route('**/v1/me/preferences', async (route) => {
    await sleep(3000);
    await route.continue();
  });
  await page.goto(`/w/${people.home}/runs`);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  assert.equal(await page.evaluate('window.early'), 'dark');
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.match(page.url(), /\/runs$/);
  assert.ok(person.id);
  checkQuiet();
});

test('ends other sessions and changes the password on the account page', { skip }, async () => {
  const { page, person, checkQuiet } = await app.windowOf('Editor');
  await people.signIn(person.email);
  await page.goto('/account');
  const end = page.getByRole('button', { name: /^End the session of/ });
  await end.first().waitFor();
  assert.equal(await end.count(), 1);
  await end.first().click();
  await end.first().waitFor({ state: 'detached' });
  await page.getByLabel('Password now').fill('a long password');
  await page.getByLabel('New password').fill('a still longer password');
  await page.keyboard.press('Enter');
  await page.getByText('Your password is changed').waitFor();
  assert.equal((await people.signIn(person.email, 'a still longer password')).status, 200);
  checkQuiet();
});

test('shows what happened, bundles the same, and marks it as read', { skip }, async () => {
  const { page, person, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const parent = randomUUID();
  for (let count = 0; count < 3; count++)
    await app.query(
      `insert into notifications (id, tenant_id, workspace_id, person_id, kind, target_kind, target_id, parent_kind, parent_id,
         needs, dedupe_key, mail)
       select $1, tenant_id, $2, id, 'run_failed', 'run', $3, 'conversation', $4, '{agents_run}', $5, false
       from people where id = $6`,
      [randomUUID(), people.home, randomUUID(), parent, randomUUID(), person.id],
    );
  await page.goto(`/w/${people.home}/runs`);
  await page.getByRole('button', { name: 'Notifications, 3 new' }).click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByRole('button', { name: /A run has failed 3 times/ }).waitFor();
  await checkAccess();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await panel.getByRole('radio', { name: 'Unread' }).click();
  await panel.getByText('All of it is read').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  checkQuiet();
});

test('answers what waits in the panel of notifications, without leaving the page', { skip }, async () => {
  const asking = await consoleApp({}, { tools: [refundTool] });
  const agent = await makeRefundAgent(asking);
  const { page, workspace, checkAccess, checkQuiet } = await asking.windowOf('Admin');
  await page.goto(`/w/${workspace}/runs`);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  const chat = await waitForRefund(asking, agent, '1042');
  await page.getByRole('button', { name: 'Notifications, 1 new' }).press('Enter');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByRole('button', { name: /: Something waits for your answer/, expanded: false }).press('Enter');
  await panel.getByText('€184.00').waitFor();
  await checkAccess();
  agent.server.reply({ text: 'Refunded.' });
  await panel.getByRole('button', { name: 'Approve' }).press('Enter');
  await panel.getByText('Approved by Bo').waitFor();
  await checkAccess();
  const { items } = (await asking.call('GET', `/v1/conversations/${chat}/approvals`)).json;
  assert.equal(items[0].status, 'approved');
  assert.match(page.url(), /\/runs$/);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Notifications', exact: true }).and(page.locator(':focus')).waitFor();
  checkQuiet();
});

test('sends with the key that the person chose', { skip }, async () => {
  const chatting = await chatApp({ text: 'Heard.' });
  const { page, workspace, checkAccess, checkQuiet } = await chatting.windowOf('Admin');
  await page.goto('/account');
  await page.getByRole('radio', { name: 'Ctrl ↵' }).press('Space');
  await page.getByRole('radio', { name: 'Ctrl ↵', checked: true }).waitFor();
  await checkAccess();
  await page.goto(`/w/${workspace}/chat`);
  await page.getByText('Ctrl ↵').first().waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.focus();
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  assert.equal(await field.inputValue(), 'One\ntwo');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('log').getByText('Heard.').waitFor();
  checkQuiet();
});

test('gives the focus back when a layer closes that has no button of its own', { skip }, async () => {
  const { page, checkQuiet } = await app.windowOf('Editor');
  await page.goto(`/w/${people.home}/agents`);
  const make = page.getByRole('button', { name: 'New agent' }).first();
  await tabTo(page, make);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await make.and(page.locator(':focus')).waitFor();
  // From a menu it goes to the button of the menu, since the item is gone.
  await app.call('POST', '/v1/agents', { name: 'Focus Desk' });
  const menu = page.getByRole('button', { name: 'More for Focus Desk' });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: /Delete/ }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await menu.and(page.locator(':focus')).waitFor();
  checkQuiet();
});

test('gives an agent a picture, and takes it away again', { skip }, async () => {
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Picture Desk' });
  const { page, checkAccess, checkQuiet } = await app.windowOf('Editor');
  await page.goto(`/w/${people.home}/agents/${agent.id}/build`);
  const menu = page.getByRole('button', { name: 'Picture of the agent' });
  await menu.waitFor();
  await checkAccess();
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const buffer = Buffer.from(pixel, 'base64');
  await page.getByLabel('Upload a picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await page.getByText('The picture is changed.').waitFor();
  await menu.locator('img').waitFor();
  assert.match((await app.call('GET', `/v1/agents/${agent.id}`)).json.image_url, /\/picture\?v=/);
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove the picture' }).press('Enter');
  await page.getByText('The picture is removed.').waitFor();
  await menu.locator('img').waitFor({ state: 'detached' });
  checkQuiet();
});

test('asks before a dialog with changes closes, and says what failed inside of it', { skip }, async () => {
  const phone = { width: 390, height: 844, touch: true };
  const { page, checkAccess, checkQuiet } = await app.windowOf('Editor', phone);
  await page.goto(`/w/${people.home}/agents`);
  const dialog = page.getByRole('dialog');
  const asked = dialog.getByText('Your changes here are not saved.');
  const outside = () => page.mouse.click(2, 2);
  const open = async () => {
    await page.getByRole('button', { name: 'New agent' }).first().click();
    await dialog.getByLabel('Name').waitFor();
  };
  await open();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await open();
  const name = dialog.getByLabel('Name');
  await name.fill('Long thought-out name');
  await page.keyboard.press('Escape');
  await asked.waitFor();
  await checkAccess();
  await dialog.getByRole('button', { name: 'Go on editing' }).and(page.locator(':focus')).press('Enter');
  await name.and(page.locator(':focus')).waitFor();
  assert.equal(await name.inputValue(), 'Long thought-out name');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await asked.waitFor();
  await dialog.getByRole('button', { name: 'Go on editing' }).click();

  // The reason of a failure covers no button, and putting it away is no press outside.
  await page.route('**/v1/agents', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  const send = dialog.getByRole('button', { name: 'Make the agent' });
  await send.click();
  const notice = page.getByRole('region', { name: 'Notices' }).getByText('The server can’t be reached');
  await notice.waitFor();
  await checkAccess();
  const boxes = await Promise.all([notice.locator('..').locator('..').boundingBox(), send.boundingBox()]);
  const [above, below] = boxes;
  assert.ok(above && below && above.y + above.height <= below.y, JSON.stringify(boxes));
  await page.setViewportSize({ width: 1000, height: 844 });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), 'Long thought-out name');
  assert.equal(await asked.count(), 0);
  await outside();
  await asked.waitFor();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  checkQuiet(/ERR_FAILED/);
});

test('offers to reload when the server has a newer build, and reloads nothing by itself', { skip }, async () => {
  const { page, checkAccess } = await app.windowOf('Editor');
  await page.goto(`/w/${people.home}/runs`);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.route(`${app.address}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  );
  await page.evaluate(
    'const now = Date.now; Date.now = () => now() + 60_000; window.dispatchEvent(new Event("focus"))',
  );
  await page.getByText('A new version of this page is here').waitFor();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await checkAccess();
});

test('counts down to the next try when the connection is lost, and catches up afterwards', { skip }, async () => {
  const { page, context, checkAccess } = await app.windowOf('Editor');
  // No try that the page makes by itself succeeds before the button is pressed.
  const isPressed = () => page.evaluate<boolean>(`document.body.dataset.pressed === 'yes'`);
  await page.route('**/v1/events*', async (route) => ((await isPressed()) ? route.continue() : route.abort()));
  await page.goto(`/w/${people.home}/runs`);
  await page.getByText('The connection is lost').waitFor();
  await page.getByText(/Next try in \d+ s/).waitFor();
  await checkAccess();
  await page.evaluate(
    `addEventListener('click', () => void (document.body.dataset.pressed = 'yes'), { capture: true })`,
  );
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByText('The connection is lost').waitFor({ state: 'detached' });
  await page.unroute('**/v1/events*');
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await context.setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
});
