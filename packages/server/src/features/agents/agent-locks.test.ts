import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../test/support/test-app.ts';
import { agentApp } from './testing.ts';

const { call, admin, make, get, good, query } = await agentApp();

const categories = [
  'violence_and_hate',
  'sexual_content',
  'guns_and_weapons',
  'suicide',
  'crime',
  'toxicity',
  'bias',
  'profanity',
];
const flags = ['jailbreak', 'prompt_injection', 'context_leak', 'guardrails_scan_output'];

/** Each lock with every key that it holds, and a value that is not the default. */
const groups: Record<string, Record<string, unknown>> = {
  pii_lock: { pii_anonimization: ['CRYPTO'], pii_allow: ['Docker'] },
  guardrail_lock: {
    ...Object.fromEntries(categories.map((name) => [name, { value: 'High', context: 'c' }])),
    ...Object.fromEntries(flags.map((name) => [name, true])),
    guardrails_output_mode: 'pre_stream',
    guardrail_action: { value: 'warn' },
    guardrail_action_replace: 'r',
    guardrail_action_human: 'h',
    block_after_violations: 3,
    block_message: 'b',
  },
  prompt_lock: {
    persona: 'p',
    tone: 't',
    extra_instructions: 'e',
    prompt_defense: 'd',
    deployment_custom_instructions: 'i',
  },
};

/** The agent, its draft and its versions, to the letter. */
const stateOf = async (id: string) =>
  JSON.stringify([
    await query('select * from agents where id = $1', [id]),
    await query('select * from agent_versions where agent_id = $1 order by number', [id]),
  ]);

function refused(answer: Answer, names: string[], told: string): void {
  assert.equal(answer.status, 403, `${told}: ${answer.text}`);
  assert.equal(answer.json.code, 'settings_locked');
  const named = answer.json.detail.replace('These settings are locked: ', '').split(', ');
  assert.deepEqual(named.sort(), [...names].sort(), told);
}

const file = (definition: unknown, draft_definition: unknown = null) => ({
  format: 'atrium.agent',
  version: 1,
  agent: { name: 'from a file', definition, draft_definition },
});

for (const [lock, group] of Object.entries(groups)) {
  const names = Object.keys(group);
  const others = Object.keys(groups).filter((name) => name !== lock);
  const locked = () => make({ definition: { [lock]: true, top_k: 5 } });

  test(`${lock} refuses a patch of any key of its group, naming it, and applies nothing of the request`, async () => {
    const { id } = await locked();
    const before = await stateOf(id);
    for (const query of ['', '?preview=true']) {
      for (const [name, value] of Object.entries(group)) {
        const body = { name: 'changed', visible: false, definition: { top_k: 6, [name]: value } };
        refused(await call('PATCH', `/v1/agents/${id}${query}`, body), [name], name + query);
      }
      refused(await call('PATCH', `/v1/agents/${id}${query}`, { definition: group }), names, `all${query}`);
    }
    assert.equal(await stateOf(id), before);
  });

  test(`${lock} locks no keys outside its group`, async () => {
    const { id } = await locked();
    const free = Object.assign({ temperature: 0.3, citation_instructions: 'c' }, ...others.map((name) => groups[name]));
    good(
      await call('PATCH', `/v1/agents/${id}`, { name: 'Free', definition: { ...free, [others[0] as string]: true } }),
    );
    const { name, definition } = await get(id);
    assert.deepEqual([name, definition.temperature, definition[lock]], ['Free', 0.3, true]);
  });
}

// The locks differ by their groups alone, so one shows on which ways they hold.
const lock = 'guardrail_lock';
const group = groups[lock] as Record<string, unknown>;
const names = Object.keys(group);
const locked = () => make({ definition: { [lock]: true, top_k: 5 } });

test('a lock refuses a version that would change its group, published or not', async () => {
  const { id } = await locked();
  const before = await stateOf(id);
  for (const publish of [false, true])
    refused(await call('POST', `/v1/agents/${id}/versions`, { definition: group, publish }), names, String(publish));
  assert.equal(await stateOf(id), before);
});

