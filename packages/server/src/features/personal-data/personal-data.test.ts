import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, cookieOf, makePeopleIn } from '../people/testing.ts';

const app = await testApp({ roles: ['http', 'worker'] });
const { call, query } = app;
const people = await makePeopleIn(app);
const boss = await people.aMember('Admin');
const settings = {
  ...{ model: ['atrium/extractive'], pii_anonimization: [] },
  base_tools: [{ type: 'agent_memory', enabled: true }],
};
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition: settings })).json;

const good = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

/** A word that nothing else in the database has. */
const canary = (at: string) => `zanthoxyl${at}`;

/** Approves a step of a workflow, whose run keeps the name and the note. */
async function approveStep(mine: ReturnType<typeof as>) {
  const node = { id: 'ask', type: 'ApprovalNode', node_config: { question: 'Go on?' } };
  const flow = await good('POST', '/v1/workflows', { name: 'Asks', definition: { nodes: [node], edges: [] } });
  const { id: run_id } = await good('POST', `/v1/workflows/${flow.id}/runs/sync`, {});
  const [step] = await good('GET', `/v1/runs/${run_id}/approvals`);
  const note = { decision: 'approve', note: canary('note') };
  await good('POST', `/v1/runs/${run_id}/approvals/${step.id}`, note, mine);
  await until('the workflow has ended', async () => (await good('GET', `/v1/runs/${run_id}`)).finished_at !== null);
  // The decision, with who made it, as a sample of its step.
  const sample = await good('POST', `/v1/workflows/${flow.id}/samples`, { node_id: 'ask', run_id });
  assert.ok(JSON.stringify(sample.outputs).includes(canary('note')));
}

/** A person who has left words in every place that belongs to people. */
async function aTalker() {
  const person = await people.aMember('Admin');
  await query('update people set name = $2 where id = $1', [person.id, canary('name')]);
  const mine = as(person.cookie);
  const own = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: canary('title') }, mine);
  const said = await good('POST', `/v1/conversations/${own.id}`, { content: `Hello ${canary('message')}` }, mine);
  const text = JSON.stringify({ text: `Likes ${canary('memory')}` });
  await good('POST', `/v1/conversations/${own.id}`, { content: text, tool: 'agent_memory_remember' }, mine);
  const reply = said.messages.at(-1).id;
  const comment = { rating: 'down', comment: canary('comment') };
  await good('POST', `/v1/conversations/${own.id}/messages/${reply}/feedback`, comment, mine);
  const head = `content-disposition: form-data; name="file"; filename="${canary('filename')}.txt"`;
  const upload = { ...mine, headers: { ...mine.headers, 'content-type': 'multipart/form-data; boundary=B' } };
  const file = await good('POST', '/v1/files', `--B\r\n${head}\r\n\r\n${canary('bytes')}\r\n--B--\r\n`, upload);
  const others = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Shared' }, as(boss.cookie));
  await good('POST', `/v1/conversations/${others.id}`, { content: 'The first words' }, as(boss.cookie));
  await good('POST', `/v1/conversations/${others.id}`, { content: `And ${canary('elsewhere')}` }, mine);
  await good('POST', `/v1/conversations/${others.id}/marks`, { pinned: true }, mine);
  await approveStep(mine);
  const table = await good('POST', '/v1/tables', { name: 'Shared', columns: [{ name: 'a' }] });
  await good('POST', `/v1/tables/${table.id}/rows`, { a: 'x' }, mine);
  const key = await good(
    'POST',
    `/v1/admin/groups/${people.home}/api-keys`,
    { name: 'mine', permissions: ['agents_run'] },
    mine,
  );
  return { ...person, own, others, file, table, key: key.value as string };
}

const job = async (id: string, options = {}) => {
  await until('the job has ended', async () => {
    const { json } = await call('GET', `/v1/data-jobs/${id}`, undefined, options);
    return json.ended_at !== null;
  });
  return good('GET', `/v1/data-jobs/${id}`, undefined, options);
};

