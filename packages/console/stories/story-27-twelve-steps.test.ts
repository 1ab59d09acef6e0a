import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { flowKeys } from './support/build-flow.ts';
import { consoleApp } from './support/console-app.ts';

test('builds and runs a workflow of twelve steps when only the keyboard is used', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const { add, set, saved, dialog, waitForStatus } = flowKeys(page);

  await page.goto(`/w/${workspace}/workflows`);
  await page.getByText('No workflow yet').waitFor();
  await checkAccess();
  await page.getByRole('button', { name: 'New workflow' }).first().press('Enter');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Twelve steps');
  await checkAccess();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Twelve steps', level: 1 }).waitFor();
  await page.getByText('No step yet').waitFor();

  await add('Input');
  await add('Compose text');
  await set('Compose text', 'Template', 'Hello ((Input))');
  await add('Transform data');
  await set('Transform data', 'Expression', 'upper(value)');
  await add('Condition');
  await set('Condition', 'Expression', 'length(value) > 3');
  await add('Compose text', 'Compose text 2');
  await set('Compose text 2', 'Template', 'Long enough: ((Condition))');
  await add('Delay');
  await add('Split text');
  await add('Filter list');
  await set('Filter list', 'Expression', 'length(item) > 0');
  await add('Merge');
  await add('Transform data', 'Transform data 2');
  await set('Transform data 2', 'Expression', 'json(value)');
  await add('Compose text', 'Compose text 3');
  await set('Compose text 3', 'Template', 'Result: ((Transform_data_2))');
  await add('Output');
  await saved();
  await page.getByText('Valid', { exact: true }).waitFor();
  await checkAccess();

  // The outline has the same twelve steps, and the canvas all that was built in it.
  await page.getByRole('radio', { name: 'Outline' }).press('ArrowRight');
  await page.getByRole('radio', { name: 'Outline' }).press('Space');
  const rows = page.getByRole('list', { name: 'Steps of the workflow' }).getByRole('listitem');
  await rows.nth(11).waitFor();
  assert.equal(await rows.count(), 12);
  await checkAccess();
  await page.getByRole('radio', { name: 'Canvas' }).press('Space');
  await page.locator('.react-flow__node').first().focus();

  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('textbox', { name: 'Input' }).fill('Ada');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Run' }).press('Enter');
  const bar = page.getByRole('region', { name: 'Run' });
  await bar.getByText('Done', { exact: true }).waitFor();
  await bar.getByText('12 of 12 steps').waitFor();
  await bar.getByText(/Result: .*LONG|Result: .*Long enough: HELLO ADA/).waitFor();
  await page.keyboard.press('1');
  await waitForStatus('Input', 'completed');
  await waitForStatus('Output', 'completed');
  await checkAccess();

  const { json } = await app.call('GET', '/v1/workflows?size=10');
  const draft = await app.call('GET', `/v1/workflows/${json.items[0].id}/draft`);
  assert.equal(draft.json.definition.nodes.length, 12);
  assert.equal(draft.json.definition.edges.length, 11);
  assert.ok(draft.json.definition.nodes.every(({ display }: { display?: { position?: object } }) => display?.position));
  checkQuiet();
});