test('a lock refuses a switch to a version whose group differs, or that does not have it', async () => {
  const open = await make();
  await call('PATCH', `/v1/agents/${open.id}`, { definition: { ...group, [lock]: true } });
  const before = await stateOf(open.id);
  refused(await call('POST', `/v1/agents/${open.id}/versions/${open.version_id}/publish`), [lock], 'without the lock');
  assert.equal(await stateOf(open.id), before);

  const shut = await locked();
  good(await admin('PATCH', `/v1/agents/${shut.id}`, { definition: { [lock]: false } }));
  good(await call('PATCH', `/v1/agents/${shut.id}`, { definition: { ...group, [lock]: true } }));
  refused(await call('POST', `/v1/agents/${shut.id}/versions/${shut.version_id}/publish`), names, 'with the lock');
});

test('a lock holds against an import into its agent, draft and all', async () => {
  const { id } = await locked();
  const into = (body: unknown) => call('POST', `/v1/agents/import?agent_id=${id}`, body);
  const before = await stateOf(id);
  refused(await into(file({ ...group, [lock]: true })), names, 'another group');
  refused(await into(file({ top_k: 6 })), [lock], 'no lock');
  refused(await into(file({ [lock]: true }, { ...group, [lock]: true })), names, 'in the draft');
  refused(await into(file({ [lock]: true }, {})), [lock], 'a draft without it');
  assert.equal(await stateOf(id), before);
  assert.equal(good(await into(file({ [lock]: true, top_k: 7 }))).agent.definition.top_k, 7);
});

test('a lock lets a value pass that is no change', async () => {
  const { id } = await make({ definition: { ...group, [lock]: true } });
  for (const query of ['', '?preview=true'])
    assert.equal(
      (await call('PATCH', `/v1/agents/${id}${query}`, { definition: { ...group, [lock]: true, top_k: 8 } })).status,
      200,
    );
  assert.equal((await call('POST', `/v1/agents/${id}/versions`, { definition: group, publish: true })).status, 200);
  assert.equal((await call('POST', `/v1/agents/import?agent_id=${id}`, file({ ...group, [lock]: true }))).status, 200);
});

test('only org:admin turns a lock off, and may change its group in the same request', async () => {
  const { id } = await locked();
  const off = { definition: { ...group, [lock]: false } };
  const before = await stateOf(id);
  for (const query of ['', '?preview=true'])
    refused(await call('PATCH', `/v1/agents/${id}${query}`, off), [lock], query);
  refused(await call('POST', `/v1/agents/${id}/versions`, off), [lock], 'version');
  refused(await admin('PATCH', `/v1/agents/${id}`, { definition: group }), names, 'org:admin while it is on');
  assert.equal(await stateOf(id), before);
  assert.equal(good(await admin('PATCH', `/v1/agents/${id}`, off)).definition[lock], false);
  assert.equal(
    (await call('PATCH', `/v1/agents/${id}`, { definition: { [names[0] as string]: null, ...group } })).status,
    200,
  );
});

test('a draft without its lock, made by org:admin, is published only by org:admin', async () => {
  const { id } = await locked();
  good(await admin('PATCH', `/v1/agents/${id}?preview=true`, { definition: { [lock]: false } }));
  const before = await stateOf(id);
  refused(await call('POST', `/v1/agents/${id}/versions`, { publish: true }), [lock], 'version');
  refused(await call('POST', `/v1/conversations?assistant_id=${id}`, { preview: true }), [lock], 'preview');
  assert.equal(await stateOf(id), before);
  assert.equal(good(await admin('POST', `/v1/agents/${id}/versions`, { publish: true })).definition[lock], false);
});

test('two locks name the keys of both groups in one answer', async () => {
  const { id } = await make({ definition: { pii_lock: true, prompt_lock: true } });
  const body = { definition: { pii_anonimization: [], tone: 'x', crime: 'Low' } };
  refused(await call('PATCH', `/v1/agents/${id}`, body), ['pii_anonimization', 'tone'], 'both');
});
