import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { archivesApp, edited, inWorkspace, type Named, namesOf, shown } from './testing.ts';

const app = await archivesApp();
const { call, good, exported, imported, workspace, within } = app;

async function aWorkspaceWithAutomation() {
  const here = await workspace('Plant');
  const { make } = here;
  const role = await make('/v1/admin/roles', {
    ...{
      name: 'Operator',
      description: 'Runs it',
      group_id: here.id,
      permissions: { agents_run: true, kbs_query: true },
    },
  });
  const table = await make('/v1/tables', { name: 'Orders', columns: [{ name: 'a' }] });
  const base = await make('/v1/knowledge-bases', { name: 'Manuals' });
  const visible_to = [{ kind: 'role', id: role.id }];
  await make(`/v1/knowledge-bases/${base.id}/document`, { name: 'For operators', visible_to });
  const agent = await make('/v1/agents', { name: 'Foreman', definition: { model: ['atrium/extractive'] } });
  const flow = await make('/v1/workflows', { name: 'Flow', definition: { nodes: [], edges: [] } });
  const version = await make(`/v1/workflows/${flow.id}/versions`, { name: 'first' });
  const [ofAgent, ofFlow] = [`/v1/agents/${agent.id}`, `/v1/workflows/${flow.id}`];
  await make(`${ofAgent}/triggers`, {
    name: 'Each morning',
    definition: { type: 'schedule', cron: '0 8 * * 1-5', timezone: 'Europe/Berlin', message: 'Good morning' },
  });
  await make(`${ofFlow}/triggers`, {
    ...{ name: 'By hook', workflow_version_id: version.id },
    definition: { type: 'webhook', auth: 'hmac', secret: 'zanthoxyl-hook', input: { api_token: 'zanthoxyl', a: 1 } },
  });
  await make(`${ofFlow}/triggers`, {
    ...{ name: 'New order', definition: { type: 'event', event: 'row.created', table_id: table.id } },
  });
  await make(`${ofAgent}/triggers`, {
    ...{ name: 'Trained', definition: { type: 'event', event: 'document', knowledge_base_id: base.id } },
  });
  await make(`${ofAgent}/triggers/slack`, { team_id: 'T1', channel: 'C1', keyword: 'help' });
  await make(`${ofAgent}/deployments`, {
    ...{ channel: 'slack', name: 'Chat', custom_instructions: `Ask ${flow.id}` },
    config: { signing_secret: 'zanthoxyl-sign', bot_token: 'xoxb-zanthoxyl', respond_to: 'mentions' },
  });
  await make(`${ofAgent}/deployments`, { channel: 'web', name: 'Page', config: { title: 'Ask us' } });
  await make(`${ofAgent}/deployments`, {
    ...{ channel: 'webhook', name: 'Hook', config: { reply_url: 'https://ex.example/in?token=zanthoxyl&a=1' } },
  });
  await make('/v1/webhooks', {
    ...{
      name: 'Pager',
      url: 'https://ex.example/x?key=zanthoxyl',
      events: ['run', 'row.created'],
      secret: 'zanthoxyl-out',
    },
  });
  await make('/v1/evaluations', {
    ...{ name: 'Greets', agent_id: agent.id },
    cases: [
      {
        ...{ messages: ['Hello'], expected: 'Hi', match: 'contains', citations: ['Manual'] },
        tools: [{ name: 'rows', input: { table_id: table.id }, output: [1] }],
      },
    ],
  });
  return { ...here, role, table, agent, flow };
}

/** What the API shows of roles and of what acts by itself, with names in place of ids. */
async function automationOf(group_id: string) {
  const { get } = within(group_id);
  const listed = async (path: string) => (await get(path)).items as Named[];
  const [agents, workflows, tables, bases, webhooks, evaluations] = await Promise.all(
    ['agents', 'workflows', 'tables?source=custom', 'knowledge-bases', 'webhooks', 'evaluations'].map((path) =>
      listed(`/v1/${path}`),
    ),
  ).then((lists) => lists as [Named[], Named[], Named[], Named[], Named[], Named[]]);
  const roles = (await get('/v1/admin/roles')).filter((role: { group_id: string }) => role.group_id === group_id);
  const [agent, flow, base] = [agents[0] as Named, workflows[0] as Named, bases[0] as Named];
  const triggers = [
    ...(await get(`/v1/agents/${agent.id}/triggers`)),
    ...(await listed(`/v1/workflows/${flow.id}/triggers`)),
  ] as Named[];
  const deployments = await listed(`/v1/agents/${agent.id}/deployments`);
  const documents = await listed(`/v1/knowledge-bases/${base.id}/documents`);
  const versions = (await get(`/v1/workflows/${flow.id}/versions`)) as Named[];
  const lists = [agents, workflows, tables, bases, webhooks, evaluations, roles, triggers, deployments, documents];
  const names = namesOf(group_id, ...lists, versions);
  return { ...shown({ roles, triggers, deployments, webhooks, evaluations, documents }, names), triggers_: triggers };
}

const plant = await aWorkspaceWithAutomation();
const archive = await exported(plant.id);

