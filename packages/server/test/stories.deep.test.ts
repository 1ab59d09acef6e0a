import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import { openEventsAt } from '../src/features/events/testing.ts';
import { as, cookieOf, password } from '../src/features/people/testing.ts';
import { openaiProvider } from './providers/openai-provider.ts';
import { closing } from './support/scripted-app.ts';
import { listenOnSocket } from './support/socket-client.ts';
import { type CallOptions, testApp } from './support/test-app.ts';
import { until } from './support/two-nodes.ts';

// What people do from the first start on, by HTTP alone: no step uses the admin key or the database.

const { app, call } = await testApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'] });
// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const visitor: CallOptions = { key: null };

async function done(method: string, path: string, body: unknown, by: CallOptions) {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const get = (path: string, by: CallOptions) => done('GET', path, undefined, by);
const post = (path: string, body: unknown, by: CallOptions) => done('POST', path, body, by);
const refusedAs = async (...asked: Parameters<typeof call>) => {
  const { status, json } = await call(...asked);
  return [status, json.code];
};

const { port } = await listenOnSocket(app);
let printed = '';
await app.showClaim(async (token) => {
  printed = token;
});

suite('stories of people', { concurrency: false }, () => {
  let ada: CallOptions;
  let home = '';
  const roleNamed = async (name: string) =>
    (await get('/v1/admin/roles', ada)).find((role: { name: string }) => role.name === name).id as string;

  /** Invites by the story's way: a link that is opened in another browser. */
  async function invited(role_id: string, name: string) {
    const { token } = await post(
      `/v1/admin/groups/${home}/invitations`,
      { email: `${randomUUID()}@example.com`, role_id },
      ada,
    );
    const made = await call('POST', '/v1/auth/invitations/accept', { token, name, password }, visitor);
    assert.equal(made.status, 200, made.text);
    return { by: as(cookieOf(made)), session: made.json, token };
  }

  test('1: claims a fresh server with the printed token, which works once', async () => {
    assert.equal((await get('/v1/auth/options', visitor)).claimed, false);
    const claim = { token: printed, name: 'Ada Byron', email: 'ada@example.com', password };
    const made = await call('POST', '/v1/auth/claim', claim, visitor);
    assert.equal(made.status, 200, made.text);
    ada = as(cookieOf(made));
    const session = await get('/v1/auth/session', ada);
    assert.deepEqual([session.person.name, session.person.tenant_admin], ['Ada Byron', true]);
    home = session.workspaces[0].id;
    assert.deepEqual(await refusedAs('POST', '/v1/auth/claim', { ...claim, email: 'eve@example.com' }, visitor), [
      ...[403, 'claim_refused'],
    ]);
    assert.equal((await get('/v1/auth/options', visitor)).claimed, true, 'a second browser sees sign-in');
    const again = await call('POST', '/v1/auth/sign-in', { email: 'ADA@example.com', password }, visitor);
    assert.equal((await get('/v1/auth/session', as(cookieOf(again)))).person.id, session.person.id);
  });

  test('4: invites a colleague by link, who sees the workspace with what the role allows', async () => {
    const { by, session, token } = await invited(await roleNamed('Reader'), 'Bo Diddley');
    assert.deepEqual([session.person.name, session.workspaces.length], ['Bo Diddley', 1]);
    const [{ id, permissions }] = session.workspaces;
    assert.equal(id, home);
    assert.ok(permissions.includes('agents_run') && !permissions.includes('agents_edit'));
    await get('/v1/agents', by);
    assert.deepEqual(await refusedAs('POST', '/v1/agents', { name: 'x' }, by), [403, 'forbidden']);
    assert.deepEqual(await refusedAs('GET', `/v1/admin/groups/${home}/members`, undefined, by), [403, 'forbidden']);
    const accept = { token, name: 'Eve', password };
    assert.equal((await call('POST', '/v1/auth/invitations/accept', accept, visitor)).status, 404);
    const members = await get(`/v1/admin/groups/${home}/members`, ada);
    const listed = JSON.stringify(members);
    assert.ok(listed.includes('Bo Diddley') && listed.includes('Ada Byron'));
  });

  test('10: approves a tool in the chat, says who did, and tells a second window', async () => {
    const tools = [{ type: 'clock', requires_approval: true }];
    const definition = { model: ['atrium/extractive'], tools, pii_anonimization: [] };
    const agent = await post('/v1/agents', { name: 'Desk', definition }, ada);
    const { id } = await post(`/v1/conversations?assistant_id=${agent.id}`, { name: 'Time' }, ada);
    const at = `/v1/conversations/${id}`;
    const waiting = await post(at, { content: 'What time is it?', tool: 'clock_now' }, ada);
    assert.equal(waiting.status, 'awaiting_human_feedback');
    const { items } = await get(`${at}/approvals`, ada);
    assert.deepEqual([items.length, items[0].tool, items[0].status], [1, 'clock_now', 'pending']);
    assert.ok('arguments' in items[0] && typeof items[0].reason === 'string', JSON.stringify(items[0]));
    const answer = { decision: 'approve', note: 'Go on' };
    await post(`${at}/approvals/${items[0].id}`, answer, ada);
    const second = await call('POST', `${at}/approvals/${items[0].id}`, answer, ada);
    assert.equal(second.status, 409, second.text);
    assert.match(second.json.detail, /is over: it was approved/);
    const [decided] = (await get(`${at}/approvals?status=approved`, ada)).items;
    const { person } = await get('/v1/auth/session', ada);
    assert.deepEqual([decided.status, decided.note, decided.decided_by], ['approved', 'Go on', person.id]);
    assert.deepEqual(decided.decided_by_actor, { id: person.id, name: 'Ada Byron', kind: 'person' });
    await until('the answer goes on in the same place', async () => {
      const { messages } = await get(at, ada);
      const reply = messages.at(-1).message_parts.map(({ type }: { type: string }) => type);
      return reply.includes('function') && reply.includes('text');
    });
  });

  test('18: shows who locked safety, refuses another window, and lets an administrator unlock', async () => {
    const { id } = await post('/v1/agents', { name: 'Locked' }, ada);
    const at = `/v1/agents/${id}`;
    await done('PATCH', at, { definition: { pii_lock: true }, lock_reason: 'Data protection' }, ada);
    const editor = await invited(await roleNamed('Editor'), 'Cy Twombly');
    const [lock] = (await get(at, editor.by)).locks;
    assert.deepEqual([lock.lock, lock.reason, lock.locked_by_actor.name], ['pii_lock', 'Data protection', 'Ada Byron']);
    const change = { definition: { pii_anonimization: [] } };
    const refused = await call('PATCH', at, change, editor.by);
    assert.deepEqual([refused.status, refused.json.code, refused.json.locks], [403, 'settings_locked', [lock]]);
    const asked = await post(`${at}/unlock-requests`, { lock: 'pii_lock', reason: 'To test' }, editor.by);
    const waits = (await get('/v1/approvals?kind=agent&status=pending', ada)).items;
    assert.ok(JSON.stringify(waits).includes(asked.id), 'it is in the inbox of the administrator');
    await post(`${at}/unlock-requests/${asked.id}`, { decision: 'unlock' }, ada);
    assert.deepEqual((await get(at, editor.by)).locks, []);
    await done('PATCH', at, change, editor.by);
  });

  test('24: shows why a passage was found, its neighbours, and two settings side by side', async () => {
    const settings_ = {
      auto_summary: false,
      text_chunk_size: 60,
      text_chunk_overlap: 0,
      retrieval_method: 'full_text',
    };
    const { id } = await post('/v1/knowledge-bases', { name: 'Handbook', settings_ }, ada);
    const at = `/v1/knowledge-bases/${id}`;
    const lines = ['Chapter one is about the garden and its gate.', 'Leave is 30 days in a year of work here.'];
    const text = [...lines, 'Ask for a day of leave a week before it.'].join('\n\n');
    const form = `--B\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n${text}\r\n--B--\r\n`;
    const headers = { ...ada.headers, 'content-type': 'multipart/form-data; boundary=B' };
    await post(`${at}/upload_train`, Buffer.from(form), { ...ada, headers });
    await until('it is trained', async () => (await get(at, ada)).trained_documents === 1);

    const search = { query: 'how many days of leave a year', explain: true };
    const [first, second] = await post(`${at}/search`, search, ada);
    assert.ok(first.explain.bm25.rank === 1 && first.explain.scaled > second.explain.scaled, 'the bars');
    const marked = first.explain.marks.map((mark: { start: number; end: number }) =>
      first.content.slice(mark.start, mark.end),
    );
    assert.deepEqual(marked, ['Leave', 'days', 'year']);
    const near = (await get(`${at}/chunks?around=${second.citation.chunk_id}&size=3`, ada)).items;
    assert.deepEqual(
      near.map((passage: { content: string }) => passage.content),
      text.split('\n\n'),
    );

    const trial = { threshold_enabled: true, threshold: 0.99 };
    const tried = await post(`${at}/search`, { ...search, settings_: trial }, ada);
    const dropped = tried.map((hit: { explain: { dropped_by: string | null } }) => hit.explain.dropped_by);
    assert.deepEqual(dropped, [null, 'threshold'], 'what the threshold dropped can be folded');
    const questions = [{ query: search.query, document_ids: [first.citation.document_id] }];
    for (const body of [{ questions }, { questions, settings_: trial }]) {
      const figures = await post(`${at}/evaluate`, body, ada);
      assert.deepEqual([figures.recall_at_k, figures.ndcg_at_10], [1, 1]);
    }
    const reader = await invited(await roleNamed('Reader'), 'Eve Kosofsky');
    const same = await post(`${at}/search`, search, reader.by);
    assert.equal(same[0].citation.chunk_id, first.citation.chunk_id, 'a colleague sees the same');
    await done('PATCH', `${at}/document/${first.citation.document_id}`, { visible_to: [] }, ada);
    assert.deepEqual(await post(`${at}/search`, search, reader.by), []);
    assert.equal(
      (await call('GET', `${at}/chunks?around=${first.citation.chunk_id}`, undefined, reader.by)).status,
      404,
    );
  });

  test('19: two people change one agent, workflow, knowledge base and row; the second sees who was first', async () => {
    const editor = await invited(await roleNamed('Editor'), 'Em Dash');
    const table = { name: 'Stock', columns: [{ name: 'name', type: 'text' }] };
    const { id: table_id } = await post('/v1/tables', table, ada);
    const rows = `/v1/tables/${table_id}/rows`;
    const records = [
      [`/v1/agents/${(await post('/v1/agents', { name: 'Ours' }, ada)).id}`, 'etag'],
      [`/v1/workflows/${(await post('/v1/workflows', { name: 'Ours' }, ada)).id}`, 'etag'],
      [`/v1/knowledge-bases/${(await post('/v1/knowledge-bases', { name: 'Ours' }, ada)).id}`, 'etag'],
      [`${rows}/${(await post(rows, { name: 'Ours' }, ada)).id}`, 'header'],
    ] as const;
    for (const [at, where] of records) {
      const opened = await call('GET', at, undefined, ada);
      const seen = String(where === 'etag' ? opened.json.etag : opened.headers['etag']);
      const save = (name: string, by: CallOptions, etag: string) =>
        call('PATCH', at, { name }, { ...by, headers: { ...by.headers, 'if-match': etag } });
      assert.equal((await save('Theirs', editor.by, seen)).status, 200);
      const late = await save('Mine', ada, seen);
      assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch'], late.text);
      assert.deepEqual(late.json.updated_by_actor, { id: editor.session.person.id, name: 'Em Dash', kind: 'person' });
      assert.ok(Date.parse(late.json.updated_at) > Date.now() - 60_000, late.text);
      assert.equal((await get(at, ada)).name, 'Theirs', 'nothing was overwritten unseen');
      assert.equal((await save('Both', ada, late.json.etag)).status, 200, 'Ada has seen it and saves over it');
    }
    const listed = await get(`${rows}?etags=true`, ada);
    const one = await call('GET', `${rows}/${listed.items[0].id}`, undefined, ada);
    assert.deepEqual(listed.etags, [String(one.headers['etag']).replaceAll('"', '')]);
  });

  test('23: drops five files, sees each stage by events, tries the broken one again', async () => {
    const base = await post('/v1/knowledge-bases', { name: 'Manuals' }, ada);
    const at = `/v1/knowledge-bases/${base.id}`;
    const events = await openEventsAt(port)(ada.headers as Record<string, string>, '?types=document,knowledge_base');
    const upload = new FormData();
    for (const name of ['one', 'two', 'three', 'four'])
      upload.append('files', new Blob([`The ${name} manual`]), `${name}.txt`);
    upload.append('files', new Blob(['%PDF-1.4 broken']), 'broken.pdf');
    const sent = await fetch(`http://127.0.0.1:${port}${at}/upload_train`, {
      ...{ method: 'POST', body: upload, headers: ada.headers as Record<string, string> },
    });
    assert.equal(sent.status, 200);
    const trained = () => events.events.filter(({ event }) => event === 'document.trained');
    const failed = await events.heard('document.failed');
    await until('four are trained', () => trained().length === 4);
    assert.equal(new Set(trained().map(({ target_id }) => target_id)).size, 4);
    assert.ok(failed.data.code, 'the event says why, for programs');
    const stages = events.events.filter(({ event }) => event === 'document.progress').map(({ data }) => data.stage);
    for (const stage of ['extract', 'index']) assert.ok(stages.includes(stage), `${stage} of ${stages}`);
    const { items } = await get(`${at}/documents`, ada);
    const broken = items.find(({ name }: { name: string }) => name === 'broken.pdf');
    assert.deepEqual([items.length, broken.id, broken.status], [5, failed.target_id, 'error']);
    assert.ok(broken.error.message, 'the document says why, for people');
    await until('the base is done', () =>
      events.events.some(({ event, data }) => event === 'knowledge_base.status' && data.status === 'ready'),
    );
    const before = events.events.length;
    await post(`${at}/retry`, undefined, ada);
    await until('it is tried again', () =>
      events.events.slice(before).some((one) => one.event === 'document.failed' && one.target_id === broken.id),
    );
    events.stop();
  });

  test('15: finds an agent, a chat by its text, a document by a passage, a column and a setting by one word', async () => {
    const definition = { model: ['atrium/extractive'], pii_anonimization: [] };
    const agent = await post('/v1/agents', { name: 'Refund desk', definition }, ada);
    const { id: talk } = await post(`/v1/conversations?assistant_id=${agent.id}`, { name: 'Order 1042' }, ada);
    await post(`/v1/conversations/${talk}`, { content: 'When does my refund come?' }, ada);
    const { id: base } = await post('/v1/knowledge-bases', { name: 'Terms', settings_: { auto_summary: false } }, ada);
    const text = 'A refund takes five days.';
    const form = `--B\r\ncontent-disposition: form-data; name="files"; filename="t.txt"\r\n\r\n${text}\r\n--B--\r\n`;
    const headers = { ...ada.headers, 'content-type': 'multipart/form-data; boundary=B' };
    await post(`/v1/knowledge-bases/${base}/upload_train`, Buffer.from(form), { ...ada, headers });
    await until('it is trained', async () => (await get(`/v1/knowledge-bases/${base}`, ada)).trained_documents === 1);
    const columns = [{ name: 'refund_date', type: 'date' }];
    const table = await post('/v1/tables', { name: 'Orders', columns }, ada);

    const { groups } = await get('/v1/search?q=refund&limit=3', ada);
    const hits = Object.fromEntries(
      groups.map((group: { type: string; hits: unknown[] }) => [group.type, group.hits[0]]),
    );
    assert.equal(hits.agents.target.agent_id, agent.id);
    const { items } = await get(`/v1/conversations/${talk}/messages?order=oldest`, ada);
    const found = groups.find(({ type }: { type: string }) => type === 'messages').hits;
    assert.ok(found.some((hit: { target: { message_id: string } }) => hit.target.message_id === items[0].id));
    assert.deepEqual([hits.columns.target.table_id, hits.columns.target.column], [table.id, 'refund_date']);
    const passage = hits.passages;
    const [{ start, end }] = passage.text.marks;
    assert.equal(passage.text.text.slice(start, end), 'refund');
    const { knowledge_base_id, passage_id } = passage.target;
    const [opened] = (await get(`/v1/knowledge-bases/${knowledge_base_id}/chunks?around=${passage_id}&size=1`, ada))
      .items;
    assert.equal(opened.content, text, 'the target opens at the passage');
    const { groups: settings } = await get('/v1/search?q=temperature&types=settings', ada);
    assert.equal(settings[0].hits[0].target.setting, 'temperature');

    const reader = await invited(await roleNamed('Reader'), 'Flo Kennedy');
    const seen = await get('/v1/search?q=refund&types=conversations,messages,agents', reader.by);
    const types = seen.groups.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['agents'], 'chats of others are not found');
  });

  test('17: finds every setting with label, help and default, and a wrong value is refused at its field', async () => {
    const { fields } = await get('/v1/fields/agents', ada);
    const settings = fields.filter(({ path }: { path: string[] }) => path[0] === 'definition');
    assert.ok(settings.length >= 150);
    for (const { key, label, help, default: standard } of settings)
      assert.ok(label && help && standard !== undefined, key);
    const found = settings.filter(({ label }: { label: string }) => /\btemp/i.test(label));
    assert.deepEqual(
      found.map(({ key }: { key: string }) => key),
      ['temperature'],
    );
    const [temperature] = found;
    const agent = await post('/v1/agents', { name: 'Settings' }, ada);
    const patch = (value: number) =>
      call('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition: { temperature: value } }, ada);
    const refused = await patch(5);
    assert.deepEqual([refused.status, refused.json.detail[0].loc.slice(1)], [422, temperature.path]);
    assert.equal(
      refused.json.detail[0].ctx.le,
      temperature.bounds.max,
      "the server's bound, to be said in other words",
    );
    assert.equal((await patch(temperature.bounds.max)).status, 200);
    const now = await get(`/v1/fields/agents?agent_id=${agent.id}`, ada);
    assert.equal(now.fields.find(({ key }: { key: string }) => key === 'temperature').layer, 'draft');
  });

  test('25: imports a large table without its faults, edits cells and pastes 20, and undoes all of it', async () => {
    const lines = Array.from(
      { length: 3_000 },
      (_, n) => `City ${n % 40},${n},2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
    );
    lines[10] = 'City 10,10,2026-01-11,too much';
    lines[2_000] = 'City 0,2000,2026-01-13,too much';
    const file = new FormData();
    file.set('file', new Blob([`city,amount,day\n${lines.join('\n')}\n`]), 'city-sales.csv');
    const sent = new Request('http://localhost', { method: 'POST', body: file });
    const headers = { ...ada.headers, 'content-type': sent.headers.get('content-type') as string };
    const body = Buffer.from(await sent.arrayBuffer());
    const upload = (query: string) => post(`/v1/tables/import?${query}`, body, { ...ada, headers });

    const tried = await upload('dry_run=true');
    const types = tried.columns_created.map(({ name, type }: { name: string; type: string }) => [name, type]);
    assert.deepEqual(types, [
      ['city', 'text'],
      ['amount', 'integer'],
      ['day', 'date'],
    ]);
    assert.deepEqual(
      tried.errors.map(({ line }: { line: number }) => line),
      [12, 2_002],
    );
    const { table_id, inserted } = await upload('on_error=skip');
    assert.equal(inserted, 2_998);

    const at = `/v1/tables/${table_id}`;
    const filter = encodeURIComponent(JSON.stringify([{ column: 'city', value: 'City 7' }]));
    const list = `${at}/rows?filter=${filter}&sort=-amount&etags=true`;
    const first = await get(`${list}&size=20&total=true`, ada);
    assert.deepEqual([first.total, first.items[0].amount], [75, 2_967]);
    const next = await get(`${list}&size=20&cursor=${first.next_cursor}`, ada);
    assert.equal(next.items[0].amount, 2_167);
    assert.equal((await get(`${at}/rows?search=city%2039&total=true`, ada)).total, 75);
    const totals = await get(`${at}/totals?filter=${filter}&columns=amount,day`, ada);
    assert.deepEqual([totals.count, totals.columns.amount.min, totals.columns.amount.max], [75, 7, 2_967]);

    const [cell] = first.items;
    const edited: CallOptions = { ...ada, headers: { ...ada.headers, 'if-match': `"${first.etags[0]}"` } };
    await done('PATCH', `${at}/rows/${cell.id}`, { amount: 1 }, edited);
    assert.deepEqual(await refusedAs('PATCH', `${at}/rows/${cell.id}`, { amount: 2 }, edited), [409, 'etag_mismatch']);
    const pasted = first.items.map(({ id }: { id: string }, n: number) => ({ id, city: `Pasted ${n}` }));
    await done('PUT', `${at}/rows`, { on: 'id', rows: pasted }, ada);
    assert.equal((await get(`${at}/rows?search=pasted&total=true`, ada)).total, 20);
    const { items: history } = await get(`${at}/rows/${cell.id}/history`, ada);
    assert.deepEqual(
      history.slice(0, 2).map((change: Record<string, unknown>) => [change['before'], change['after']]),
      [
        [{ city: 'City 7' }, { city: 'Pasted 0' }],
        [{ amount: 2_967 }, { amount: 1 }],
      ],
    );
    assert.deepEqual([history[0].changed_by_actor.name, history[2].after.amount], ['Ada Byron', 2_967]);
    const { items: changes } = await get(`${at}/changes`, ada);
    for (const { id } of changes.slice(0, 2)) await post(`${at}/changes/${id}/undo`, undefined, ada);
    assert.deepEqual((await get(`${list}&size=20`, ada)).items, first.items);

    const sql = 'select city, sum(amount) as total from city_sales group by city order by total desc limit 1';
    assert.equal((await post('/v1/tables/query', { sql }, ada)).row_count, 1);
    const exported = await call('GET', `${at}/export`, undefined, ada);
    assert.equal(exported.text.trim().split('\n').length, 2_999);
    const reader = await invited(await roleNamed('Reader'), 'Ed Reader');
    assert.equal((await call('POST', `${at}/changes/${changes[0].id}/undo`, undefined, reader.by)).status, 403);
  });

  test('26: stores a secret, uses it in an action and never sees it; deleting it says what uses it', async () => {
    const value = 'canary-of-story-26';
    const seen: string[] = [];
    const asked = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body, ada);
      seen.push(answer.text);
      return answer;
    };
    const received: unknown[] = [];
    const shop = createServer(({ headers }, response) => {
      received.push(headers['token']);
      // A careless server that repeats what it was sent.
      response.end(`shipped with ${headers['token']}`);
    });
    await new Promise<void>((ready) => shop.listen(0, '127.0.0.1', ready));
    after(() => void shop.close());
    const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const secret = { name: 'ship_token', is_secret: true, inline_value: value, allowed_hosts: [host] };
    const made = await asked('POST', '/v1/variables', secret);
    assert.deepEqual([made.status, made.json.inline_value], [200, null]);
    const listed = await asked('GET', '/v1/variables?search=ship');
    assert.deepEqual(
      listed.json.items.map(({ name }: { name: string }) => name),
      ['ship_token'],
    );
    const actions = [
      { name: 'ship', method: 'GET', url: `http://${host}/ship`, headers: { token: '{{secret.ship_token}}' } },
    ];
    const listed_variables = { variables_enabled: true, variables: [made.json.id] };
    const definition = { model: ['atrium/extractive'], actions, ...listed_variables };
    const agent = await asked('POST', '/v1/agents', { name: 'Shipping', definition });
    assert.equal(agent.status, 200, agent.text);
    const { json: talk } = await asked('POST', `/v1/conversations?assistant_id=${agent.json.id}`, {});
    await asked('POST', `/v1/conversations/${talk.id}`, { content: 'ship it', tool: 'action_ship' });
    await asked('GET', `/v1/conversations/${talk.id}`);
    await asked('GET', '/v1/tool-calls');
    assert.deepEqual(received, [value], 'the server of the action got it');
    const uses = await asked('GET', `/v1/variables/${made.json.id}/used-by`);
    const use = { kind: 'agent', id: agent.json.id, name: 'Shipping' };
    assert.deepEqual(uses.json, { items: [use], hidden: 0 });
    const refused = await asked('DELETE', `/v1/variables/${made.json.id}`);
    assert.deepEqual([refused.status, refused.json.code, refused.json.used_by.items], [409, 'in_use', [use]]);
    assert.equal((await asked('DELETE', `/v1/variables/${made.json.id}?force=true`)).status, 200);
    assert.ok(!seen.some((text) => text.includes(value)), 'no answer holds the value');
  });

  test('21: sees the next five Mondays before a schedule is saved, fires it, finds its delivery and chat', async () => {
    const schedule = { cron: '0 9 * * 1', timezone: 'Europe/Berlin' };
    const { next_fires } = await post('/v1/triggers/preview', schedule, ada);
    for (const { at, local } of next_fires) {
      assert.match(local, /T09:00:00/);
      assert.deepEqual([new Date(at).getUTCDay(), Date.parse(local)], [1, Date.parse(at)]);
    }
    const agent = await post('/v1/agents', { name: 'Weekly', definition: { model: ['atrium/extractive'] } }, ada);
    const definition = { type: 'schedule', ...schedule, message: 'What is new?' };
    const trigger = await post(`/v1/agents/${agent.id}/triggers`, { name: 'Mondays', definition }, ada);
    assert.deepEqual(
      trigger.next_fires,
      next_fires.map(({ at }: { at: string }) => at),
    );
    await post(`/v1/triggers/${trigger.id}/fire`, {}, ada);
    const delivery = await until('the delivery has started a run', async () =>
      (await get(`/v1/triggers/${trigger.id}/deliveries`, ada)).items.find(({ run_id }: { run_id: string }) => run_id),
    );
    assert.equal(delivery.source, 'manual');
    const chats = await get(`/v1/conversations?assistant_id=${agent.id}`, ada);
    assert.equal(chats.total, 1);
    const [listed] = (await get('/v1/triggers?search=mondays', ada)).items;
    assert.deepEqual([listed.id, listed.health], [trigger.id, 'working']);
  });

  test('11: works through an inbox of four, sees a new request by events, and an expired one says so', async () => {
    const events = await openEventsAt(port)(ada.headers as Record<string, string>, '?types=approval');
    const pending = async () => (await get('/v1/approvals?size=100', ada)).items as Json[];
    const before = (await pending()).length;
    const tools = [{ type: 'clock', requires_approval: true }];
    const base_tools = [{ type: 'human_in_the_loop', enabled: true }];
    const definition = { model: ['atrium/extractive'], pii_anonimization: [], tools, base_tools };
    const agent = await post('/v1/agents', { name: 'Front desk', definition }, ada);
    const ask = async (tool: string, content: string) => {
      const { id } = await post(`/v1/conversations?assistant_id=${agent.id}`, { name: 'Ask' }, ada);
      await post(`/v1/conversations/${id}`, { content, tool }, ada);
      return id as string;
    };
    const [first, second] = [await ask('clock_now', 'Time?'), await ask('clock_now', 'Time again?')];
    const third = await ask('human_in_the_loop_ask', JSON.stringify({ question: 'A discount?' }));
    const step = (more: object = {}) => ({
      ...{ nodes: [{ id: 'ask', type: 'ApprovalNode', node_config: { question: 'Send it?', ...more } }], edges: [] },
    });
    const flow = await post('/v1/workflows', { name: 'Offer', definition: step() }, ada);
    const { id: run } = await post(`/v1/workflows/${flow.id}/runs/sync`, {}, ada);

    const waiting = await pending();
    assert.equal(waiting.length - before, 4, 'the badge');
    const of = (key: string, id: string) => waiting.find((item) => item[key] === id);
    assert.deepEqual(
      [of('conversation_id', first)?.type, of('conversation_id', third)?.question, of('run_id', run)?.question],
      ['approval', 'A discount?', 'Send it?'],
    );
    for (const item of waiting.filter(({ agent_id, run_id }) => agent_id === agent.id || run_id === run))
      await events.heard('approval.asked', item.id);
    const decide = (id: string, at: string, decision: string) => post(`${at}/approvals/${id}`, { decision }, ada);
    await decide(of('conversation_id', first)?.id, `/v1/conversations/${first}`, 'approve');
    await decide(of('conversation_id', second)?.id, `/v1/conversations/${second}`, 'reject');
    await post(`/v1/conversations/${third}/human`, { content: 'Ten percent' }, ada);
    await decide(of('run_id', run)?.id, `/v1/runs/${run}`, 'approve');
    assert.equal((await pending()).length, before);
    for (const id of [first, second, third]) await events.heard('approval.answered', of('conversation_id', id)?.id);

    const short = await post('/v1/workflows', { name: 'Hurry', definition: step({ wait_seconds: 1 }) }, ada);
    const { id: late } = await post(`/v1/workflows/${short.id}/runs/sync`, {}, ada);
    const asked = await until('the new one is told', () =>
      events.events.find(({ event, data }) => event === 'approval.asked' && data.run_id === late),
    );
    const over = await until('it has expired', async () =>
      (await get('/v1/approvals?status=expired', ada)).items.find(({ id }: Json) => id === asked.target_id),
    );
    assert.deepEqual([over.status, over.decided_by, over.run_id], ['expired', null, late]);
    const refused = await call('POST', `/v1/runs/${late}/approvals/${over.id}`, { decision: 'approve' }, ada);
    assert.equal(refused.status, 409, refused.text);
    const reader = await invited(await roleNamed('Reader'), 'Io Moth');
    const seen = (await get('/v1/approvals?status=all', reader.by)).items as Json[];
    assert.ok(!seen.some(({ conversation_id }) => conversation_id === first), 'requests of others are not listed');
    events.stop();
  });

  test('28: opens the trace of an answer: models, tools and the wait, hidden values, totals that add up', async () => {
    const tools = [{ type: 'clock', requires_approval: true }];
    const server = await closing(openaiProvider());
    const provider = { name: 'scripted', provider: 'openai-compatible', base_urls: [server.url], api_key: 'k' };
    await post('/v1/admin/providers', { ...provider, models: ['one'] }, ada);
    const usage = { input: 40, output: 4 };
    server.reply(
      { tool_calls: [{ id: 't1', name: 'clock_now', input: {} }], usage },
      { text: 'Noon, <EMAIL_ADDRESS_1>', usage },
    );
    const definition = { model: ['scripted/one'], tools, max_retries_per_model: 0 };
    const agent = await post('/v1/agents', { name: 'Trace', definition }, ada);
    const { id } = await post(`/v1/conversations?assistant_id=${agent.id}`, { name: 'Why' }, ada);
    const at = `/v1/conversations/${id}`;
    await post(at, { content: 'I am anna.berg@corp-mail.com. What time is it?' }, ada);
    const [asked] = (await get(`${at}/approvals`, ada)).items;
    await post(`${at}/approvals/${asked.id}`, { decision: 'approve' }, ada);
    const [run] = await until('the run is over', async () => {
      const { items } = await get(`/v1/runs?conversation_id=${id}`, ada);
      return items[0]?.status === 'completed' && items;
    });
    const traceAt = `/v1/runs/${run.id}/trace`;
    const trace = await until('the prompts are there', async () => {
      const found = await get(traceAt, ada);
      const models = found.steps.filter(({ kind }: Json) => kind === 'model');
      return models.length > 1 && models.every(({ prompt }: Json) => prompt) && found;
    });
    const ofKind = (kind: string): Json[] => trace.steps.filter((step: Json) => step.kind === kind);
    const { person } = await get('/v1/auth/session', ada);
    const [[wait], [tool]] = [ofKind('wait'), ofKind('tool')];
    assert.deepEqual([wait?.for, wait?.decision, wait?.by], ['approval', 'approve', person.id]);
    assert.deepEqual([tool?.name, tool?.outcome, wait?.parent_id], ['clock_now', 'ok', tool?.id]);
    assert.match(JSON.stringify(ofKind('model')[0]?.prompt), /<EMAIL_ADDRESS_1>/);
    assert.doesNotMatch(JSON.stringify(trace), /anna\.berg/);
    const whole = await get(`/v1/runs/${run.id}`, ada);
    for (const key of ['input_tokens', 'output_tokens']) {
      const sum = ofKind('model').reduce((all, step) => all + step[key], 0);
      assert.deepEqual([trace[key], trace.whole[key], whole.usage[key]], [sum, sum, sum], key);
    }
    const bare = await get(`${traceAt}?max_bytes=0`, ada);
    assert.ok(bare.truncated && bare.steps.length === trace.steps.length);
    assert.deepEqual((await get(`${traceAt}?step_id=${tool?.id}`, ada)).steps, [tool]);
    const calls = await get(`/v1/runs/${run.id}/tool-calls`, ada);
    assert.ok(JSON.stringify(calls).includes('clock_now'));
    const reader = await invited(await roleNamed('Reader'), 'Jo March');
    assert.ok((await call('GET', traceAt, undefined, reader.by)).status >= 403, 'not for everybody');
  });

  test('29: compares a version with the draft, case by case, and goes from a figure to its conversations', async () => {
    const events = await openEventsAt(port)(ada.headers as Record<string, string>, '?types=evaluation_run');
    const { id: base } = await post('/v1/knowledge-bases', { name: 'Rules', settings_: { auto_summary: false } }, ada);
    const form =
      '--B\r\ncontent-disposition: form-data; name="files"; filename="r.txt"\r\n\r\nA parcel takes nine days.\r\n--B--\r\n';
    const headers = { ...ada.headers, 'content-type': 'multipart/form-data; boundary=B' };
    await post(`/v1/knowledge-bases/${base}/upload_train`, Buffer.from(form), { ...ada, headers });
    await until('it is trained', async () => (await get(`/v1/knowledge-bases/${base}`, ada)).trained_documents === 1);
    const definition = { model: ['atrium/extractive'], pii_anonimization: [] };
    const agent = await post('/v1/agents', { name: 'Parcels', definition }, ada);
    const talks: string[] = [];
    for (const content of ['How long does a parcel take?', 'And a letter?', 'And a card?']) {
      const { id } = await post(`/v1/conversations?assistant_id=${agent.id}`, { name: content }, ada);
      await post(`/v1/conversations/${id}`, { content }, ada);
      talks.push(id);
    }
    const [kept, ...rest] = talks as [string, ...string[]];
    const set = await post('/v1/evaluations', { name: 'Parcels', agent_id: agent.id, conversation_ids: rest }, ada);
    const at = `/v1/evaluations/${set.id}`;
    const { messages } = await get(`/v1/conversations/${kept}`, ada);
    await post(`${at}/cases/from-message`, { conversation_id: kept, message_id: messages[1].id }, ada);
    const wanted = { messages: ['How long does a parcel take?'], expected: 'nine days', match: 'contains' };
    const byHand = await post(`${at}/cases`, wanted, ada);
    assert.equal((await get(`${at}/cases`, ada)).total, 4);

    await done('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition: { knowledge_bases: [base] } }, ada);
    const runs: string[] = [];
    for (const body of [{}, { draft: true }]) {
      const { id } = await post(`${at}/runs`, body, ada);
      runs.push(id);
      await until('it is done', async () => (await get(`${at}/runs/${id}`, ada)).status === 'completed');
    }
    const filled = () =>
      events.events.flatMap(({ event, target_id, data }) =>
        event === 'evaluation_run.progress' && target_id === runs[1] ? [data.progress] : [],
      );
    // The last event may be on its way while the run is read.
    await until('the last progress was told', async () => filled().length >= 4);
    assert.deepEqual(filled(), [25, 50, 75, 100]);
    const report = await get(`${at}/report?from=${runs[0]}&to=${runs[1]}`, ada);
    const better = report.cases.find(({ case_id }: Json) => case_id === byHand.id);
    assert.deepEqual([better.change, report.cases.length], ['better', 4]);
    assert.ok(!better.from.answer.includes('nine days') && better.to.answer.includes('nine days'), 'side by side');
    assert.equal(report.better + report.worse + report.same, 4);

    const hour = 3_600_000;
    const [start, end] = [Date.now() - 30 * 24 * hour, Date.now() + hour].map((time) => new Date(time).toISOString());
    const figures = await until('the figures are there', async () => {
      const answer = await call(
        ...([
          'GET',
          `/v1/analytics?metrics=conversations,cost&group_by=agent&time_start=${start}&time_end=${end}`,
        ] as const),
        ...([undefined, ada] as const),
      );
      const group = answer.json.metrics?.[0].groups.find(({ id }: Json) => id === agent.id);
      return group?.value === 3 && group;
    });
    const query = new URLSearchParams(figures.conversations).toString();
    const listed = await get(`/v1/conversations?${query}`, ada);
    assert.deepEqual(listed.items.map(({ id }: Json) => id).sort(), talks.toSorted());
    events.stop();
  });

  test('30: runs the place: role, key, provider, budget, who published, another workspace', async () => {
    const permissions = await get('/v1/admin/permissions', ada);
    assert.ok(permissions.some(({ label, help }: { label: string; help: string }) => label && help));
    const role = await post('/v1/admin/roles', { name: 'Teller', permissions: { agents_run: true } }, ada);
    const bo = await invited(await roleNamed('Reader'), 'Di Prima');
    await done('PUT', `/v1/admin/groups/${home}/members/${bo.session.person.id}`, { role_id: role.id }, ada);
    assert.equal((await call('GET', '/v1/auth/session', undefined, bo.by)).status, 401, 'the role has changed');

    const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString();
    const keysAt = `/v1/admin/groups/${home}/api-keys`;
    const key = await post(keysAt, { name: 'Backend', permissions: ['agents_run'], expires_at }, ada);
    assert.equal(Date.parse(key.expires_at), Date.parse(expires_at));
    await get('/v1/agents', { key: key.value });
    assert.ok(!JSON.stringify(await get(keysAt, ada)).includes(key.value), 'the key is shown once');
    await done('PATCH', `${keysAt}/${key.id}`, { name: 'Shop' }, ada);
    const [first] = (await get('/v1/admin/api-keys', ada)).items;
    assert.deepEqual([first.id, first.name, first.owner.name], [key.id, 'Shop', 'Ada Byron'], 'soon over comes first');

    const provider = { provider: 'openai-compatible', name: 'off', base_urls: ['http://127.0.0.1:9/v1'] };
    const { id: provider_id } = await post('/v1/admin/providers', provider, ada);
    const tried = await post(`/v1/admin/providers/${provider_id}/test`, undefined, ada);
    assert.equal(tried.success, false);

    const limit = { name: 'Month', max_cost: 50, period: 'month', group_id: home };
    const budget = await post('/v1/admin/budgets', limit, ada);
    assert.deepEqual([budget.scope, budget.state, budget.left.cost], ['workspace', 'ok', 50]);

    const agent = await post('/v1/agents', { name: 'Public' }, ada);
    const version = await post(`/v1/agents/${agent.id}/versions`, { name: 'v2' }, ada);
    await post(`/v1/agents/${agent.id}/versions/${version.id}/publish`, undefined, ada);
    const found = await get(`/v1/admin/audit?operation=agentVersions.publish&target_id=${agent.id}`, ada);
    assert.equal(found.items[0].actor.name, 'Ada Byron');

    const { id: other } = await post('/v1/admin/groups', { name: 'Second' }, ada);
    const there: CallOptions = { key: null, headers: { ...ada.headers, 'x-workspace-id': other } };
    assert.equal((await get('/v1/agents', there)).total, 0);
    assert.ok((await get('/v1/agents', ada)).total > 0);
    const { workspaces } = await get('/v1/auth/session', ada);
    assert.ok(workspaces.some(({ id }: { id: string }) => id === other));
  });
});
