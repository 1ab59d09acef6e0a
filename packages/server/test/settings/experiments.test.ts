import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEffectOf, settingPaths, settingsShownByTheirTest } from '@atrium/contract/settings/paths.ts';
import { type SettingName, settingKeys } from '@atrium/contract/settings/settings.ts';
import { testApp } from '../support/test-app.ts';
import { testTitles } from '../support/test-titles.ts';
import { experiments } from './experiments/all-experiments.ts';

const names = Object.keys(settingKeys) as SettingName[];
const stored = names.filter((name) => typeof settingKeys[name].evidence === 'string');

test('every setting with an effect has an experiment, or a test of its own in one path at least', () => {
  const without = names.filter(
    (name) => !stored.includes(name) && !experiments[name] && !settingsShownByTheirTest.has(name),
  );
  assert.deepEqual(without, []);
  assert.deepEqual(
    [...settingsShownByTheirTest].filter((name) => experiments[name] || stored.includes(name)),
    [],
    'named twice',
  );
});

test('every setting with an effect has it in one path at least', () => {
  for (const name of names)
    if (!stored.includes(name))
      assert.ok(
        settingPaths.some((path) => noEffectOf(name)[path] === null),
        name,
      );
});

test('the tests that experiments name for other paths exist', () => {
  const titles = testTitles();
  for (const [name, { elsewhere = {} }] of Object.entries(experiments))
    for (const title of Object.values(elsewhere)) assert.ok(titles.has(title), `${name}: there is no test "${title}"`);
});

test('settings without an effect are returned by the agent and its conversations as they were sent', async () => {
  const { call } = await testApp();
  const sample = (name: SettingName) => {
    const { fallback } = settingKeys[name];
    if (typeof fallback === 'boolean') return !fallback;
    return fallback !== null && typeof fallback === 'object' ? { a: 1 } : `text of ${name}`;
  };
  const definition = Object.fromEntries(stored.map((name) => [name, sample(name)]));
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Keeper', definition });
  const { json: conversation } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {});
  for (const name of stored) assert.deepEqual(conversation.settings[name], definition[name], name);
});