test('imports roles, triggers, deployments, webhooks and evaluations, switched off and without secrets', async () => {
  const counts = { roles: 1, triggers: 5, deployments: 3, webhooks: 1, evaluations: 1 };
  assert.partialDeepStrictEqual(archive.job.report, counts);
  const done = await imported(archive.bytes);
  assert.deepEqual([done.status, done.error], ['done', null]);
  assert.partialDeepStrictEqual(done.report, counts);
  const [{ triggers_: hooks, ...before }, { triggers_: made, ...after }] = [
    await automationOf(plant.id),
    await automationOf(done.group_id),
  ];
  for (const trigger of before.triggers) {
    Object.assign(trigger, { enabled: false, health: 'off', next_fires: [] });
    delete trigger.definition.secret;
    if (trigger.name === 'By hook') trigger.definition.input = { a: 1 };
  }
  for (const deployment of before.deployments) {
    const { config } = deployment;
    Object.assign(deployment, { enabled: false, health: 'off' });
    for (const name of ['signing_secret', 'bot_token']) if (name in config) config[name] = null;
    if (config.reply_url) config.reply_url = 'https://ex.example/in?a=1';
  }
  Object.assign(before.webhooks[0], { enabled: false, url: 'https://ex.example/x' });
  // Addresses that others could use are new, and so are ids.
  const keyOf = (list: Record<string, unknown>[]) => list.find(({ name }) => name === 'By hook')?.['routing_key'];
  assert.notEqual(keyOf(made), keyOf(hooks));
  for (const list of [before, after]) {
    for (const trigger of list.triggers) if (trigger.name === 'By hook') delete trigger.routing_key;
    for (const deployment of list.deployments) for (const key of ['page_path', 'embed_path']) delete deployment[key];
    for (const { cases } of list.evaluations) for (const one of cases) delete one.id;
  }
  assert.equal(before.triggers.length, 5);
  assert.deepEqual(after, before);

  const left = done.follow_up.map(({ what, kind, name, detail }: Record<string, string>) =>
    [what, kind, name, detail].join(' '),
  );
  assert.deepEqual(left.toSorted(), [
    'secret deployment Chat config.bot_token',
    'secret deployment Chat config.signing_secret',
    'secret deployment Hook config.reply_url',
    'secret deployment Hook config.signing_secret',
    'secret trigger By hook definition.input',
    'secret trigger By hook definition.secret',
    'secret webhook Pager secret',
    'secret webhook Pager url',
  ]);
});

test('the archive has no secret of triggers, deployments and webhooks', () => {
  const entries = Object.values(unzipSync(archive.bytes)).map((bytes) => strFromU8(bytes));
  assert.doesNotMatch(entries.join('\n'), /zanthoxyl|whsec_|routing_key/);
});

test('an imported deployment or webhook trigger works only after its secrets are given', async () => {
  const { group_id } = await imported(archive.bytes);
  const { get, patch } = within(group_id);
  const there = inWorkspace(group_id);
  const [agent] = (await get('/v1/agents')).items;
  const at = `/v1/agents/${agent.id}/deployments`;
  const byName = Object.fromEntries((await get(at)).items.map((one: Named) => [one.name, one]));
  const chat = await call('PATCH', `${at}/${byName.Chat.id}`, { enabled: true }, there);
  assert.equal(chat.status, 422, chat.text);
  assert.match(chat.text, /signing_secret.*bot_token/);
  const hook = await call('PATCH', `${at}/${byName.Hook.id}`, { enabled: true }, there);
  assert.equal(hook.status, 422, hook.text);
  await good('POST', `${at}/${byName.Hook.id}/rotate`, {}, there);
  assert.equal((await patch(`${at}/${byName.Hook.id}`, { enabled: true })).enabled, true);
  const config = { signing_secret: 'a new secret', bot_token: 'xoxb-another' };
  assert.equal((await patch(`${at}/${byName.Chat.id}`, { enabled: true, config })).enabled, true);

  const [flow] = (await get('/v1/workflows')).items;
  const trigger = (await get(`/v1/workflows/${flow.id}/triggers`)).items.find(({ name }: Named) => name === 'By hook');
  const send = () => call('POST', `/hooks/${trigger.routing_key}`, {}, { key: null });
  assert.equal((await send()).status, 401);
  const enabled = await patch(`/v1/triggers/${trigger.id}`, { enabled: true });
  assert.match(enabled.definition.secret, /^whsec_/);
  assert.equal((await send()).status, 401);
});

test('leaves out what belongs to records that the archive does not have', async () => {
  const foreign = await good('POST', '/v1/agents', { name: 'Foreign' });
  const table = await good('POST', '/v1/tables', { name: 'Foreign' });
  let { bytes } = archive;
  const swap = (from: string, to: string) => (text: string) => text.replaceAll(`"${from}"`, `"${to}"`);
  for (const name of ['deployments', 'evaluations'])
    bytes = edited(bytes, `${name}.ndjson`, swap(plant.agent.id, foreign.id));
  bytes = edited(bytes, 'triggers.ndjson', swap(plant.table.id, table.id));
  const done = await imported(bytes);
  assert.equal(done.status, 'done', done.error);
  assert.partialDeepStrictEqual(done.report, { triggers: 4, deployments: 0, evaluations: 0 });
  const left = done.follow_up
    .filter(({ what }: { what: string }) => what === 'left_out')
    .map(({ kind, name }: Record<string, string>) => `${kind} ${name}`);
  assert.deepEqual(left.toSorted(), [
    ...['deployment Chat', 'deployment Hook', 'deployment Page', 'evaluation Greets', 'trigger New order'],
  ]);
});

test('refuses a role with permissions of the organization', async () => {
  const done = await imported(
    edited(archive.bytes, 'roles.ndjson', (text) => text.replace('"agents_run"', '"org:admin"')),
  );
  assert.equal(done.status, 'failed');
  assert.match(done.error, /line 1 of roles/);
});
