import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/test/support/two-nodes.ts';
import { withoutBrowser } from './support/browser.ts';
import { chatApp } from './support/chat-app.ts';

const skip = withoutBrowser;
const app = await chatApp();

test('shows the current tab when the bar of tabs is wider than a phone', { skip }, async () => {
  const phone = { width: 390, height: 844, touch: true };
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin', phone);
  await page.goto(`/w/${workspace}/agents/${app.agentId}/insights`);
  const current = page.locator('nav a[aria-current="page"]').filter({ hasText: 'Insights' });
  await current.waitFor();
  const scrolled = `document.querySelector('a[aria-current="page"][href$="/insights"]').parentElement.scrollLeft > 0`;
  await until('the bar is scrolled', () => page.evaluate(scrolled));
  const tab = await current.boundingBox();
  assert.ok(tab && tab.x >= 0 && tab.x + tab.width <= phone.width, JSON.stringify(tab));
  await checkAccess();
  checkQuiet();
});

test('leaves its streams before it signs out, so that the browser notes no error', { skip }, async () => {
  const { page, workspace, checkQuiet } = await app.windowOf('Admin');
  const joined = page.waitForResponse(/\/v1\/events/);
  await page.goto(`/w/${workspace}/agents`);
  await joined;
  await page.getByRole('button', { name: 'Bo', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  checkQuiet(/status of 401/);
});

test('takes the live events up again when signing out fails', { skip }, async () => {
  const { page, workspace } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/agents`);
  await page.getByText('Support Desk').first().waitFor();
  await page.route('**/v1/auth/sign-out', (route) => route.abort());
  await page.getByRole('button', { name: 'Bo', exact: true }).press('Enter');
  const joined = page.waitForRequest(/\/v1\/events/);
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await joined;
  await app.makeAgent('Late Desk');
  await page.getByText('Late Desk').waitFor();
});

test('says why an answer failed when the chat is loaded again', { skip }, async () => {
  app.model.reply({ status: 400, error: 'The model is not loaded' });
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/chat`);
  const composer = page.getByRole('textbox').last();
  await composer.fill('Is it broken?');
  await composer.press('Enter');
  const failure = page.getByText(/The model is not loaded/);
  await failure.first().waitFor();
  await page.waitForURL(/\/chat\/[0-9a-f-]+/);
  await page.reload();
  await failure.first().waitFor();
  await page.getByRole('button', { name: 'Answer again' }).first().waitFor();
  await checkAccess();
  checkQuiet();
});
