import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { allPermissions } from '@atrium/contract/permissions.ts';
import { zipSync } from 'fflate';
import { hashOf } from '../../src/features/keys/key-value.ts';
import type { Answer, TestApp } from '../support/test-app.ts';

/** A workspace with a system key and a key of its own, and one record of each kind, made when first asked for. */
export interface Place {
  workspace_id: string;
  system_key: string;
  /** Holds every permission that a key of one workspace can. */
  key: string;
  /** Calls with the system key; anything but 200 fails the test. Answers the JSON. */
  make(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer['json']>;
  record(kind: string): Promise<string>;
  call: TestApp['call'];
  query: TestApp['query'];
}

/**
 * One maker for each kind that an `x-refers-to` names, and for each path parameter that is no id. A record that needs
 * another (a version its agent) takes that from `place.record`, so that the records of one place belong together.
 */
const makers: Record<string, (place: Place) => Promise<string>> = {
  workspace: async (place) => place.workspace_id,
  api_key: async ({ make, workspace_id }) =>
    (await make('POST', `/v1/admin/groups/${workspace_id}/api-keys`, { name: 'walk' })).id,
  service_account: async ({ make, workspace_id }) => {
    const body = { name: 'walk', permissions: ['agents_run'] };
    return (await make('POST', `/v1/admin/groups/${workspace_id}/service-accounts`, body)).id;
  },
  person: async (place) => (await aMember(place)).person.id,
  // A member of the workspace, so that its administrators see it.
  user_group: async ({ make, record, workspace_id }) => {
    const { id } = await make('POST', '/v1/admin/user-groups', { name: `walk ${randomUUID()}` });
    const body = { role_id: await record('role') };
    await make('PUT', `/v1/admin/groups/${workspace_id}/member-groups/${id}`, body);
    await make('PUT', `/v1/admin/user-groups/${id}/members/${await record('person')}`);
    return id;
  },
  scim_token: async ({ make }) => (await make('POST', '/v1/admin/scim-tokens', { name: 'walk' })).id,
  scim_user: async (place) => (await makeByScim(place, 'Users', { userName: `walk-${hex()}@example.com` })).id,
  scim_group: async (place) => (await makeByScim(place, 'Groups', { displayName: `walk ${hex()}` })).id,
  'path:resource_type': async () => 'User',
  'path:schema_urn': async () => 'urn:ietf:params:scim:schemas:core:2.0:User',
  // An erasure takes its person with it.
  data_job: async (place) =>
    (await place.make('POST', `/v1/admin/users/${(await aMember(place)).person.id}/export`)).id,
  session: async (place) => (await aMember(place)).id,
  invitation: async (place) => (await anInvitation(place)).id,
  role: async ({ make, workspace_id: group_id }) =>
    (await make('POST', '/v1/admin/roles', { name: `walk ${randomUUID()}`, group_id })).id,
  identity_provider: async ({ make }) =>
    (
      await make('POST', '/v1/admin/identity-providers', {
        ...{ name: `walk-${hex()}`, issuer: `https://127.0.0.1:9/${hex()}`, client_id: 'walk' },
      })
    ).id,
  // A person links one by a sign-in at a provider, which provider-sign-in.deep.test.ts does.
  identity: async () => randomUUID(),
  // Of a person, whom keys do not stand for.
  notification: async () => randomUUID(),
  push_subscription: async () => randomUUID(),
  budget: async ({ make, workspace_id: group_id }) =>
    (await make('POST', '/v1/admin/budgets', { name: 'walk', group_id, max_tokens: 1_000_000_000, period: 'month' }))
      .id,
  provider: async ({ make }) => (await make('POST', '/v1/admin/providers', aProvider())).id,
  // Names a built-in model: a provider from another test may be unreachable, and the run would retry it.
  agent: async ({ make }) =>
    (await make('POST', '/v1/agents', { name: 'walk', definition: { model: ['atrium/extractive'] } })).id,
  unlock_request: async ({ make, record }) => {
    const at = `/v1/agents/${await record('agent')}`;
    await make('PATCH', at, { definition: { pii_lock: true } });
    return (await make('POST', `${at}/unlock-requests`, { lock: 'pii_lock', reason: 'walk' })).id;
  },
  agent_version: async ({ make, record }) =>
    (await make('POST', `/v1/agents/${await record('agent')}/versions`, { name: 'walk' })).id,
  conversation: async ({ make, record }) =>
    (await make('POST', `/v1/conversations?assistant_id=${await record('agent')}`, { name: 'walk' })).id,
  conversation_share: async ({ make, record }) => {
    const body = { person_id: await record('person') };
    return (await make('POST', `/v1/conversations/${await record('conversation')}/shares`, body)).id;
  },
  // One that waits for a person takes no message, and would refuse what others are tried with.
  waiting_conversation: async ({ make, record }) =>
    (await make('POST', `/v1/conversations?assistant_id=${await record('agent')}`, { name: 'walk' })).id,
  message: async ({ make, record }) =>
    (await make('POST', `/v1/conversations/${await record('conversation')}`, { content: 'walk' })).messages[0].id,
  run: async ({ make, record }) => {
    await record('message');
    return (await make('GET', '/v1/runs?kind=conversation')).items[0].id;
  },
  model_call: async ({ make, record }) => {
    const { steps } = await make('GET', `/v1/runs/${await record('run')}/trace`);
    return steps.find(({ kind }: { kind: string }) => kind === 'model').id;
  },
  approval: async ({ make, record }) => {
    const at = `/v1/conversations/${await record('waiting_conversation')}`;
    // This model does what a message names.
    const tools = [{ type: 'clock', requires_approval: true }];
    await make('PATCH', at, { settings: { model: ['atrium/extractive'], tools } });
    await make('POST', at, { content: 'walk', tool: 'clock_now' });
    return (await make('GET', `${at}/approvals`)).items[0].id;
  },
  file: async ({ make }) => (await make('POST', '/v1/files', form('file').body, form('file').headers)).id,
  upload: async ({ call, system_key }) => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '4' };
    return (await call('POST', '/v1/uploads', undefined, { key: system_key, headers })).json.id;
  },
  conversation_file: async (place) =>
    (await made(place, 'filesystem_write', { path: 'walk.txt', content: 'walk' })).files[0].id,
  agent_memory: async (place) => (await made(place, 'agent_memory_remember', { text: 'walk' })).id,
  conversation_memory: async (place) => (await made(place, 'memory_remember', { text: 'walk' })).id,
  variable: async ({ make }) => (await make('POST', '/v1/variables', { name: `walk_${hex()}`, inline_value: 'x' })).id,
  vault_credential: async ({ make }) => (await make('POST', '/v1/vault-credentials', aVault())).id,
  mcp_server: async ({ make }) => (await make('POST', '/v1/mcp-servers', { url: `http://127.0.0.1:9/${hex()}` })).id,
  'path:mcp_server_id': ({ record }) => record('mcp_server'),
  table: async ({ make }) =>
    (await make('POST', '/v1/tables', { name: 'walk', columns: [{ name: 'name', type: 'text' }] })).id,
  // A column, of the table above.
  'path:name': async () => 'name',
  'path:page': async () => '1',
  'path:row_id': async ({ make, record }) =>
    (await make('POST', `/v1/tables/${await record('table')}/rows`, { name: 'walk' })).id,
  table_change: async ({ make, record }) => {
    const at = `/v1/tables/${await record('table')}`;
    await make('POST', `${at}/rows`, { name: 'walk' });
    return (await make('GET', `${at}/changes`)).items[0].id;
  },
  sandbox: async ({ make }) => {
    const { id } = await make('POST', '/v1/sandboxes', { label: 'walk' });
    // What the sample of a path names.
    await make('POST', `/v1/sandboxes/${id}/files`, { path: 'x', content: 'walk' });
    return id;
  },
  // One that has ended, since not every engine has terminals, and since its output has an end.
  terminal: async ({ record, query }) => {
    const [row] = await query(
      `insert into sandbox_terminals (workspace_id, id, sandbox_id, created_by, rows, cols, status, reason)
       select workspace_id, gen_random_uuid(), id, created_by, 24, 80, 'ended', 'exit' from sandboxes where id = $1
       returning id`,
      [await record('sandbox')],
    );
    return row.id;
  },
  knowledge_base: async ({ make }) => (await make('POST', '/v1/knowledge-bases', { name: 'walk' })).id,
  kb_document: async ({ make, record }) =>
    (await make('POST', `/v1/knowledge-bases/${await record('knowledge_base')}/document`, { name: 'walk' })).id,
  // Nothing is trained here; passages added by hand need a document that looks as if it were.
  kb_chunk: async ({ make, record, query }) => {
    const at = `/v1/knowledge-bases/${await record('knowledge_base')}/document`;
    const { id } = await make('POST', at, { name: 'walk' });
    await query("update kb_documents set status = 'trained', live_run = gen_random_uuid() where id = $1", [id]);
    return (await make('POST', `${at}/${id}/chunks`, { content: 'walk' })).id;
  },
  // With a draft, so that the operations on drafts find one.
  workflow: async ({ make }) => {
    const { id } = await make('POST', '/v1/workflows', { name: 'walk', definition: anApproval });
    await make('PATCH', `/v1/workflows/${id}?preview=true`, { definition: anApproval });
    return id;
  },
  workflow_version: async ({ make, record }) =>
    (await make('POST', `/v1/workflows/${await record('workflow')}/versions`, { name: 'walk' })).id,
  'path:node_id': async ({ make, record }) => {
    await make('POST', `/v1/workflows/${await record('workflow')}/samples`, {
      node_id: 'in',
      outputs: { output: 'x' },
    });
    return 'in';
  },
  // It waits for an approval and never ends by itself.
  workflow_run: async ({ make, record }) =>
    (await make('POST', `/v1/workflows/${await record('workflow')}/runs/sync`, {})).id,
  workflow_approval: async ({ make, record }) =>
    (await make('GET', `/v1/runs/${await record('workflow_run')}/approvals`))[0].id,
  // At an address that is not fetched from.
  kb_site: async ({ make, record }) =>
    (
      await make('POST', `/v1/knowledge-bases/${await record('knowledge_base')}/sites`, {
        url: `http://127.0.0.1:9/${hex()}`,
      })
    ).id,
  trigger: async (place) => (await aHook(place)).id,
  trigger_delivery: async ({ make, record }) =>
    (await make('POST', `/v1/triggers/${await record('trigger')}/fire`, {})).id,
  webhook: async ({ make }) => (await make('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9', events: ['run'] })).id,
  webhook_delivery: async ({ make, record }) => (await make('POST', `/v1/webhooks/${await record('webhook')}/test`)).id,
  'path:routing_key': async (place) => (await aHook(place)).routing_key,
  deployment: async ({ make, record }) =>
    (await make('POST', `/v1/agents/${await record('agent')}/deployments`, { channel: 'webhook' })).id,
  'path:deployment_id': ({ record }) => record('deployment'),
  evaluation: async ({ make, record }) =>
    (
      await make('POST', '/v1/evaluations', {
        name: 'walk',
        agent_id: await record('agent'),
        cases: [{ messages: ['x'] }],
      })
    ).id,
  evaluation_case: async ({ make, record }) =>
    (await make('GET', `/v1/evaluations/${await record('evaluation')}`)).cases[0].id,
  // Nothing is run here; marks need a result.
  evaluation_run: async ({ make, record, query, workspace_id }) => {
    const { id } = await make('POST', `/v1/evaluations/${await record('evaluation')}/runs`, {});
    await query('insert into evaluation_results values ($1, $2, 0, $3)', [workspace_id, id, JSON.stringify(aResult)]);
    return id;
  },
  'path:preset_name': async () => 'cost',
  'path:token': async ({ make, record }) =>
    (await make('POST', `/v1/conversations/${await record('conversation')}/share`)).public_access_token,
};

