import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { as, makePeopleIn } from '../../people/testing.ts';
import { archivesApp, form, inWorkspace, type Named } from './testing.ts';

const app = await archivesApp();
const { call, query, good, ended, send, exported, imported } = app;
const people = await makePeopleIn(app);

/** A workspace whose records refer to each other in circles. */
async function aWorkspace() {
  const { id } = await good('POST', '/v1/admin/groups', {
    name: 'Support',
    description: 'Helps',
    pii_allow: ['Podman'],
  });
  const here = inWorkspace(id);
  const make = (path: string, body: object) => good('POST', path, body, here);
  const file = await good('POST', '/v1/files', ...form(strToU8('the rules of the house'), here.headers));
  const unused = await good('POST', '/v1/files', ...form(strToU8('said in a conversation'), here.headers));
  const plain = await make('/v1/variables', { name: 'city', inline_value: 'Zug' });
  const secret = {
    name: 'token',
    inline_value: 'zanthoxyl-secret',
    is_secret: true,
    allowed_hosts: ['api.example.com'],
  };
  await make('/v1/variables', secret);
  await make('/v1/variables', { name: 'rules', type: 'file', inline_value: file.id });
  const helper = await make('/v1/agents', { name: 'Helper', definition: { model: ['atrium/extractive'] } });
  const flow = await make('/v1/workflows', { name: 'Sub', definition: { nodes: [], edges: [] } });
  const version = await make(`/v1/workflows/${flow.id}/versions`, { name: 'first' });
  const drafted = { drafts: true, definition: { note: 'a draft' } };
  await good('PATCH', `/v1/workflows/${flow.id}`, drafted, here);
  const node = (config: object) => ({ id: 'call', type: 'WorkflowNode', node_config: config });
  const asking = {
    ...{ id: 'ask', type: 'HttpRequestNode' },
    node_config: {
      ...{ url: 'https://api.example.com/?token=zanthoxyl', code: 'return 1', body: '{"a": 1}' },
      headers: { accept: '{{secret.token}}', authorization: 'zanthoxyl' },
    },
  };
  const calling = await good(
    'POST',
    '/v1/workflows?force=true',
    {
      name: 'Caller',
      error_handler: flow.id,
      definition: {
        nodes: [node({ workflow_id: flow.id, version_id: version.id }), asking],
        ...{ edges: [], note: file.uri },
      },
    },
    here,
  );
  const base = await make('/v1/knowledge-bases', { name: 'Manuals' });
  const desk = await make('/v1/agents', {
    ...{ name: 'Desk', description: 'Answers', image_url: file.uri },
    definition: {
      ...{ model: ['atrium/extractive'], persona: 'In {{city}}', variables: [plain.id] },
      tools: [
        { type: 'agent_tool', agent_id: helper.id },
        { type: 'workflow', workflow_id: flow.id, version_id: version.id },
      ],
      knowledge_bases: [{ id: base.id }],
      skills: [{ name: 'Rules', description: 'The rules', instructions: 'Read them', file_ids: [file.id] }],
      mcp_servers: [{ name: 'm', url: 'https://mcp.example.com/', headers: { authorization: 'zanthoxyl-header' } }],
    },
  });
  const more = { name: 'second', description: 'Less', definition: { persona: 'Short', pii_lock: true } };
  await make(`/v1/agents/${desk.id}/versions`, more);
  await good('PATCH', `/v1/agents/${desk.id}?preview=true`, { definition: { tone: 'warm' } }, here);
  return { id, file, unused, base, desk, calling };
}

