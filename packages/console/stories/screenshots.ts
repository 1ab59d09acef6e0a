// `npm run screenshots -- FOLDER`: pictures of the console's pages and states in light, dark and on a phone, to be looked at.
// They run as a test so that the server and the browser are those of the stories.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Look, withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { refundTool } from './support/requests.ts';
import { fillWorkspace } from './support/sample-workspace.ts';

const folder = process.env['SCREENSHOTS'] ?? 'screenshots';
const looks: Record<string, Look> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { width: 390, height: 844, touch: true },
};

test('draws every page', { skip: withoutBrowser }, async () => {
  mkdirSync(folder, { recursive: true });
  const app = await consoleApp({}, { tools: [refundTool] });
  const { pages } = await fillWorkspace(app);
  const stranger = { 'sign-in': '/sign-in', invitation: '/invite/no-such-token', reset: '/reset?token=no-such-token' };
  for (const [look, options] of Object.entries(looks)) {
    const signedIn = await app.windowOf('Admin', options);
    for (const [name, path] of Object.entries({ ...pages(signedIn.workspace), account: '/account' })) {
      await signedIn.page.goto(path);
      await draw(signedIn.page, `${name}.${look}.png`);
    }
    const outside = await app.stranger(options);
    for (const [name, path] of Object.entries(stranger)) {
      await outside.page.goto(path);
      await draw(outside.page, `${name}.${look}.png`);
    }
    await signedIn.context.close();
    await outside.context.close();
  }
});

async function draw(
  page: Awaited<ReturnType<Awaited<ReturnType<typeof consoleApp>>['stranger']>>['page'],
  name: string,
) {
  const heading = page.getByRole('heading', { level: 1 }).first();
  await heading.waitFor({ state: 'attached', timeout: 5000 }).catch(() => console.log(`${name} has no heading`));
  // What a page loads after its heading is there soon, or never.
  await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => {});
  await page.screenshot({ path: join(folder, name) });
}