/** The token that a place's directory comes with. */
export const scimTokenOf = async ({ make }: Place): Promise<string> =>
  (await make('POST', '/v1/admin/scim-tokens', { name: 'walk' })).value;
const makeByScim = async (place: Place, kind: string, body: object): Promise<Answer['json']> => {
  const { json, status, text } = await place.call('POST', `/scim/v2/${kind}`, body, {
    ...{ key: null, headers: { authorization: `Bearer ${await scimTokenOf(place)}` } },
  });
  assert.equal(status, 201, text);
  return json;
};

const anInvitation = async ({ make, record, workspace_id }: Place) =>
  make('POST', `/v1/admin/groups/${workspace_id}/invitations`, {
    ...{ email: `walk-${hex()}@example.com`, role_id: await record('role') },
  });
/** A person with an account of their own and a session. */
const aMember = async (place: Place) =>
  place.make('POST', '/v1/auth/invitations/accept', {
    ...{ token: (await anInvitation(place)).token, name: 'walk', password: 'a stroll along the river' },
  });

/** Makes the built-in model call a tool in the place's conversation and returns the tool's result. */
async function made({ make, record }: Place, tool: string, input: object): Promise<Answer['json']> {
  const at = `/v1/conversations/${await record('conversation')}`;
  const types = ['memory', 'agent_memory', 'filesystem'].map((type) => ({ type, enabled: true }));
  await make('PATCH', at, { settings: { model: ['atrium/extractive'], base_tools: types, pii_anonimization: [] } });
  const { messages } = await make('POST', at, { content: JSON.stringify(input), tool });
  const part = messages.at(-1).message_parts.find(({ type }: { type: string }) => type === 'function');
  return JSON.parse(part.content);
}