/** What the API shows of a workspace, with names in place of ids. */
async function shownOf(group_id: string) {
  const here = inWorkspace(group_id);
  const get = (path: string) => good('GET', path, undefined, here);
  const agents = (await get('/v1/agents')).items;
  const workflows = (await get('/v1/workflows')).items;
  const files = (await get('/v1/files')).items;
  const variables = (await get('/v1/variables')).items;
  const bases = (await get('/v1/knowledge-bases')).items;
  const versions = Object.fromEntries(
    await Promise.all([
      ...agents.map(async ({ id, name }: Named) => [name, await get(`/v1/agents/${id}/versions`)]),
      ...workflows.map(async ({ id, name }: Named) => [name, await get(`/v1/workflows/${id}/versions`)]),
    ]),
  );
  const { id: sub } = workflows.find(({ name }: Named) => name === 'Sub');
  const draft = (await get(`/v1/workflows/${sub}/draft`)).definition;
  assert.equal(draft.note, 'a draft');
  const names = new Map<string, string>([[group_id, 'here']]);
  for (const [kind, list] of Object.entries({ agents, workflows, files, variables, bases, ...versions }))
    for (const { id, name, filename } of list as Named[]) names.set(id, `${kind} ${name ?? filename}`);
  const text = JSON.stringify({ agents, workflows, draft, variables, versions }, (key, value) => {
    if (/_at$|^at$|^etag$/.test(key)) return undefined;
    return Array.isArray(value) && key === 'agents' ? value.toSorted((a, b) => a.name.localeCompare(b.name)) : value;
  });
  return { files, text, shown: JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => names.get(id) ?? id)) };
}

const source = await aWorkspace();
const archive = await exported(source.id);

test('imports an exported workspace with the same agents, versions, workflows, variables and files', async () => {
  assert.deepEqual(archive.job.report, {
    ...{ variables: 3, tables: 0, agents: 2, workflows: 2, files: 1 },
    ...{ knowledge_bases: 1, documents: 0, roles: 0, triggers: 0, webhooks: 0, deployments: 0, evaluations: 0 },
  });
  const done = await imported(archive.bytes);
  assert.deepEqual([done.status, done.error, done.progress], ['done', null, 1]);
  assert.partialDeepStrictEqual(done.report, { variables: 3, agents: 2, workflows: 2, files: 1 });
  const [before, after] = [await shownOf(source.id), await shownOf(done.group_id)];

  // What is not exported, or without its credentials.
  const expected = structuredClone(before.shown);
  const desk = expected.agents.find(({ name }: Named) => name === 'Desk');
  const withoutThese = (settings: Record<string, unknown>) => {
    for (const server of settings['mcp_servers'] as { headers?: unknown }[]) server.headers = {};
  };
  for (const settings of [desk.definition, desk.draft_definition]) withoutThese(settings);
  for (const { definition } of expected.versions.Desk) withoutThese(definition);
  const asking = expected.workflows.find(({ name }: Named) => name === 'Caller').definition.nodes[1].node_config;
  Object.assign(asking, { url: 'https://api.example.com/' });
  delete asking.headers.authorization;
  assert.deepEqual(after.shown, expected);
  for (const id of before.text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])
    if (after.text.includes(id))
      assert.equal((await query('select 1 from api_keys where id = $1', [id])).length, 1, `the old id ${id} is left`);

  const there = inWorkspace(done.group_id);
  const workspace = await good('GET', `/v1/admin/groups/${done.group_id}`);
  assert.partialDeepStrictEqual(workspace, { name: 'Support', description: 'Helps', pii_allow: ['Podman'] });
  assert.equal(after.files.length, 1);
  const bytes = await app.app.server.inject({
    url: `/v1/files/${after.files[0].id}`,
    headers: { 'x-api-key': app.admin, ...there.headers },
  });
  assert.equal(bytes.body, 'the rules of the house');

  const left = done.follow_up.map(({ what, kind, name }: Record<string, string>) => `${what} ${kind} ${name}`);
  assert.ok(left.includes('secret variable token'), String(left));
  assert.ok(left.includes('secret agent Desk'), String(left));
  const dropped = done.follow_up.map(({ detail }: { detail: string }) => detail).join('\n');
  assert.match(dropped, /nodes\.1\.node_config\.headers\.authorization/);
  assert.match(dropped, /definition\.mcp_servers\.0\.headers\.authorization/);
});

test('leaves secrets and files that no record names out of the archive', () => {
  const entries = unzipSync(archive.bytes);
  const all = Object.values(entries)
    .map((bytes) => strFromU8(bytes))
    .join('\n');
  assert.doesNotMatch(all, /zanthoxyl|said in a conversation/);
  assert.deepEqual(Object.keys(entries).sort(), [
    ...['agents.ndjson', 'deployments.ndjson', 'documents.ndjson', 'evaluations.ndjson', 'files.ndjson'],
    ...[`files/${source.file.id}`, 'knowledge_bases.ndjson', 'manifest.json', 'roles.ndjson', 'tables.ndjson'],
    ...['triggers.ndjson', 'variables.ndjson', 'webhooks.ndjson', 'workflows.ndjson'],
  ]);
});

