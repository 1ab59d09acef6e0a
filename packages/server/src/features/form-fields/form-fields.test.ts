import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldKind, Form, FormField } from '@atrium/contract/form-fields/form.ts';
import { fieldKinds } from '@atrium/contract/form-fields/form.ts';
import { valuesAround } from '@atrium/contract/form-fields/testing.ts';
import type { SettingName } from '@atrium/contract/settings/settings.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { rightsSamples } from '../settings/rights-samples.ts';

const { call, workspace } = await testApp();

async function done(method: string, path: string, body?: unknown, key?: string) {
  const answer = await call(method, path, body, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const fieldsOf = async (kind: FieldKind, query = ''): Promise<Form> => done('GET', `/v1/fields/${kind}${query}`);
type AgentField = FormField & { layer: string; locked: { lock: string; reason: string } | null };

test('answers every kind with an ETag, and 304 to a client that has it', async () => {
  for (const kind of fieldKinds) {
    const { headers } = await call('GET', `/v1/fields/${kind}`);
    const etag = String(headers['etag']);
    const again = await call('GET', `/v1/fields/${kind}`, undefined, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, again.text], [304, ''], kind);
  }
});

test('answers one variant alone, and refuses what does not exist', async () => {
  const { fields } = await fieldsOf('channels', '?variant=email');
  const variants = new Set(fields.map(({ variant }) => variant));
  assert.deepEqual([...variants], [null, 'email']);
  assert.equal((await call('GET', '/v1/fields/channels?variant=fax')).status, 404);
  assert.equal((await call('GET', '/v1/fields/nothing')).status, 422);
});

test('says of an agent which layer each value comes from, and who locked it', async () => {
  const agent = await done('POST', '/v1/agents', {
    name: 'Locked',
    definition: { temperature: 0.2, pii_lock: true, base_tools: [{ type: 'todos', enabled: true }] },
    lock_reason: 'Works council',
  });
  const definition = { top_p: 0.5, tools: [{ type: 'code_execution', timeout: 5 }] };
  await done('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition });
  const settings = (await fieldsOf('agents', `?agent_id=${agent.id}`)).fields as AgentField[];
  const stateOf = (key: string) => {
    const { layer, locked } = settings.find((field) => field.key === key) as AgentField;
    return [layer, locked?.lock, locked?.reason];
  };
  assert.deepEqual(stateOf('temperature'), ['agent', undefined, undefined]);
  assert.deepEqual(stateOf('top_p'), ['draft', undefined, undefined]);
  assert.deepEqual(stateOf('max_tokens'), ['default', undefined, undefined]);
  assert.deepEqual(stateOf('pii_anonimization'), ['default', 'pii_lock', 'Works council']);
  assert.deepEqual(stateOf('pii_lock'), ['agent', 'pii_lock', 'Works council']);
  const { locked } = settings.find(({ key }) => key === 'pii_allow') as AgentField;
  assert.deepEqual(locked, agent.locks[0], 'with the name of who turned it on');

  const { fields } = await fieldsOf('base-tools', `?agent_id=${agent.id}`);
  const layers = (fields as AgentField[])
    .filter(({ layer }) => layer !== 'default')
    .map(({ variant, key, layer }) => [variant, key, layer]);
  assert.deepEqual(layers, [
    ['code_execution', 'enabled', 'draft'],
    ['code_execution', 'timeout', 'draft'],
    ['todos', 'enabled', 'agent'],
  ]);
});

test('names the permission that references of settings need', async () => {
  const { fields } = await fieldsOf('agents');
  const ids = { knowledge_base: 'x', workflow: 'x', agent: 'x', table: 'x', variable: 'x', file: 'x' };
  const samples = rightsSamples(ids);
  for (const { key, references, reference_permission } of fields.filter(({ path }) => path[0] === 'definition')) {
    // The sample of tables writes, and all are tried by a key that may run agents.
    const others = { agent: 'agents_run', table: 'tables_read' } as Record<string, string>;
    const needs = others[references ?? ''] ?? samples.get(key as SettingName)?.needs ?? null;
    if (references !== null || reference_permission !== null) assert.equal(reference_permission, needs, key);
  }
});

test('says nothing of an agent to a key that may not run agents or is of another workspace', async () => {
  const mine = await workspace();
  const agent = await done('POST', '/v1/agents', { name: 'Mine' }, mine.key);
  const path = `/v1/fields/agents?agent_id=${agent.id}`;
  const other = await workspace();
  const reader = await workspace(['files_read']);
  assert.equal((await call('GET', path, undefined, { key: mine.key })).status, 200);
  assert.equal((await call('GET', path, undefined, { key: other.key })).status, 404);
  assert.equal((await call('GET', path, undefined, { key: reader.key })).status, 403);
  assert.equal((await call('GET', '/v1/fields/agents', undefined, { key: reader.key })).status, 200);
  assert.equal((await call('GET', '/v1/fields/agents', undefined, { key: null })).status, 401);
  const refused = await call('GET', `/v1/fields/variables?agent_id=${agent.id}`, undefined, { key: mine.key });
  assert.equal(refused.status, 422, refused.text);
});

/** Values and where they go; answers the errors of the request by their path. */
type Send = (values: readonly [FormField, unknown][]) => Promise<{ status: number; text: string; paths: string[][] }>;

const bodyWith = (body: Record<string, unknown>, values: readonly [FormField, unknown][]) => {
  for (const [{ path }, value] of values) {
    let at = body;
    for (const part of path.slice(0, -1)) {
      at[part] = { ...((at[part] as object) ?? {}) };
      at = at[part] as Record<string, unknown>;
    }
    at[path.at(-1) as string] = value;
  }
  return body;
};
const sendBy =
  (method: string, path: string, body: (values: readonly [FormField, unknown][]) => unknown): Send =>
  async (values) => {
    const { status, text, json } = await call(method, path, body(values));
    const paths = (json?.detail ?? []).map(({ loc }: { loc: string[] }) => loc.slice(1));
    return { status, text: text.slice(0, 2000), paths };
  };
const sent =
  (body: Record<string, unknown> = {}) =>
  (values: readonly [FormField, unknown][]) =>
    bodyWith(structuredClone(body), values);

const beginsWith = (path: readonly string[], begin: readonly string[]) => begin.every((part, at) => path[at] === part);

/** What a schema alone can not judge: times, the environment, vaults, names of encodings. */
const judgedBy = new Set(['cron', 'timezone', 'env_var_name', 'vault_path', 'vault_key', 'csv_encoding']);
const isFree = ({ key, references }: FormField) => references === null && !judgedBy.has(key);

/** Sends defaults and values at the bounds, which must be accepted, and values past them, which must be refused by path. */
async function checkFields(
  fields: readonly FormField[],
  send: Send,
  { together = [] }: { together?: readonly ('accepted' | 'refused')[] } = {},
) {
  const rounds = (which: 'accepted' | 'refused', of: (field: FormField) => unknown[]): [FormField, unknown][][] => {
    const pairs = fields.map((field) => of(field).map((value): [FormField, unknown] => [field, value]));
    if (!together.includes(which)) return pairs.flat().map((pair) => [pair]);
    const most = Math.max(...pairs.map(({ length }) => length));
    return Array.from({ length: most }, (_, round) => pairs.flatMap((values) => values.slice(round, round + 1)));
  };
  const shown = (round: [FormField, unknown][]) =>
    round.length === 1 ? JSON.stringify([round[0]?.[0].path, round[0]?.[1]]).slice(0, 300) : '';
  for (const round of rounds('accepted', (field) => [
    field.default,
    ...(isFree(field) ? valuesAround(field).accepted : []),
  ])) {
    const { status, text } = await send(round);
    assert.equal(status, 200, `refuses ${shown(round)}: ${text}`);
  }
  for (const round of rounds('refused', (field) => valuesAround(field).refused)) {
    const { status, paths } = await send(round);
    const kept = round.filter(([{ path }]) => !paths.some((one) => beginsWith(one, path)));
    assert.deepEqual([status, kept.map(([field, value]) => [field.path, value])], [422, []], shown(round));
  }
}

test('values of agents are accepted within the bounds of their fields and refused past them', async () => {
  const { fields } = await fieldsOf('agents');
  const { id } = await done('POST', '/v1/agents', { name: 'Bounds' });
  const send = sendBy('PATCH', `/v1/agents/${id}?preview=true`, sent());
  await checkFields(
    fields.filter(({ key }) => key !== 'name'),
    send,
    { together: ['accepted', 'refused'] },
  );
});

test('values of base tools are accepted within the bounds of their fields and refused past them', async () => {
  const { fields } = await fieldsOf('base-tools');
  const { id } = await done('POST', '/v1/agents', { name: 'Bounds of tools' });
  const send: Send = async (values) => {
    const base_tools = values.map(([{ key, variant }, value]) => ({ type: variant, [key]: value }));
    const { status, text, json } = await call('PATCH', `/v1/agents/${id}?preview=true`, { definition: { base_tools } });
    // An entry of the list is named by its place and its type.
    const paths = (json?.detail ?? []).map(({ loc }: { loc: string[] }) => [...loc.slice(1, 3), ...loc.slice(4)]);
    return { status, text: text.slice(0, 2000), paths };
  };
  await checkFields(fields, send, { together: ['accepted', 'refused'] });
});

test('values of knowledge bases are accepted within the bounds of their fields and refused past them', async () => {
  const { fields } = await fieldsOf('knowledge-bases');
  // An overlap has to be less than its size.
  const partners = fields.filter(({ key }) => /chunk_(size|overlap)$/.test(key));
  const beside = Object.fromEntries(partners.map(({ key }) => [key, key.endsWith('size') ? 1_000_000 : 0]));
  const send = sendBy('POST', '/v1/knowledge-bases', sent({ name: 'Bounds', settings_: beside }));
  await checkFields(
    fields.filter(({ key }) => key !== 'name'),
    send,
    { together: ['refused'] },
  );
});

test('values of channels are accepted within the bounds of their fields and refused past them', async () => {
  const { id } = await done('POST', '/v1/agents', { name: 'Bounds of channels' });
  const configs: Record<string, Record<string, unknown>> = {
    web: {},
    webhook: { signing_secret: 'a secret of ours' },
    slack: { signing_secret: 'a secret of ours', bot_token: 'xoxb-a-token' },
    teams: { app_id: 'an app', app_password: 'a secret of ours' },
    email: { address: 'a@example.com', smtp_host: 'localhost', smtp_password: 'a secret of ours' },
  };
  const { fields, variants } = await fieldsOf('channels');
  for (const { variant: channel } of variants) {
    const config = configs[channel];
    const made = await done('POST', `/v1/agents/${id}/deployments`, { channel, config });
    const path = `/v1/agents/${id}/deployments/${made.id}`;
    const own = fields.filter(({ variant, key }) => (variant ?? channel) === channel && key !== 'channel');
    await checkFields(own, sendBy('PATCH', path, sent({ config })));
    for (const { key } of own.filter(({ required }) => required)) {
      const lacking = { ...config, [key]: null };
      const refused = await call('POST', `/v1/agents/${id}/deployments`, { channel, config: lacking });
      assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', 'config', key]], channel);
    }
  }
});

test('values of providers are accepted within the bounds of their fields and refused past them', async () => {
  const { fields, variants } = await fieldsOf('providers');
  for (const { variant: provider } of variants) {
    const account: Record<string, unknown> = { base_urls: ['https://models.example.com/v1'], api_key: 'a key of ours' };
    if (provider === 'bedrock') account['region'] = 'eu-central-1';
    const { id } = await done('POST', '/v1/admin/providers', { provider, ...account });
    const own = fields.filter(({ variant, key }) => (variant ?? provider) === provider && key !== 'provider');
    const bounded = own.map((field) => (field.required ? { ...field, default: account[field.key] } : field));
    const send = sendBy('PATCH', `/v1/admin/providers/${id}`, sent({ api_key: account['api_key'] }));
    await checkFields(bounded, send);
    await done('DELETE', `/v1/admin/providers/${id}`);
    for (const { key } of own.filter(({ required }) => required)) {
      const lacking = { provider, ...account, base_urls: [], [key]: null };
      const refused = await call('POST', '/v1/admin/providers', lacking);
      assert.equal(refused.status, 422, `${provider} without ${key}`);
    }
  }
});

test('values of triggers are accepted within the bounds of their fields and refused past them', async () => {
  const { id } = await done('POST', '/v1/agents', { name: 'Bounds of triggers' });
  const definitions: Record<string, Record<string, unknown>> = {
    schedule: { type: 'schedule', cron: '0 8 * * *' },
    webhook: { type: 'webhook' },
    event: { type: 'event', event: 'run' },
  };
  const { fields } = await fieldsOf('triggers');
  for (const [type, definition] of Object.entries(definitions)) {
    const made = await done('POST', `/v1/agents/${id}/triggers`, { definition });
    const own = fields.filter(({ variant, key }) => (variant ?? type) === type && key !== 'type');
    // A webhook with a secret asks for it, so that its other values are tried before.
    const ordered = [...own.filter(({ key }) => key !== 'secret'), ...own.filter(({ key }) => key === 'secret')];
    await checkFields(ordered, sendBy('PATCH', `/v1/triggers/${made.id}`, sent()));
    for (const { key } of own.filter(({ required }) => required)) {
      const refused = await call('POST', `/v1/agents/${id}/triggers`, { definition: { ...definition, [key]: null } });
      assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', 'definition', key]]);
    }
  }
  for (const channel of ['slack', 'teams']) {
    const own = fields.filter(({ variant }) => variant === channel);
    const bounded = own.map((field) => (field.required ? { ...field, default: 'T1' } : field));
    await checkFields(bounded, sendBy('POST', `/v1/agents/${id}/triggers/${channel}`, sent({ team_id: 'T1' })));
  }
});

test('values of variables are accepted within the bounds of their fields and refused past them', async () => {
  const { fields } = await fieldsOf('variables');
  const { id } = await done('POST', '/v1/variables', { name: 'bounds', inline_value: '1' });
  const own = fields.filter(({ key }) => !['type', 'source'].includes(key));
  const ofSecrets = ({ key }: FormField) => key === 'allowed_hosts';
  const [general, hosts] = [own.filter((field) => !ofSecrets(field)), own.filter(ofSecrets)];
  let count = 0;
  // In a PATCH an empty text means that none is given.
  const create: Send = (values) =>
    sendBy('POST', '/v1/variables', sent({ name: `bound_${++count}`, inline_value: '1' }))(values);
  const needed = ['name', 'inline_value'];
  const given = general.map((field) => (needed.includes(field.key) ? { ...field, default: 'given' } : field));
  await checkFields(given, create);
  const secret = { is_secret: true, allowed_hosts: ['api.example.com'], inline_value: 'x' };
  await checkFields(hosts, sendBy('PATCH', `/v1/variables/${id}`, sent(secret)));
  const types = fields.find(({ key }) => key === 'type')?.options?.map((option) => option.value);
  assert.deepEqual(types, ['string', 'number', 'boolean', 'object', 'datetime', 'file']);
});
