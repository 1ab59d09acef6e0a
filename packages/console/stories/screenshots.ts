// `npm run screenshots -- FOLDER`: pictures of the console's pages and states in light and dark, wide and on a phone, to be looked at.
// They run as a test so that the server and the browser are those of the stories.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Look, withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { refundTool } from './support/requests.ts';
import { fillStates, type State } from './support/sample-states.ts';
import { fillWorkspace } from './support/sample-workspace.ts';

const folder = process.env['SCREENSHOTS'] ?? 'screenshots';
/** Some of the pages only, by their names. */
const only = new RegExp(process.env['SCREENSHOTS_ONLY'] ?? '');
const looks: Record<string, Look> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { width: 390, height: 844, touch: true },
  'phone-dark': { width: 390, height: 844, touch: true, theme: 'dark' },
};

test('draws every page and state', { skip: withoutBrowser }, async () => {
  mkdirSync(folder, { recursive: true });
  const app = await consoleApp({}, { tools: [refundTool] });
  const { pages, agent, talk } = await fillWorkspace(app);
  const states = await fillStates(app, agent, talk);
  const stranger = { 'sign-in': '/sign-in', invitation: '/invite/no-such-token', reset: '/reset?token=no-such-token' };
  const outside = Object.entries(stranger).map(([name, path]): [string, State] => [name, { path, outside: true }]);
  for (const [look, options] of Object.entries(looks)) {
    const all: [string, State][] = [
      ...Object.entries({ ...pages(app.people.home), account: '/account' }).map(([name, path]): [string, State] => [
        ...([name, { path }] as const),
      ]),
      ...outside,
      ...Object.entries(states(app.people.home)),
    ];
    let signedIn = await app.windowOf('Admin', options);
    for (const [name, { path, reach, outside }] of all.filter(([name]) => only.test(name))) {
      const window = outside ? await app.stranger(options) : signedIn;
      await window.page.goto(path);
      await settle(window.page, `${name}.${look}`);
      await reach?.(window.page).catch((error: Error) =>
        console.log(`${name}.${look}: ${error.message.slice(0, 200)}`),
      );
      if (reach) await window.page.waitForTimeout(400);
      await window.page.screenshot({ path: join(folder, `${name}.${look}.png`) });
      if (!reach && !outside) continue;
      // What was done in a window stays in it: the next page has a new one.
      await window.context.close();
      if (!outside) signedIn = await app.windowOf('Admin', options);
    }
    await signedIn.context.close();
  }
});

async function settle(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 }).first();
  await heading.waitFor({ state: 'attached', timeout: 5000 }).catch(() => console.log(`${name} has no heading`));
  // What a page loads after its heading is there soon, or never.
  await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => {});
}
