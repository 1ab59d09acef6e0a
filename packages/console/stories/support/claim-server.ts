import type { Look, Window } from './browser.ts';
import type { consoleApp } from './console-app.ts';

/** A window of the first administrator, who has just claimed the server: it shows the second of the four steps. */
export async function claimServer(
  app: Awaited<ReturnType<typeof consoleApp>>,
  look: Look = {},
  name = 'Mara Okafor',
): Promise<Window> {
  const window = await app.stranger(look);
  const { page } = window;
  await page.goto(`/welcome#token=${await app.claimToken()}`);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Mail address').fill('mara@northwind.example');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.keyboard.press('Enter');
  await page.getByText('Step 2 of 4').waitFor();
  return window;
}
