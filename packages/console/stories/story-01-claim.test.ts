import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('makes the first administrator with the printed token, which works once', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const token = await app.claimToken();
  const { page, checkAccess, checkQuiet } = await app.stranger();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));

  await page.goto('/');
  await page.waitForURL('**/welcome');
  await page.getByLabel('Claim token').waitFor();

  // The address that the program prints has the token behind the #.
  await page.goto('about:blank');
  await page.goto(`/welcome#token=${token}`);
  await page.getByText('The claim token came with the link').waitFor();
  assert.ok(!page.url().includes(token), 'the address keeps no token');
  await page.getByText('Step 1 of 4').waitFor();
  await checkAccess();

  await page.getByRole('button', { name: 'Make the account' }).press('Enter');
  await page.getByText('Type the name that your colleagues see').waitFor();
  await page.getByLabel('Your name').fill('Mara <b>Okafor</b>');
  await page.getByLabel('Mail address').fill('mara@northwind.example');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.keyboard.press('Enter');
  await page.getByText('Step 2 of 4').waitFor();
  await checkAccess();
  assert.ok(
    addresses.every((url) => !url.includes(token)),
    'no request has the token in its address',
  );

  const { json: list } = await app.call('GET', '/v1/admin/users');
  assert.deepEqual(
    list.items.map(({ email, tenant_admin }: { email: string; tenant_admin: boolean }) => [email, tenant_admin]),
    [['mara@northwind.example', true]],
  );

  const second = await app.stranger();
  await second.page.goto(`/welcome#token=${token}`);
  await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.checkAccess();
  second.checkQuiet(/status of 401/);
  checkQuiet(/status of 401/);
});