/** Every text of the database that has a word. */
async function placesWith(word: string): Promise<string[]> {
  const tables = await query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (await query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${word}%`])).length ? [name] : [],
    ),
  );
  return found.flat();
}

test('erases a person: no word of theirs is left in any table or file', async () => {
  const ada = await aTalker();
  assert.notDeepEqual(await placesWith('zanthoxyl'), []);
  const started = await good('POST', `/v1/admin/users/${ada.id}/erase`);
  assert.deepEqual([started.kind, started.person_id], ['erase_person', ada.id]);
  // At once, before the job has run.
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(ada.cookie))).status, 401);
  assert.equal((await call('GET', '/v1/agents', undefined, { key: ada.key })).status, 401);

  const done = await job(started.id);
  assert.deepEqual([done.status, done.progress, done.error], ['done', 1, null]);
  assert.partialDeepStrictEqual(done.report, {
    ...{ conversations: 1, messages_in_other_conversations: 1, memories: 1, feedback: 1, files: 1, account: 1 },
    ...{ conversation_marks: 1, table_changes: 1 },
    ...{ kept_files_of_knowledge_bases: 0, kept_approvals: 1, workflow_samples: 1 },
  });
  assert.deepEqual(await placesWith('zanthoxyl'), []);
  assert.deepEqual(await placesWith(ada.email), []);
  const [change] = (await good('GET', `/v1/tables/${ada.table.id}/changes`)).items;
  assert.deepEqual([change.kind, change.changed_by, change.changed_by_actor], ['insert', null, null]);
  assert.equal((await call('GET', `/v1/files/${ada.file.id}`)).status, 404);
  assert.equal((await call('GET', `/v1/conversations/${ada.own.id}`)).status, 404);
  assert.equal((await call('GET', `/v1/admin/users/${ada.id}`)).status, 404);

  const left = await good(
    'GET',
    `/v1/conversations/${ada.others.id}/messages?order=oldest`,
    undefined,
    as(boss.cookie),
  );
  const words = left.items.map(
    ({ message_parts }: { message_parts: { content: string }[] }) => message_parts[0]?.content,
  );
  assert.deepEqual([words[0], words[2]], ['The first words', '[erased]']);
  const more = await call('POST', `/v1/conversations/${ada.others.id}`, { content: 'Go on' }, as(boss.cookie));
  assert.equal(more.status, 200, more.text);
  assert.equal((await good('GET', '/v1/admin/data-jobs')).items[0].id, started.id);
});

test('exports a person to who asked, with all of their words, until it expires', async () => {
  const ada = await aTalker();
  const mine = as(ada.cookie);
  const started = await good('POST', '/v1/auth/export', undefined, mine);
  const done = await job(started.id, mine);
  assert.deepEqual([done.status, done.has_file], ['done', true]);
  assert.partialDeepStrictEqual(done.report, { conversations: 3, memories: 1, feedback: 1, files: 1, account: 1 });

  const path = `/v1/data-jobs/${started.id}/file`;
  const answer = await app.app.server.inject({ url: path, headers: mine.headers });
  assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [200, 'no-store']);
  const archive = Object.fromEntries(
    Object.entries(unzipSync(answer.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );
  const has = { name: 'account.json', memory: 'memories.ndjson', comment: 'feedback.ndjson', filename: 'files.ndjson' };
  for (const [word, file] of Object.entries(has)) assert.match(archive[file] ?? '', new RegExp(canary(word)), file);
  assert.match(archive[`conversations/${ada.own.id}.json`] ?? '', new RegExp(canary('message')));
  assert.match(archive['messages-in-other-conversations.ndjson'] ?? '', new RegExp(canary('elsewhere')));
  assert.match(archive['conversation-marks.json'] ?? '', new RegExp(ada.others.id));
  assert.match(archive['table-changes.ndjson'] ?? '', new RegExp(`${ada.table.id}.*"kind":"insert"`));
  assert.equal(archive[`files/${ada.file.id}`], canary('bytes'));
  assert.doesNotMatch(JSON.stringify(archive), /password_hash|token_hash/);

  for (const other of [as(boss.cookie), {}, { key: null }])
    assert.ok([401, 404].includes((await call('GET', path, undefined, other)).status));
  await query("update data_jobs set expires_at = now() - interval '1 hour' where id = $1", [started.id]);
  await query("select graphile_worker.add_job('personal-data.expire')");
  await until('the archive is gone', async () => {
    const { statusCode } = await app.app.server.inject({ url: path, headers: mine.headers });
    return statusCode === 404;
  });
});

test('keeps one archive of a person for who asked, so that nobody fills the disk with them', async () => {
  const person = await people.aMember('Reader');
  const mine = as(person.cookie);
  const made = async () => {
    const { id } = await good('POST', '/v1/auth/export', undefined, mine);
    await job(id, mine);
    return id as string;
  };
  const [first, second] = [await made(), await made()];
  const hasFile = async (id: string) => (await good('GET', `/v1/data-jobs/${id}`, undefined, mine)).has_file;
  await until('the first archive is gone', async () => !(await hasFile(first)));
  assert.equal(await hasFile(second), true);
});

test('refuses an archive to a weak key of who asked, and to an administrator who is none any more', async () => {
  const [admin, other] = [await people.aMember('Admin'), await people.aMember('Reader')];
  const another = await people.aMember('Reader');
  for (const { id } of [admin, another]) await good('PATCH', `/v1/admin/users/${id}`, { tenant_admin: true });
  const signedIn = async () => as(cookieOf(await people.signIn(admin.email)));
  const mine = await signedIn();
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const { value: key } = await good('POST', keysAt, { name: 'weak', permissions: ['agents_run'] }, mine);
  const own = await good('POST', '/v1/auth/export', undefined, mine);
  const { id } = await good('POST', `/v1/admin/users/${other.id}/export`, undefined, mine);
  for (const asked of [own.id, id]) await job(asked, mine);
  const statusOf = async (asked: string, options: object) =>
    (await call('GET', `/v1/data-jobs/${asked}`, undefined, options)).status;
  assert.deepEqual([await statusOf(id, { key }), await statusOf(own.id, { key })], [404, 404]);
  await good('PATCH', `/v1/admin/users/${admin.id}`, { tenant_admin: false });
  const later = await signedIn();
  assert.deepEqual([await statusOf(id, later), await statusOf(own.id, later)], [404, 200]);
  assert.equal((await call('GET', `/v1/data-jobs/${id}/file`, undefined, later)).status, 404);
});

test('a person without a workspace exports and downloads their data, also with an Idempotency-Key', async () => {
  const person = await people.aMember('Reader');
  await good('DELETE', `/v1/admin/groups/${people.home}/members/${person.id}`);
  const cookie = cookieOf(await people.signIn(person.email));
  const started = await good('POST', '/v1/auth/export', undefined, as(cookie, { 'idempotency-key': 'once' }));
  assert.equal(started.kind, 'export_person');
  assert.equal((await job(started.id, as(cookie))).status, 'done');
  const path = `/v1/data-jobs/${started.id}/file`;
  const { headers } = as(cookie);
  const file = await app.app.server.inject({ url: path, headers });
  assert.equal(file.statusCode, 200);
  const account = unzipSync(new Uint8Array(file.rawPayload))['account.json'] as Uint8Array;
  assert.match(strFromU8(account), new RegExp(person.id));
  // Of others they see nothing, and a workspace that is not theirs does not help.
  const theirs = await good('POST', '/v1/auth/export', undefined, as(boss.cookie));
  await job(theirs.id, as(boss.cookie));
  assert.equal((await call('GET', `/v1/data-jobs/${theirs.id}`, undefined, as(cookie))).status, 404);
  assert.equal((await call('GET', path, undefined, as(cookie, { 'x-workspace-id': people.home }))).status, 404);
});

test('refuses to erase the last administrator, and twice at once', async () => {
  const admins = await query('select id from people where tenant_admin and active');
  const last = await people.aMember('Admin');
  await query('update people set tenant_admin = false where id = any($1)', [admins.map(({ id }) => id)]);
  await query('update people set tenant_admin = true where id = $1', [last.id]);
  const refused = await call('POST', `/v1/admin/users/${last.id}/erase`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'last_administrator']);
  const person = await people.aMember('Reader');
  const both = await Promise.all([1, 2].map(() => call('POST', `/v1/admin/users/${person.id}/erase`)));
  const codes = both.map(({ status }) => status).sort();
  assert.ok(codes[0] === 200 && [200, 404, 409].includes(codes[1] as number), String(codes));
  assert.equal((await call('POST', `/v1/admin/users/${boss.id}/erase`, undefined, as(boss.cookie))).status, 403);
});

test('says that an erasure failed when the person was activated again meanwhile', async () => {
  const { id } = await people.aMember('Reader');
  await query(`create function wake() returns trigger as $$ begin
    update people set active = true where id = new.person_id; return null; end $$ language plpgsql`);
  await query('create trigger wake after update of progress on data_jobs for each row execute function wake()');
  const started = await good('POST', `/v1/admin/users/${id}/erase`);
  const ended = await job(started.id);
  await query('drop trigger wake on data_jobs');
  assert.deepEqual([ended.status, ended.report.account], ['failed', 0]);
  assert.match(ended.error, /activated again/);
  assert.equal((await call('GET', `/v1/admin/users/${id}`)).json.active, true);
});