test('a secret or variable that was imported without its value can not be used until one is set', async () => {
  const fromServer = edited('variables.ndjson', (text) =>
    text.replace(/("name":"city".*?"source":)"inline"/, '$1"environment"'),
  );
  const done = await imported(fromServer);
  const there = inWorkspace(done.group_id);
  const { items } = await good('GET', '/v1/variables', undefined, there);
  const token = items.find(({ name }: Named) => name === 'token');
  assert.partialDeepStrictEqual(token, { is_secret: true, inline_value: null, allowed_hosts: ['api.example.com'] });
  const [row] = await query('select value from variables where id = $1', [token.id]);
  assert.equal(row?.value, null);
  const refused = await call('PATCH', `/v1/variables/${token.id}`, { name: 'token2' }, there);
  assert.equal(refused.status, 422);
  await good('PATCH', `/v1/variables/${token.id}`, { inline_value: 'new' }, there);

  const city = items.find(({ name }: Named) => name === 'city');
  assert.deepEqual([city.source, city.inline_value, city.env_var_name], ['inline', null, null]);
  const listed = { variables_enabled: true, variables: [city.id] };
  const definition = { model: ['atrium/extractive'], persona: 'Use {{city}}', ...listed };
  const agent = await good('POST', '/v1/agents', { name: 'T', definition }, there);
  const ask = async () => {
    const { id } = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'T' }, there);
    return (await call('POST', `/v1/conversations/${id}`, { content: 'Hello' }, there)).text;
  };
  assert.match(await ask(), /city can't be read: it was imported without its value/);
  await good('PATCH', `/v1/variables/${city.id}`, { inline_value: 'Bern' }, there);
  assert.doesNotMatch(await ask(), /can't be read/);
});

const change = (edit: (entries: Record<string, Uint8Array>) => void) => {
  const entries = { ...unzipSync(archive.bytes) };
  edit(entries);
  return zipSync(entries);
};
const edited = (name: string, edit: (text: string) => string) =>
  change((entries) => {
    entries[name] = strToU8(edit(strFromU8(entries[name] as Uint8Array)));
  });
const lying = () => {
  const bytes = Buffer.from(zipSync({ 'manifest.json': strToU8('{}'.padEnd(100_000)) }));
  // The unpacked size in the directory.
  bytes.writeUInt32LE(10, bytes.indexOf('PK\x01\x02', 0, 'latin1') + 24);
  return bytes;
};
const broken: Record<string, [bytes: () => Uint8Array, says: RegExp]> = {
  'no archive': [() => strToU8('hello'), /no zip archive/],
  'another version': [() => edited('manifest.json', (text) => text.replace('"version": 1', '"version": 2')), /version/],
  'another format': [() => edited('manifest.json', (text) => text.replace('atrium.workspace', 'x')), /no archive of/],
  'a path that leads elsewhere': [
    () => change((all) => Object.assign(all, { '../evil': strToU8('x') })),
    /entry whose name/,
  ],
  'an unknown entry': [
    () => change((all) => Object.assign(all, { 'members.ndjson': strToU8('{}') })),
    /entry whose name/,
  ],
  'an entry larger than it says': [lying, /more bytes than/],
  'a cut archive': [() => archive.bytes.subarray(0, archive.bytes.length - 30), /no zip archive/],
  'too many entries': [
    () => zipSync(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`f${at}`, strToU8('')])), { level: 0 }),
    /more than 20000 entries/,
  ],
};
for (const [name, [bytes, says]] of Object.entries(broken))
  test(`refuses an archive at once: ${name}`, async () => {
    const answer = await send(bytes());
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, says);
  });