/** A provider at an address without a listener, so that requests to it fail at once. */
const aProvider = () => ({
  provider: 'openai-compatible',
  name: `walk-${randomUUID()}`,
  base_urls: ['http://127.0.0.1:9/v1'],
});

/** A workflow whose runs wait for a person. */
const anApproval = {
  nodes: [
    { id: 'ask', type: 'ApprovalNode', node_config: { question: 'walk' } },
    // The input that the example of the operation sends.
    { id: 'in', type: 'InputNode', node_config: { label: 'Author', value: 'Bo' } },
  ],
  edges: [],
};

const aHook = async ({ make, record }: Place) =>
  make('POST', `/v1/agents/${await record('agent')}/triggers`, { definition: { type: 'webhook' } });
/** The stored result of a case that has failed. */
const aResult = {
  ...{ position: 0, name: 'walk', answer: '', passed: false, reason: null, tool_calls: [], cost: null, ms: 1 },
  ...{ scores: { expected: null, judge: null, citations: null }, input_tokens: 0, output_tokens: 0, error: 'walk' },
};
const hex = () => randomUUID().replaceAll('-', '');
const aVault = () => ({ name: `walk-${hex()}`, address: 'http://127.0.0.1:9', token: 'walk' });

/** A multipart body with one small file. */
/** The archive of an empty workspace. */
const anArchive = () => {
  const workspace = { name: 'walk', description: null, pii_allow: [] };
  const manifest = { format: 'atrium.workspace', version: 1, exported_at: '2026-01-01T00:00:00Z', workspace };
  return zipSync({ 'manifest.json': Buffer.from(JSON.stringify(manifest)) });
};

