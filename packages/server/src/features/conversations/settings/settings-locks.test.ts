import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';

const { call, workspace, query } = await testApp();
const { id: group, key } = await workspace();
const asAdmin = { headers: { 'x-workspace-id': group } };

type Settings = Record<string, unknown>;

const agent = async (definition: Settings) =>
  (await call('POST', '/v1/agents', { name: 'A', definition }, { key })).json;
const start = (id: string, body: Settings, options: object = { key }) =>
  call('POST', `/v1/conversations?assistant_id=${id}`, body, options);
const patch = (id: string, body: Settings, options: object = { key }) =>
  call('PATCH', `/v1/conversations/${id}`, body, options);
const read = async (id: string) => (await call('GET', `/v1/conversations/${id}`, undefined, { key })).json;
const count = async () => (await query('select count(*)::int as n from conversations'))[0].n as number;

const refused = ({ status, json }: { status: number; json: Settings }, ...names: string[]) => {
  const { locks, ...rest } = json;
  const expected = { detail: `These settings are locked: ${names.join(', ')}`, code: 'settings_locked' };
  assert.deepEqual([status, rest], [403, expected]);
  assert.ok(Array.isArray(locks) && locks.length > 0 && locks.every(({ lock }) => lock.endsWith('_lock')));
};

/** Every way to change a key of a locked group: each is refused, names the key and applies nothing. */
async function checkGroup(lock: string, changes: Settings) {
  const locked = await agent({ [lock]: true });
  const own = (await start(locked.id, {})).json;
  const free = (await call('POST', '/v1/conversations', { settings: { [lock]: true } }, { key })).json;
  for (const [name, value] of Object.entries(changes)) {
    const before = await count();
    const settings = { [name]: value, temperature: 1.5 };
    refused(await start(locked.id, { name: 'x', settings }), name);
    assert.equal(await count(), before);
    for (const conversation of [own, free]) {
      refused(await patch(conversation.id, { name: 'x', manual: true, settings }), name);
      assert.deepEqual(await read(conversation.id), conversation);
    }

    // A version from before the lock differs in this one key.
    const other = await agent({ [name]: value });
    const { version_id: open } = other;
    await call(
      'PATCH',
      `/v1/agents/${other.id}`,
      { definition: { [name]: (own.settings as Settings)[name], [lock]: true } },
      { key },
    );
    refused(await start(other.id, { assistant_version_id: open }), lock);
    const pinned = (await start(other.id, {})).json;
    refused(await patch(pinned.id, { name: 'x', assistant_version_id: open }), lock);
    assert.deepEqual(await read(pinned.id), pinned);
  }
  const names = Object.keys(changes);
  const order = refusedNames(await patch(own.id, { settings: changes }));
  assert.deepEqual(order.toSorted(), names.toSorted());

  refused(await patch(own.id, { settings: { [lock]: false } }), lock);
  refused(await patch(own.id, { settings: { [lock]: false, ...changes } }), lock);
  refused(await start(locked.id, { settings: { [lock]: false } }), lock);
  assert.deepEqual(await read(own.id), own);

  // The same values, nulls and other keys are no change of the group.
  const same = Object.fromEntries(names.map((name) => [name, own.settings[name]]));
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  for (const settings of [same, nulls, { temperature: 0.4 }])
    assert.equal((await patch(own.id, { settings })).status, 200);

  // org:admin turns the lock off, and may change the group with it; while it holds, it holds for all.
  refused(await patch(own.id, { settings: changes }, asAdmin), ...order);
  const opened = await patch(own.id, { settings: { [lock]: false, ...changes } }, asAdmin);
  assert.deepEqual([opened.status, opened.json.settings[lock]], [200, false]);
  assert.equal((await patch(own.id, { settings: same })).status, 200);
}

const refusedNames = ({ json }: { json: { detail: string } }) =>
  json.detail.replace('These settings are locked: ', '').split(', ');

const guardrails = 'violence_and_hate sexual_content guns_and_weapons suicide crime toxicity bias profanity'.split(' ');
const groups: Record<string, Settings> = {
  pii_lock: { pii_anonimization: [{ value: 'URL', label: 'Url' }], pii_allow: ['Docker'] },
  guardrail_lock: {
    ...Object.fromEntries(guardrails.map((name) => [name, { value: 'High', context: '' }])),
    jailbreak: true,
    prompt_injection: true,
    context_leak: true,
    guardrails_scan_output: true,
    guardrails_output_mode: 'pre_stream',
    guardrail_action: { value: 'warn', label: 'Warn and go on' },
    guardrail_action_replace: 'x',
    guardrail_action_human: 'x',
    block_after_violations: 3,
    block_message: 'x',
  },
  prompt_lock: {
    persona: 'x',
    tone: 'x',
    extra_instructions: 'x',
    prompt_defense: 'x',
    deployment_custom_instructions: 'x',
  },
};

test('the pii lock refuses a change of any key of its group', () =>
  checkGroup('pii_lock', groups.pii_lock as Settings));
test('the guardrail lock refuses a change of any key of its group', () =>
  checkGroup('guardrail_lock', groups.guardrail_lock as Settings));
test('the prompt lock refuses a change of any key of its group', () =>
  checkGroup('prompt_lock', groups.prompt_lock as Settings));

test('each lock holds its own group and no other', async () => {
  for (const lock of Object.keys(groups)) {
    const { id } = (await start((await agent({ [lock]: true })).id, {})).json;
    for (const [other, settings] of Object.entries(groups))
      assert.equal((await patch(id, { settings })).status, other === lock ? 403 : 200, `${lock} and ${other}`);
  }
});

test('settings from before a move do not override the locks of the new version', async () => {
  const { id, version_id } = await agent({});
  const bold = (await start(id, { settings: { crime: 'Low', guardrail_lock: false } })).json;
  const meek = (await start(id, { settings: { temperature: 0.5 } })).json;
  const definition = { guardrail_lock: true, crime: 'High' };
  const { version_id: locked } = (await call('PATCH', `/v1/agents/${id}`, { definition }, { key })).json;
  const { status, json } = await patch(bold.id, { assistant_version_id: locked });
  assert.deepEqual([status, json.code], [403, 'settings_locked']);
  assert.equal((await read(bold.id)).assistant_version_id, version_id);
  const moved = await patch(meek.id, { assistant_version_id: locked });
  assert.deepEqual([moved.status, moved.json.settings.crime.value], [200, 'High']);
});

test('a preview does not get around the locks of what is published', async () => {
  const { id } = await agent({ prompt_lock: true, persona: 'fixed' });
  await call(
    'PATCH',
    `/v1/agents/${id}?preview=true`,
    { definition: { prompt_lock: false, persona: 'free' } },
    asAdmin,
  );
  refused(await start(id, { preview: true }), 'prompt_lock');
  assert.equal((await start(id, { preview: true }, asAdmin)).status, 200);
});

test('any caller may turn a lock on, and then it applies', async () => {
  const { id } = (await call('POST', '/v1/conversations', {}, { key })).json;
  assert.equal((await patch(id, { settings: { pii_lock: true, pii_anonimization: [] } })).status, 200);
  refused(await patch(id, { settings: { pii_anonimization: ['URL'] } }), 'pii_anonimization');
});

test('sending locked instructions back as they were shown is no change', async () => {
  const definition = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'fixed' }] }] };
  const { id } = await agent({ prompt_lock: true, persona: [{ text: 'fixed', definition }] });
  const { json } = await start(id, {});
  const { status } = await patch(json.id, { settings: { ...json.settings, temperature: 0.1 } });
  assert.equal(status, 200);
});