const groups = async () => (await good('GET', '/v1/admin/groups')).map(({ id }: Named) => id).length;
const failing: Record<string, [bytes: () => Uint8Array, says: RegExp]> = {
  'an id twice': [() => edited('variables.ndjson', (text) => text + text.split('\n')[0]), /twice/],
  'a record that is not valid': [
    () => edited('agents.ndjson', (text) => text.replace('"name":"Desk"', '"name":7')),
    /line \d of agents/,
  ],
  'a missing file': [() => change((all) => void delete all[`files/${source.file.id}`]), /is missing/],
};
for (const [name, [bytes, says]] of Object.entries(failing))
  test(`an import that fails leaves no workspace: ${name}`, async () => {
    const before = await groups();
    const done = await imported(bytes());
    assert.equal(done.status, 'failed');
    assert.match(done.error, says);
    assert.equal(await groups(), before);
  });

test('drops ids of records that the archive does not have', async () => {
  const foreign = await good('POST', '/v1/agents', { name: 'Foreign' });
  const helper = JSON.parse(
    strFromU8(unzipSync(archive.bytes)['agents.ndjson'] as Uint8Array).split('\n')[0] as string,
  );
  assert.equal(helper.name, 'Helper');
  const done = await imported(
    edited('agents.ndjson', (text) => text.replace(`"agent_id":"${helper.id}"`, `"agent_id":"${foreign.id}"`)),
  );
  assert.equal(done.status, 'done', done.error);
  assert.doesNotMatch((await shownOf(done.group_id)).text, new RegExp(foreign.id));
  assert.match(JSON.stringify(done.follow_up), new RegExp(`agent ${foreign.id}`));
});

test('an import that is interrupted starts again and leaves one workspace', async () => {
  // The first attempt breaks after agents, variables and files are there; a sequence is not rolled back with it.
  await query('create sequence attempts_made');
  await query(`create function break_once() returns trigger language plpgsql as $$ begin
    if nextval('attempts_made') = 1 then raise exception 'The server dies here'; end if; return new; end $$`);
  await query('create trigger break_once before insert on workflows for each row execute function break_once()');
  const before = await groups();
  const done = await imported(archive.bytes);
  await query('drop trigger break_once on workflows');
  assert.deepEqual([done.status, done.error, done.follow_up.length], ['done', null, done.report.follow_up]);
  assert.ok(app.logged.some((line) => line.includes('The server dies here')));
  assert.equal(await groups(), before + 1);
  assert.equal((await shownOf(done.group_id)).shown.agents.length, 2);
});

test('an import that was interrupted ten times fails and leaves no workspace', async () => {
  await query(`create function begin_late() returns trigger language plpgsql as $$ begin
    new.attempts = 10; return new; end $$`);
  await query('create trigger begin_late before insert on data_jobs for each row execute function begin_late()');
  const before = await groups();
  const done = await imported(archive.bytes);
  await query('drop trigger begin_late on data_jobs');
  assert.equal(done.status, 'failed');
  assert.match(done.error, /interrupted several times/);
  assert.equal(await groups(), before);
});

test('only administrators export a workspace, and only those of the organization import one', async () => {
  const path = `/v1/admin/groups/${source.id}/export`;
  const member = await people.aMember('Reader', source.id);
  const here = (cookie: string) => as(cookie, { 'x-workspace-id': source.id });
  assert.equal((await call('POST', path, undefined, here(member.cookie))).status, 403);
  const { value: key } = await good(
    'POST',
    `/v1/admin/groups/${source.id}/api-keys`,
    { name: 'admin', permissions: ['workspace_admin'] },
    inWorkspace(source.id),
  );
  const own = await good('POST', path, undefined, { key });
  assert.equal((await ended(own.id, { key })).status, 'done');
  assert.equal((await call('GET', `/v1/data-jobs/${own.id}/file`)).status, 404);
  const file = await app.app.server.inject({ url: `/v1/data-jobs/${own.id}/file`, headers: { 'x-api-key': key } });
  assert.equal(file.statusCode, 200);
  assert.equal((await call('POST', `/v1/admin/groups/${people.home}/export`, undefined, { key })).status, 404);
  const [body, options] = form(archive.bytes);
  assert.equal((await call('POST', '/v1/admin/groups/import', body, { ...options, key })).status, 403);
});
