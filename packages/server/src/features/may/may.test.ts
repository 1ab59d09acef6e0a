import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MayKind, mayActions } from '@atrium/contract/may.ts';
import { operations } from '@atrium/contract/operations.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { required } from '../../lib/required.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await scriptedApp();
const { call } = app;
const people = await makePeopleIn(app);
const { home } = people;
const admin = await people.aMember('Admin');
const editor = await people.aMember('Editor');
const reader = await people.aMember('Reader');
const weak = await call('POST', `/v1/admin/groups/${home}/api-keys`, {
  name: 'weak',
  permissions: ['agents_run', 'flows_edit', 'flows_run', 'insights_read', 'files_read', 'integrations_edit'],
});
/** Callers of every role; the session of the administrator is also the maker of most items. */
const callers: [string, object][] = [
  ['the system key', {}],
  ['a workspace administrator', as(admin.cookie)],
  ['an editor', as(editor.cookie)],
  ['a reader', as(reader.cookie)],
  ['a weak key', { key: weak.json.value }],
];

const make = async (method: string, path: string, body?: unknown, options: object = {}) => {
  const answer = await call(method, path, body, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const agent = await make('POST', '/v1/agents', { name: 'A', definition: { model: ['atrium/extractive'] } });
const flow = await make('POST', '/v1/workflows', { name: 'W' });
const schedule = { name: 'T', definition: { type: 'schedule', cron: '0 9 * * 1' }, enabled: false };

type Ids = Record<string, string>;
interface Sample {
  make(): Promise<Ids>;
  get: string;
  /** Where the item has no operation of its own: how to find it in the list. */
  find?(list: { id?: string; person_id?: string }[], ids: Ids): unknown;
}
const named = (path: string, id: string, body: object, at = path): Sample => ({
  make: async () => ({ [id]: (await make('POST', path, body)).id }),
  get: `${at}/{${id}}`,
});
const boundary = 'x';
const upload = async () =>
  (
    await call(
      'POST',
      '/v1/files',
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--${boundary}--\r\n`,
      { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } },
    )
  ).json;
const group = { group_id: home };
const inKeys = (list: { id?: string }[], ids: Ids) => list.find(({ id }) => id === ids.api_key_id);

const samples: [MayKind, Sample][] = [
  ['agent', named('/v1/agents', 'agent_id', { name: 'B' })],
  [
    'agent',
    {
      ...named('/v1/agents', 'agent_id', { name: 'Locked', definition: { pii_lock: true } }),
      async make() {
        const { id } = await make('POST', '/v1/agents', { name: 'Locked', definition: { pii_lock: true } });
        const asked = { lock: 'pii_lock', reason: 'x' };
        return { agent_id: id, request_id: (await make('POST', `/v1/agents/${id}/unlock-requests`, asked)).id };
      },
    },
  ],
  ['conversation', named(`/v1/conversations`, 'conversation_id', { name: 'of a key' })],
  [
    'conversation',
    {
      get: '/v1/conversations/{conversation_id}',
      async make() {
        const { id } = await make('POST', '/v1/conversations', {});
        await make('POST', `/v1/conversations/${id}/lock`, {});
        return { conversation_id: id };
      },
    },
  ],
  [
    'conversation',
    {
      get: '/v1/conversations/{conversation_id}',
      make: async () => ({ conversation_id: (await make('POST', '/v1/conversations', {}, as(reader.cookie))).id }),
    },
  ],
  [
    'conversation',
    {
      get: '/v1/conversations/{conversation_id}',
      make: async () => ({
        conversation_id: (await make('POST', `/v1/conversations?assistant_id=${agent.id}`, { preview: true })).id,
      }),
    },
  ],
  ['workflow', named('/v1/workflows', 'workflow_id', { name: 'W' })],
  ['knowledge_base', named('/v1/knowledge-bases', 'knowledge_base_id', { name: 'K' })],
  ['table', named('/v1/tables', 'table_id', { name: 'T', columns: [{ name: 'name', type: 'text' }] })],
  ['file', { make: async () => ({ file_id: (await upload()).id }), get: '/v1/files/{file_id}/info' }],
  [
    'variable',
    {
      make: async () => ({
        variable_id: (
          await make('POST', '/v1/variables', { name: `v_${Math.random()}`.replace('.', ''), inline_value: 'x' })
        ).id,
      }),
      get: '/v1/variables/{variable_id}',
    },
  ],
  ['trigger', named(`/v1/agents/${agent.id}/triggers`, 'trigger_id', schedule, '/v1/triggers')],
  ['trigger', named(`/v1/workflows/${flow.id}/triggers`, 'trigger_id', schedule, '/v1/triggers')],
  [
    'deployment',
    {
      make: async () => ({
        agent_id: agent.id,
        deployment_id: (await make('POST', `/v1/agents/${agent.id}/deployments`, { channel: 'webhook' })).id,
      }),
      get: '/v1/agents/{agent_id}/deployments/{deployment_id}',
    },
  ],
  ...[{ permissions: ['agents_run'] }, { tenant_admin: true }, { permissions: ['audit_read'] }].map(
    (body): [MayKind, Sample] => [
      'api_key',
      {
        make: async () => ({
          ...group,
          api_key_id: (await make('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k', ...body })).id,
        }),
        get: '/v1/admin/groups/{group_id}/api-keys',
        find: inKeys,
      },
    ],
  ),
  ...[false, true].map((tenant_admin): [MayKind, Sample] => [
    'member',
    {
      async make() {
        const { id } = await people.aMember('Reader');
        if (tenant_admin) await make('PATCH', `/v1/admin/users/${id}`, { tenant_admin });
        return { ...group, person_id: id };
      },
      get: '/v1/admin/groups/{group_id}/members',
      find: (list, ids) => list.find(({ person_id }) => person_id === ids.person_id),
    },
  ]),
  [
    'role',
    {
      make: async () => ({ role_id: (await make('POST', '/v1/admin/roles', { name: `r ${Math.random()}` })).id }),
      get: '/v1/admin/roles/{role_id}',
    },
  ],
  ['role', { make: async () => ({ role_id: people.roleNamed('Editor') }), get: '/v1/admin/roles/{role_id}' }],
  ['webhook', named('/v1/webhooks', 'webhook_id', { url: 'https://hooks.example', events: ['run'] })],
  [
    'evaluation',
    named('/v1/evaluations', 'evaluation_id', { name: 'E', agent_id: agent.id, cases: [{ messages: ['x'] }] }),
  ],
];

const bodies: Record<string, () => object> = {
  'conversations.create': () => ({}),
  'unlockRequests.decide': () => ({ decision: 'refuse' }),
  'messages.send': () => ({ content: 'x' }),
  'messages.replyAsPerson': () => ({ content: 'x' }),
  'members.set': () => ({ role_id: people.roleNamed('Reader') }),
  'rows.insert': () => ({ name: 'x' }),
};
const fill = (path: string, ids: Ids) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? '00000000-0000-7000-8000-000000000001');

/** Whether the operation refuses by rights or because of the item's state: 403, 409 for a default role, 423 for a lock. */
async function isRefused(id: string, ids: Ids, options: object) {
  const { route, example } = required(operations.find((operation) => operation.id === id));
  const [method = '', path = ''] = route.split(' ');
  const query = id === 'conversations.create' ? `?assistant_id=${ids.agent_id}` : '';
  const isBare = method === 'GET' || method === 'DELETE';
  const body = isBare
    ? undefined
    : (bodies[id]?.() ?? (id.endsWith('.update') ? { name: `n${Math.random()}` } : (example ?? {})));
  const answer = await call(method, fill(path, ids) + query, body, options);
  return { refused: [403, 423].includes(answer.status) || /default role/.test(answer.text), text: answer.text };
}

for (const [index, [kind, sample]] of samples.entries())
  test(`may of ${kind} (${index}) is what its operations answer, for callers of every role`, async () => {
    for (const [who, options] of callers) {
      const ids = await sample.make();
      const read = await call('GET', fill(sample.get, ids), undefined, options);
      if (read.status === 403 || read.status === 404) continue;
      const item = sample.find ? sample.find(read.json, ids) : read.json;
      const { may } = item as { may: Record<string, boolean> };
      assert.deepEqual(Object.keys(may), Object.keys(mayActions[kind]));
      for (const [action, operation] of Object.entries(mayActions[kind])) {
        if (action === 'unlock' && kind === 'agent' && !ids.request_id) {
          assert.equal(may.unlock, false);
          continue;
        }
        const { refused, text } = await isRefused(operation, await sample.make(), options);
        assert.equal(may[action], !refused, `${who}, ${kind}.${action}: ${text}`);
      }
    }
  });

test('lists have may on every item', async () => {
  const lists = [
    '/v1/agents',
    '/v1/conversations?include_empty=true',
    '/v1/workflows',
    '/v1/knowledge-bases',
    '/v1/tables',
  ];
  const more = ['/v1/files', '/v1/variables', '/v1/webhooks', '/v1/evaluations', `/v1/admin/groups/${home}/members`];
  for (const path of [
    ...lists,
    ...more,
    '/v1/admin/roles',
    `/v1/admin/groups/${home}/api-keys`,
    '/v1/admin/api-keys',
  ]) {
    const { json } = await call('GET', path);
    const items = Array.isArray(json) ? json : json.items;
    assert.ok(items.length > 0, path);
    for (const item of items) assert.equal(typeof item.may?.delete, 'boolean', path);
  }
});
