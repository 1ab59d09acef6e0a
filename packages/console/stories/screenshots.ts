// `npm run screenshots -- FOLDER`: pictures of the console's pages and states in light and dark, wide and on a phone, to be looked at.
// They run as a test so that the server and the browser are those of the stories.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Look, openWindow, withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';
import { refundTool } from './support/requests.ts';
import { dialogStates } from './support/sample-dialogs.ts';
import { faultStates } from './support/sample-faults.ts';
import { fillPlace } from './support/sample-place.ts';
import { fillStates, type State } from './support/sample-states.ts';
import { fillWorkspace } from './support/sample-workspace.ts';

const folder = process.env['SCREENSHOTS'] ?? 'screenshots';
/** Some of the pages only, by their names. */
const only = new RegExp(process.env['SCREENSHOTS_ONLY'] ?? '');
/** A page is loaded once for each width; the theme is changed while it is shown. */
const looks: Record<string, { look: Look; names: Record<'light' | 'dark', string> }> = {
  wide: { look: {}, names: { light: 'light', dark: 'dark' } },
  phone: { look: { width: 390, height: 844, touch: true }, names: { light: 'phone', dark: 'phone-dark' } },
};

test('draws every page and state', { skip: withoutBrowser }, async () => {
  mkdirSync(folder, { recursive: true });
  const app = await consoleApp({}, { tools: [refundTool] });
  const place = await fillPlace(app);
  const { pages, agent, talk, ids } = await fillWorkspace(app);
  const states = await fillStates(app, agent, talk);
  await place.exhaustBudget();
  const { home } = app.people;
  const stranger = { 'sign-in': '/sign-in', invitation: '/invite/no-such-token', reset: '/reset?token=no-such-token' };
  const all: Record<string, State> = {
    ...toStates({ ...pages(home), account: '/account' }),
    ...toStates(stranger, 'nobody'),
    ...states(home),
    ...dialogStates(home, ids),
    ...faultStates(home, place.empty),
  };
  const wanted = Object.entries(all).filter(([name]) => only.test(name));
  for (const { look, names } of Object.values(looks)) {
    const open = (as: State['as'] = 'administrator') =>
      openWindow(app.address, as === 'nobody' ? undefined : place[as], look);
    let shared = await open();
    for (const [name, { path, reach, as }] of wanted) {
      const window = as ? await open(as) : shared;
      await window.page.goto(path);
      await settle(window.page, `${name}.${names.light}`);
      await reach?.(window.page).catch((error: Error) =>
        console.log(`${name}.${names.light}: ${error.message.slice(0, 200)}`),
      );
      if (reach) await window.page.waitForTimeout(400);
      for (const theme of ['light', 'dark'] as const) {
        await window.page.emulateMedia({ colorScheme: theme });
        await window.page.screenshot({ path: join(folder, `${name}.${names[theme]}.png`) });
      }
      await window.page.emulateMedia({ colorScheme: 'light' });
      if (!reach && !as) continue;
      // What was done in a window stays in it: the next page has a new one.
      await window.context.close();
      if (!as) shared = await open();
    }
    await shared.context.close();
  }
});

const toStates = (paths: Record<string, string>, as?: State['as']): Record<string, State> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path, as }]));

async function settle(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 }).first();
  await heading.waitFor({ state: 'attached', timeout: 5000 }).catch(() => console.log(`${name} has no heading`));
  // What a page loads after its heading is there soon, or never.
  await page.waitForTimeout(800);
  await page
    .locator('.pulse')
    .first()
    .waitFor({ state: 'detached', timeout: 3000 })
    .catch(() => {});
}
