// Alone on the machine: it measures frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { at95, flowKeys } from './support/build-flow.ts';
import { busyFactor } from './support/busy.ts';
import { consoleApp } from './support/console-app.ts';

const position = (x: number, y = 0) => ({ position: { x: x * 232, y: y * 116 } });
const edge = (from: string, output: string, to: string, input: string, key?: string) => ({
  id: `${from}-${to}`,
  from_id: { node_id: from, connector_name: output },
  to_id: { node_id: to, connector_name: input, ...(key && { key }) },
});

test('builds, breaks, undoes, tidies up, runs, approves, mends and goes on when only the keyboard is used', {
  skip: withoutBrowser,
}, async () => {
  const app = await consoleApp();
  const other = await app.call('POST', '/v1/workflows', {
    name: 'Other flow',
    definition: {
      nodes: [
        {
          id: 'count',
          type: 'JsonTransformNode',
          name: 'Count',
          node_config: { expression: 'number(value)' },
          display: position(0),
        },
        { id: 'tell', type: 'OutputNode', name: 'Tell', node_config: { label: 'Count' }, display: position(1) },
      ],
      edges: [edge('count', 'output', 'tell', 'input')],
    },
  });
  assert.equal(other.status, 200, other.text);
  const { page, workspace, checkAccess, checkQuiet } = await app.windowOf('Admin');
  const { add, set, leavePanel, step, panel, dialog, focused, saved, waitForStatus } = flowKeys(page);
  const definitionNow = async (id: string) => (await app.call('GET', `/v1/workflows/${id}/draft`)).json.definition;

  // Two steps of another workflow are chosen by Shift and an arrow, and copied.
  await page.goto(`/w/${workspace}/workflows/${other.json.id}`);
  await step('Count').focus();
  await page.keyboard.press('ArrowRight');
  await focused(step('Tell'));
  await page.keyboard.press('Shift+ArrowLeft');
  await focused(step('Count'));
  await page.keyboard.press('Control+c');
  await page.getByText('2 steps copied').waitFor({ state: 'attached' });

  const made = await app.call('POST', '/v1/workflows', { name: 'Refunds', drafts: true });
  const id = made.json.id as string;
  await page.goto(`/w/${workspace}/workflows/${id}`);
  await page.getByText('No step yet').waitFor();
  await add('Input');
  await add('Condition');
  await set('Condition', 'Expression', 'contains(value, "kettle")');
  await add('Wait for approval');
  await set('Wait for approval', 'Question', 'Refund ((Input))?');
  await page.keyboard.press('ArrowLeft');
  await focused(step('Condition'));
  await add('Compose text');
  await set('Compose text', 'Template', 'Nothing to do');
  await add('Output');
  await page.keyboard.press('Control+v');
  await focused(step('Count'));
  await page.getByText('2 steps pasted').waitFor({ state: 'attached' });

  // C connects: the approved way leads to what was pasted.
  await page.keyboard.press('c');
  await dialog.getByRole('radio', { name: 'Comes from' }).press('Space');
  await dialog.getByRole('combobox', { name: 'Step' }).selectOption({ label: 'Wait for approval' });
  await checkAccess();
  await dialog.getByRole('button', { name: 'Connect' }).press('Enter');
  await focused(step('Count'));
  await saved();
  const built = await definitionNow(id);
  assert.equal(built.nodes.length, 7);
  assert.deepEqual(
    built.edges
      .map(({ from_id, to_id }: { from_id: Record<string, string>; to_id: Record<string, string> }) =>
        [from_id['node_id'], from_id['connector_name'], to_id['node_id']].join(' '),
      )
      .sort(),
    [
      'approval-1 approved count',
      'compose-text-1 output output-1',
      'condition-1 false compose-text-1',
      'condition-1 true approval-1',
      'count output tell',
      'input-1 output condition-1',
    ],
  );

  // A mistake is marked at the step and at its field, and the list of faults leads there.
  await page.keyboard.press('ArrowLeft');
  await focused(step('Wait for approval'));
  await page.keyboard.press('ArrowLeft');
  await focused(step('Condition'));
  await set('Condition', 'Expression', 'contains(value,');
  await page.getByRole('button', { name: 'Show 1 fault' }).press('Enter');
  await dialog.getByRole('button', { name: /^Condition/ }).press('Enter');
  const expression = panel.getByRole('textbox', { name: 'Expression', exact: true });
  await expression.and(page.locator(':focus')).waitFor();
  assert.equal(await expression.getAttribute('aria-invalid'), 'true');
  await panel
    .getByText(/at character/)
    .first()
    .waitFor();
  await checkAccess();
  await leavePanel();
  await focused(step('Condition'));

  // Six changes are taken back one by one, by their names, and brought again.
  for (const name of [
    'Change Expression',
    /Connect/,
    'Paste 2 steps',
    'Add Output',
    'Change Template',
    'Add Compose text',
  ]) {
    await page.keyboard.press('Control+z');
    await page
      .getByRole('status')
      .filter({ hasText: 'Undone' })
      .filter({ hasText: name })
      .waitFor({ state: 'attached' });
  }
  await saved();
  assert.equal((await definitionNow(id)).nodes.length, 3);
  for (let count = 0; count < 5; count++) await page.keyboard.press('Control+Shift+z');
  await saved();
  const again = await definitionNow(id);
  assert.deepEqual(again.nodes.length, 7);
  assert.equal(
    again.nodes.find((one: { id: string }) => one.id === 'condition-1').node_config.expression,
    'contains(value, "kettle")',
  );

  const placesOf = (definition: { nodes: { display: object }[] }) =>
    JSON.stringify(definition.nodes.map(({ display }) => display));
  await page.getByRole('button', { name: 'Tidy up' }).press('Enter');
  await page.getByText('The steps are in order').waitFor({ state: 'attached' });
  await saved();
  assert.notEqual(placesOf(await definitionNow(id)), placesOf(again), 'the steps have other places');
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.keyboard.press('1');
  await checkAccess();

  // The run: done, waiting, skipped, failed.
  await step('Input').focus();
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('textbox', { name: 'Input' }).fill('a broken kettle');
  await dialog.getByRole('button', { name: 'Run' }).press('Enter');
  await waitForStatus('Wait for approval', 'waiting');
  await waitForStatus('Input', 'completed');
  await waitForStatus('Condition', 'completed');
  await waitForStatus('Compose text', 'skipped');
  await checkAccess();
  const bar = page.getByRole('region', { name: 'Run' });
  await bar.getByRole('button', { name: 'Show the step that waits' }).press('Enter');
  const card = panel.getByRole('region', { name: 'Refund a broken kettle?' });
  await card.waitFor();
  await checkAccess();
  await card.getByRole('button', { name: 'Add a note' }).press('Enter');
  await card.getByRole('textbox', { name: 'Note' }).fill('It is broken');
  await card.getByRole('button', { name: 'Approve' }).press('Enter');
  await waitForStatus('Wait for approval', 'completed');
  await waitForStatus('Count', 'failed');
  await waitForStatus('Output', 'skipped');
  await panel.getByText(/^Approved by Bo/).waitFor();
  await bar.getByText('Failed', { exact: true }).waitFor();
  await checkAccess();

  // What failed is mended with the value that came in, and the run goes on from there.
  await bar.getByRole('button', { name: 'Show the failed step' }).press('Enter');
  await panel.getByRole('heading', { name: 'Count' }).waitFor();
  await panel.getByText('Why it failed').waitFor();
  await panel.getByRole('region', { name: 'Came in' }).getByText('a broken kettle').waitFor();
  await panel.getByRole('tab', { name: 'This run' }).press('ArrowLeft');
  await expression.press('Control+a');
  await page.keyboard.insertText('length(value)');
  await panel.getByText('15', { exact: true }).waitFor();
  await saved();
  await bar.getByRole('button', { name: 'Go on from the failed step' }).press('Enter');
  await bar.getByText('Done', { exact: true }).waitFor();
  await bar.getByText('15', { exact: true }).waitFor();
  await waitForStatus('Tell', 'completed');
  const runs = (await app.call('GET', `/v1/workflows/${id}/runs`)).json.items;
  assert.equal(runs.length, 2);
  assert.equal(runs[0].retry_of, runs[1].id);
  const asked = await app.call('GET', `/v1/runs/${runs[0].id}/approvals`);
  assert.deepEqual(asked.json, [], 'nobody is asked again');

  // It is published with a note, and the version says what came.
  await page.getByRole('button', { name: 'Publish' }).press('Enter');
  await dialog.getByRole('textbox', { name: 'What was changed' }).fill('Counts the letters');
  await checkAccess();
  await dialog.getByRole('button', { name: 'Publish the draft' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Versions' }).press('Enter');
  await page.getByText('Counts the letters').waitFor();
  await checkAccess();
  checkQuiet();
});

test('pans a canvas of 500 steps at 100 % without slow frames', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const nodes = Array.from({ length: 500 }, (_, index) => ({
    ...{ id: `s${index}`, type: 'ComposeTextNode', name: `Step ${index}`, node_config: { template: `Text ${index}` } },
    display: position(index % 25, Math.floor(index / 25)),
  }));
  const edges = nodes.slice(1).map(({ id }, index) => edge(`s${index}`, 'output', id, 'variables', 'before'));
  const made = await app.call('POST', '/v1/workflows', { name: 'Five hundred', definition: { nodes, edges } });
  assert.equal(made.status, 200, made.text);
  const { page, workspace, checkQuiet } = await app.windowOf('Admin');
  await page.goto(`/w/${workspace}/workflows/${made.json.id}`);
  await page.locator('.react-flow__node').first().waitFor();
  await page.keyboard.press('0');
  await page.getByRole('button', { name: 'Zoom to 100%' }).getByText('100%').waitFor();
  await page.waitForTimeout(1500);
  const busy = await busyFactor(page);
  // A pan is a gesture of the pointer; the arrows reach the same steps, as the other story shows.
  const canvas = await page.locator('.react-flow__pane').boundingBox();
  assert.ok(canvas);
  const [x, y] = [canvas.x + canvas.width - 30, canvas.y + canvas.height / 2 + 20];
  await page.evaluate(`
    window.frames95 = []; window.watching = true;
    let last = performance.now();
    const look = (now) => { window.frames95.push(now - last); last = now; if (window.watching) requestAnimationFrame(look); };
    requestAnimationFrame(look);`);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let moved = 0; moved < 120; moved++) await page.mouse.move(x - moved * 7, y - moved * 2);
  await page.mouse.up();
  const frames = (await page.evaluate('window.watching = false, window.frames95.slice(2)')) as number[];
  const drawn = await page.locator('.react-flow__node').count();
  const p95 = at95(frames);
  console.log(
    `500 steps: ${frames.length} frames, p95 ${p95.toFixed(1)} ms, ${drawn} steps drawn, busy ${busy.toFixed(2)}`,
  );
  assert.ok(drawn < 120, `only steps in view are drawn, not ${drawn}`);
  assert.ok(p95 < 34 * busy, `p95 is ${p95} ms with a machine ${busy} times slower than at rest`);
  checkQuiet();
});
