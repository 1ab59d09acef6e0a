import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.ts';
import { consoleApp } from './support/console-app.ts';

interface Described {
  key: string;
  label: string;
  help: string;
}

test('finds every setting by search and says faults at their field', { skip: withoutBrowser }, async () => {
  const app = await consoleApp();
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Support Desk' });
  const { fields } = (await app.call('GET', '/v1/fields/agents')).json as { fields: Described[] };
  const { page, checkAccess, checkQuiet, workspace } = await app.windowOf('Editor');
  const stored = async () => (await app.call('GET', `/v1/agents/${agent.id}`)).json.draft_definition?.temperature;

  await page.goto(`/w/${workspace}/agents/${agent.id}/build`);
  const persona = page.getByRole('textbox', { name: 'Persona' });
  await persona.waitFor();
  await page.getByText(`${fields.length} settings`).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('temp');
  await page.getByText('1 setting fits “temp”').waitFor();
  assert.equal(await persona.count(), 0);

  // A value that the server refuses is said in our words, counted in its group, and not stored.
  const temperature = page.getByRole('textbox', { name: 'Temperature' });
  await temperature.fill('5');
  await page.getByText('Use a number from 0 to 2.').waitFor();
  assert.equal(await temperature.getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Model 1 fault 1 change' }).waitFor();
  assert.equal(await stored(), undefined);
  await checkAccess();
  await temperature.fill('1.2');
  await page.getByText(/^Draft saved/).waitFor();
  assert.equal(await page.getByText('Use a number from 0 to 2.').count(), 0);
  assert.equal(await stored(), 1.2);
  await page.getByRole('button', { name: 'Take back the change of Temperature' }).press('Enter');
  await page.getByRole('button', { name: 'No changes' }).waitFor();

  // One of each kind of place: shown, without effect now, kept for other programs; each with label, help and default.
  const find = page.getByRole('searchbox', { name: 'Find a setting' });
  for (const key of [
    'glossary',
    'minimal_tool_message',
    'insights_csat_auto_min_messages',
    'pii_banner',
    'agent_flow_id',
  ]) {
    const { label, help } = fields.find((field) => field.key === key) as Described;
    await find.fill(key);
    const about = page.getByRole('button', { name: `About ${label}`, exact: true });
    await about.press('Enter');
    const popover = page.getByRole('dialog', { name: `About ${label}`, exact: true });
    const text = await popover.innerText();
    assert.ok(text.includes(`definition.${key}`) && text.includes('Without a value'), text);
    assert.ok(text.includes(help.replaceAll('`', '').slice(0, 30)), text);
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
  }
  await find.fill('no such thing');
  await page.getByRole('heading', { name: 'No setting fits' }).waitFor();
  await checkAccess();

  // A setting has an address.
  await page.goto(`/w/${workspace}/agents/${agent.id}/build?group=limits&setting=usage_limits_max_messages`);
  await page.locator('input:focus').waitFor();
  assert.equal(await page.locator('input:focus').inputValue(), '100');
  checkQuiet(/status of 422/);
});
