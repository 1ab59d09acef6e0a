import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBubblewrap } from '../../server/src/drivers/sandboxes/testing.ts';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

test('works in the terminal of a sandbox, leaves it and finds it again, and opens another when the shell has ended', {
  skip: withoutBrowser || withoutBubblewrap,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/resources/sandboxes`);
  await page.getByRole('button', { name: 'New sandbox' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Figures');
  await dialog.getByRole('button', { name: 'Make the sandbox' }).press('Enter');
  const field = page.getByRole('textbox', { name: 'Type into the terminal' });
  const screen = page.getByRole('log', { name: 'Screen of the terminal' });
  const shows = (text: string) => screen.getByText(text, { exact: true }).first().waitFor();
  const type = async (text: string) => {
    await field.focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await page.getByText('Keys go to the program.').waitFor();
  await checkAccess();

  await type('KEPT=yes; read -p "Who? " who; echo "hello, $who"');
  await shows('Who? ');
  await type('Ada');
  await shows('hello, Ada');
  await type('echo 6 > sum.txt');
  await page.getByRole('button', { name: 'Download sum.txt' }).waitFor();
  // A program that draws on the whole screen, and colours.
  await type(
    "printf '\\033[?1049h\\033[2J\\033[3;5Hin the middle\\033[31mred\\033[0m'; sleep 1; printf '\\033[?1049l'",
  );
  await shows('red');
  await checkAccess();
  await type('sleep 60');
  await page.keyboard.press('Control+c');
  await type('echo "after $((40 + 2))"');
  await shows('after 42');

  // The size follows the window.
  await page.setViewportSize({ width: 700, height: 500 });
  await page.getByRole('button', { name: 'Hide the files' }).press('Enter');
  await field.waitFor();
  const narrow = async () => {
    await type('stty size | sed s/^/size:/');
    await page.waitForTimeout(300);
    return /size:(\d+) (\d+)/.exec(
      (await screen.innerText()).split('size:').length > 2 ? await screen.innerText() : '',
    );
  };
  let found = await narrow();
  for (let tries = 0; tries < 20 && !(found && Number(found[2]) < 95); tries++) found = await narrow();
  assert.ok(found && Number(found[2]) < 95, `the terminal has ${found?.[0]}`);

  // Left and found again, with what it has shown and what its shell knows; the keyboard gets out by Shift Tab.
  await page.keyboard.press('Shift+Tab');
  assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
  await page.goto(`/w/${workspace}/resources/files`);
  await page.goBack();
  await page.getByText('Keys go to the program.').waitFor();
  await type('echo "still $KEPT"');
  await shows('still yes');

  await type('exit 3');
  await page.getByText('The shell has ended with 3.').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'Open another terminal' }).press('Enter');
  await page.getByText('Keys go to the program.').waitFor();
  await type('echo "new:$KEPT:"');
  await shows('new::');
  checkQuiet();
});