export const form = (field: string, operation_id?: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=walk' },
  body: Buffer.concat([
    Buffer.from(`--walk\r\ncontent-disposition: form-data; name="${field}"; filename="a.txt"\r\n\r\n`),
    operation_id === 'workspaces.import' ? anArchive() : Buffer.from('hello'),
    Buffer.from('\r\n--walk--\r\n'),
  ]),
});

/** Kinds whose records a whole tenant shares: another workspace's are no secret, another tenant's are. */
export const tenantWide: ReadonlySet<string> = new Set([
  ...['workspace', 'role', 'provider', 'identity_provider', 'person', 'user_group', 'budget'],
  ...['scim_user', 'scim_group', 'scim_token'],
]);

export const hasMaker = (kind: string) => Object.hasOwn(makers, kind);

export async function makePlace({ call, query }: TestApp, creator?: string): Promise<Place> {
  type Headers = Record<string, string>;
  const as = async (key: string | undefined, method: string, path: string, body?: unknown, headers: Headers = {}) => {
    const answer = await call(method, path, body, key === undefined ? { headers } : { key, headers });
    assert.equal(answer.status, 200, `a fixture could not be made: ${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const { id: workspace_id } = await as(creator, 'POST', '/v1/admin/groups', { name: 'walk' });
  const newKey = async (fields: object) =>
    (await as(creator, 'POST', `/v1/admin/groups/${workspace_id}/api-keys`, { name: 'walk', ...fields })).value;
  const system_key: string = await newKey({ tenant_admin: true });
  const key: string = await newKey({ permissions: allPermissions.filter((name) => name !== 'org:admin') });
  const records = new Map<string, Promise<string>>();
  const place: Place = {
    workspace_id,
    system_key,
    key,
    call,
    query,
    make: (method, path, body, headers) => as(system_key, method, path, body, headers),
    record(kind) {
      const made = records.get(kind) ?? (makers[kind] as (place: Place) => Promise<string>)(place);
      records.set(kind, made);
      return made;
    },
  };
  return place;
}

/** No operation makes a tenant, so SQL does. Returns a system key of it. */
export async function makeTenant({ query }: TestApp): Promise<string> {
  const [tenant, home, value] = [randomUUID(), randomUUID(), `atr_${randomUUID()}${randomUUID()}`];
  await query('insert into tenants (id, name) values ($1, $2)', [tenant, 'another']);
  await query('insert into workspaces (id, tenant_id, name) values ($1, $2, $3)', [home, tenant, 'home']);
  await query(
    `with owner as (
       insert into service_accounts (id, tenant_id, name, permissions) values ($2, $3, 'another', '{org:admin}') returning id)
     insert into api_keys (workspace_id, id, tenant_id, name, hash, hint, tenant_admin, permissions, service_account_id)
     select $1, $2, $3, 'another', $4, 'atr', true, '{org:admin}', id from owner`,
    [home, randomUUID(), tenant, hashOf(value)],
  );
  return value;
}

/** A key that holds all permissions but one, or a few, and none that would stand in for it. */
export async function makeKeyLacking(
  { make, workspace_id }: Place,
  needed: string | readonly string[],
): Promise<string> {
  const left = new Set([needed, 'workspace_admin', 'org:admin'].flat());
  const permissions = allPermissions.filter((name) => !left.has(name));
  return (await make('POST', `/v1/admin/groups/${workspace_id}/api-keys`, { name: 'walk', permissions })).value;
}

/** Headers that must open nothing, by what is wrong with them. */
export async function badCredentialsOf({ query }: TestApp, { make, workspace_id, key, system_key }: Place) {
  const expired = await make('POST', `/v1/admin/groups/${workspace_id}/api-keys`, { name: 'expired' });
  await query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.id]);
  return {
    none: {},
    empty: { 'x-api-key': '' },
    'an empty bearer': { authorization: 'Bearer ' },
    wrong: { 'x-api-key': `${key}x` },
    'cut short': { 'x-api-key': key.slice(0, -1) },
    expired: { 'x-api-key': expired.value },
    'in the wrong scheme': { authorization: `Basic ${key}` },
    'two different': { 'x-api-key': key, authorization: `Bearer ${system_key}` },
    'right and wrong': { 'x-api-key': system_key, authorization: 'Bearer wrong' },
  } as Record<string, Record<string, string>>;
}
