import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { startMailServer } from '../../../test/support/mail-server.ts';
import { listenOnSocket } from '../../../test/support/socket-client.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { openEventsAt } from '../events/testing.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { decryptAsBrowser, makeBrowser } from './push/testing.ts';

const smtp = await startMailServer();
const mail = {
  ...{ server: smtp.settings, from: { name: 'Atrium', address: 'no-reply@atrium.example' } },
  public_url: 'https://atrium.example',
};
const testing = await testApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'], mail });
const { app, call, query, logged, workspace } = testing;
const { aMember, home } = await makePeopleIn(testing);
type Member = Awaited<ReturnType<typeof aMember>>;

const at = '/v1/me/notifications';
const definition = { model: ['atrium/extractive'], pii_anonimization: [] };
async function done(method: string, path: string, body: unknown, by: object = {}) {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const inbox = async ({ cookie }: Member, search = '') =>
  (await done('GET', `${at}${search}`, undefined, as(cookie))).items;
const kinds = async (person: Member) => (await inbox(person)).map(({ kind }: { kind: string }) => kind);
const notified = (person: Member, kind: string) =>
  until(`${kind} is told`, async () => (await inbox(person)).find((one: { kind: string }) => one.kind === kind));
const unread = async ({ cookie }: Member) => (await done('GET', `${at}/count`, undefined, as(cookie))).unread;

/** Asks for an approval in a conversation of this caller. */
async function askApproval(by: object) {
  const tools = [{ type: 'clock', requires_approval: true }];
  const agent = await done('POST', '/v1/agents', { name: 'Clock', definition: { ...definition, tools } });
  const { id } = await done('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Heliotrope' }, by);
  await done('POST', `/v1/conversations/${id}`, { content: 'Heliotrope?', tool: 'clock_now' }, by);
  return id as string;
}
const warnOfBudget = async (name: string, group_id = home) => {
  const { id } = await done('POST', '/v1/admin/budgets', {
    name,
    group_id,
    max_tokens: 1_000_000_000,
    period: 'month',
  });
  await query(`select publish_budget($1, '2026-11-01', 'budget.warned')`, [id]);
  return id as string;
};

suite('notifications', { concurrency: false }, () => {
  test('tell a person of what waits for them, and nobody else', async () => {
    const [bo, cy, admin] = [await aMember('Reader'), await aMember('Reader'), await aMember('Admin')];
    const stream = await openEventsAt((await listenOnSocket(app)).port)(as(bo.cookie).headers, '?types=notification');
    const conversation_id = await askApproval(as(bo.cookie));
    const asked = await notified(bo, 'approval_asked');
    assert.deepEqual(asked.parent, { kind: 'conversation', id: conversation_id });
    assert.deepEqual([asked.subject.kind, asked.subject.name], ['agent', 'Clock']);
    assert.deepEqual([asked.target.kind, asked.read_at, asked.group_id], ['approval', null, home]);
    assert.doesNotMatch(JSON.stringify(asked), /heliotrope/i);
    assert.equal((await stream.heard('notification.created')).target_id, asked.id);
    assert.deepEqual([await kinds(cy), await kinds(admin)], [[], []]);
    await done('DELETE', `/v1/agents/${asked.subject.id}`, undefined);
    assert.equal((await notified(bo, 'approval_asked')).subject, null, 'a deleted agent is not named');
    const budget = await warnOfBudget('Tea');
    assert.equal((await notified(admin, 'budget_warned')).target.id, budget);
    await query(`select publish_budget($1, '2026-11-01', 'budget.warned')`, [budget]);
    await warnOfBudget('Coffee');
    await until('the other budget is told of', async () => (await kinds(admin)).length === 2);
    assert.deepEqual(await kinds(bo), ['approval_asked'], 'budgets are for administrators');
    stream.stop();
  });

  test('tell of failed runs, of requests to turn off a lock, and of what was shared', async () => {
    const [bo, editor] = [await aMember('Reader'), await aMember('Editor')];
    await done('POST', '/v1/admin/providers', {
      ...{ provider: 'openai-compatible', name: 'off', base_urls: ['http://127.0.0.1:9/v1'], models: ['one'] },
    });
    const broken = { model: ['off/one'], max_retries_per_model: 0 };
    const agent = await done('POST', '/v1/agents', { name: 'Off', definition: broken });
    const talk = await done('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'x' }, as(bo.cookie));
    await call('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' }, as(bo.cookie));
    const failed = await notified(bo, 'run_failed');
    assert.deepEqual([failed.target.kind, failed.parent], ['run', { kind: 'conversation', id: talk.id }]);

    const ada = await aMember('Reader');
    await done('PATCH', `/v1/admin/users/${ada.id}`, { tenant_admin: true });
    const locked = await done('POST', '/v1/agents', { name: 'Locked', definition: { pii_lock: true } });
    const requests = `/v1/agents/${locked.id}/unlock-requests`;
    const request = await done('POST', requests, { lock: 'pii_lock', reason: 'Heliotrope' }, as(editor.cookie));
    await until(
      'administrators are told',
      async () =>
        (await query(`select 1 from notifications where person_id = $1 and kind = 'unlock_asked'`, [ada.id])).length,
    );
    await done('POST', `${requests}/${request.id}`, { decision: 'unlock' });
    const answered = await notified(editor, 'unlock_answered');
    assert.equal(answered.target.id, request.id);

    const base = await done('POST', '/v1/knowledge-bases', { name: 'Shared' });
    const visible_to = [{ kind: 'person', id: bo.id }];
    for (const name of ['a', 'b']) await done('POST', `/v1/knowledge-bases/${base.id}/document`, { name, visible_to });
    const shared = await notified(bo, 'shared');
    assert.deepEqual(shared.parent, { kind: 'knowledge_base', id: base.id });
    await warnOfBudget('After it');
    assert.equal((await kinds(bo)).filter((kind: string) => kind === 'shared').length, 1, 'once a day for each base');
  });

  test('are marked as read one by one and all together, by their person alone', async () => {
    const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
    for (let count = 0; count < 3; count++) await askApproval(as(bo.cookie));
    const [third, second, first] = await until('three are told', async () => {
      const items = await inbox(bo);
      return items.length === 3 ? items : undefined;
    });
    assert.equal(await unread(bo), 3);
    const read = await done('POST', `${at}/${first.id}/read`, undefined, as(bo.cookie));
    assert.ok(read.read_at);
    assert.equal((await call('POST', `${at}/${second.id}/read`, undefined, as(cy.cookie))).status, 404);
    assert.equal((await call('DELETE', `${at}/${second.id}/read`, undefined, as(cy.cookie))).status, 404);
    assert.deepEqual([(await inbox(bo, '?unread=true')).length, (await inbox(bo, '?unread=false')).length], [2, 1]);
    assert.equal((await done('DELETE', `${at}/${first.id}/read`, undefined, as(bo.cookie))).read_at, null);
    const partly = await done('POST', `${at}/read`, { through: second.id }, as(bo.cookie));
    assert.deepEqual([partly.unread, (await inbox(bo, '?unread=true'))[0].id], [1, third.id]);
    assert.equal((await done('POST', `${at}/read`, {}, as(bo.cookie))).unread, 0);
    assert.equal((await inbox(bo, '?kind=budget_warned')).length, 0);
    for (const path of [at, `${at}/count`, '/v1/me/push-key']) assert.equal((await call('GET', path)).status, 403);
  });

  test('are left out once the person may not see what they are about', async () => {
    const place = await workspace();
    const admin = await aMember('Admin', place.id);
    await warnOfBudget('Gone', place.id);
    await notified(admin, 'budget_warned');
    await done('DELETE', `/v1/admin/groups/${place.id}/members/${admin.id}`, undefined);
    const rows = await query('select 1 from notifications where person_id = $1', [admin.id]);
    assert.equal(rows.length, 1, 'it is there and hidden');
    const { headers } = await call(
      'POST',
      '/v1/auth/sign-in',
      { email: admin.email, password: 'a long password' },
      { key: null },
    );
    const cookie = String(headers['set-cookie']).split(';')[0] as string;
    assert.deepEqual((await done('GET', at, undefined, as(cookie))).items, []);
    assert.equal((await done('GET', `${at}/count`, undefined, as(cookie))).unread, 0);
  });

  test('are switched off and on for each kind and way in the preferences', async () => {
    const [off, on] = [await aMember('Admin'), await aMember('Admin')];
    const notifications = { budget_warned: { in_app: false } };
    await done('PUT', '/v1/me/preferences', { notifications }, as(off.cookie));
    const wrong = { notifications: { weather: { mail: true } } };
    assert.equal((await call('PUT', '/v1/me/preferences', wrong, as(off.cookie))).status, 422);
    await warnOfBudget('Off');
    await notified(on, 'budget_warned');
    assert.deepEqual(await kinds(off), []);
  });

  test('that stay unread are mailed in one mail, where the person wants that', async () => {
    const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
    const notifications = { approval_asked: { mail: true } };
    await done('PUT', '/v1/me/preferences', { notifications }, as(bo.cookie));
    for (const person of [bo, bo, bo, cy]) await askApproval(as(person.cookie));
    await until('all are told', async () => (await unread(bo)) === 3 && (await unread(cy)) === 1);
    const [{ id }] = await inbox(bo);
    await done('POST', `${at}/${id}/read`, undefined, as(bo.cookie));
    const send = async () => {
      await query(`select graphile_worker.add_job('notifications.mail', '{}')`);
      await until('the job is done', async () => {
        const jobs = await query(
          `select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
           where t.identifier in ('notifications.mail', 'people.send-mail')`,
        );
        return jobs.length === 0;
      });
    };
    const notices = () => smtp.mails.filter(({ subject }) => subject?.endsWith('from Atrium'));
    await send();
    assert.equal(notices().length, 0, 'there is time to read them first');
    await query(`update notifications set created_at = created_at - interval '6 minutes' where person_id = $1`, [
      bo.id,
    ]);
    await send();
    const [sent, ...more] = notices();
    assert.deepEqual([sent?.recipients, more.length, sent?.subject], [[bo.email], 0, '2 notifications from Atrium']);
    assert.match(sent?.text ?? '', /waits for your answer \(2 times\)\n[\s\S]*https:\/\/atrium\.example\//);
    assert.doesNotMatch(sent?.text ?? '', /heliotrope/i);
    await askApproval(as(bo.cookie));
    await until('the next one is told', async () => (await unread(bo)) === 3);
    await query(`update notifications set created_at = created_at - interval '6 minutes' where person_id = $1`, [
      bo.id,
    ]);
    await send();
    assert.equal(notices().length, 1, 'one mail in half an hour');
  });
});

suite('push notifications', { concurrency: false }, () => {
  const received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  let status = 201;
  const service = createServer(async (request, response) => {
    received.push({ path: request.url as string, headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  const address = new Promise<string>((resolve) =>
    service.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(service.address() as AddressInfo).port}`)),
  );
  after(() => service.close());
  const devices = '/v1/me/push-subscriptions';
  const browser = makeBrowser();

  test('reach the browser encrypted for it, signed with the key that it subscribed with', async () => {
    const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
    const { public_key } = await done('GET', '/v1/me/push-key', undefined, as(bo.cookie));
    assert.equal(Buffer.from(public_key, 'base64url').length, 65);
    assert.equal((await done('GET', '/v1/me/push-key', undefined, as(cy.cookie))).public_key, public_key);
    const endpoint = `${await address}/send/secret-address`;
    const device = await done('POST', devices, { endpoint, keys: browser.keys, label: 'Laptop' }, as(bo.cookie));
    assert.deepEqual([device.label, device.origin], ['Laptop', await address]);
    const again = await done('POST', devices, { endpoint, keys: browser.keys, label: 'Laptop' }, as(bo.cookie));
    assert.deepEqual(
      (await done('GET', devices, undefined, as(bo.cookie))).map(({ id }: { id: string }) => id),
      [again.id],
      'the same subscription replaces the first',
    );
    const body = { endpoint, keys: browser.keys, label: 'Phone' };
    const dee = await aMember('Reader');
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => call('POST', devices, body, as(dee.cookie))));
    assert.deepEqual(
      atOnce.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal((await done('GET', devices, undefined, as(dee.cookie))).length, 1);
    assert.deepEqual(await done('GET', devices, undefined, as(cy.cookie)), []);
    assert.equal((await call('DELETE', `${devices}/${again.id}`, undefined, as(cy.cookie))).status, 404);

    await askApproval(as(bo.cookie));
    const [sent] = await until('it is pushed', () => (received.length ? received : undefined));
    const told = JSON.parse(decryptAsBrowser(sent?.body as Buffer, browser));
    const shown = await notified(bo, 'approval_asked');
    assert.deepEqual([told.notification_id, told.kind, told.text], [shown.id, 'approval_asked', shown.text]);
    assert.deepEqual([sent?.headers['content-encoding'], sent?.headers['ttl']], ['aes128gcm', '86400']);
    const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(sent?.headers.authorization ?? '') ?? [];
    assert.equal(key, public_key);
    const [head, claims, signature] = token.split('.') as [string, string, string];
    const point = Buffer.from(public_key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const verifier = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never });
    const options = { key: verifier, dsaEncoding: 'ieee-p1363' } as const;
    assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, 'base64url')));
    const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    assert.deepEqual([aud, sub], [await address, 'mailto:no-reply@atrium.example']);
    assert.ok(exp > Date.now() / 1000 && exp < Date.now() / 1000 + 86_400);
    const rows = await query('select * from push_subscriptions cross join push_keys');
    for (const text of [JSON.stringify(rows), logged.join('\n')])
      for (const secret of ['secret-address', browser.keys.auth]) assert.ok(!text.includes(secret), secret);

    status = 410;
    await askApproval(as(bo.cookie));
    await until(
      'the device is removed',
      async () => (await done('GET', devices, undefined, as(bo.cookie))).length === 0,
    );
    status = 201;
  });

  test('refuse keys that no browser makes, and more devices than a person has', async () => {
    const bo = await aMember('Reader');
    const endpoint = `${await address}/x`;
    for (const keys of [
      { ...browser.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') },
      { ...browser.keys, auth: 'short' },
      { p256dh: browser.keys.p256dh },
    ])
      assert.equal((await call('POST', devices, { endpoint, keys }, as(bo.cookie))).status, 422);
    for (let count = 0; count < 20; count++)
      await done('POST', devices, { endpoint: `${endpoint}${count}`, keys: browser.keys }, as(bo.cookie));
    const over = await call('POST', devices, { endpoint: `${endpoint}20`, keys: browser.keys }, as(bo.cookie));
    assert.deepEqual([over.status, over.json.code], [409, 'too_many_devices']);
  });

  test('do not reach addresses inside the network', async () => {
    const guarded = await testApp({ roles: ['http', 'worker'] });
    const people = await makePeopleIn(guarded);
    const bo = await people.aMember('Admin');
    const before = received.length;
    const input = { endpoint: `${await address}/inside`, keys: browser.keys };
    assert.equal((await guarded.call('POST', devices, input, as(bo.cookie))).status, 200);
    const budget = { name: 'x', group_id: people.home, max_tokens: 1000, period: 'month' };
    const { json } = await guarded.call('POST', '/v1/admin/budgets', budget);
    await guarded.query(`select publish_budget($1, '2026-11-01', 'budget.warned')`, [json.id]);
    await until('it was refused', () => guarded.logged.some((line) => line.includes('push.refused')));
    assert.equal(received.length, before);
  });
});

test('the export of a person has their notifications and devices, and an erasure deletes both', async () => {
  const bo = await aMember('Reader');
  await askApproval(as(bo.cookie));
  await notified(bo, 'approval_asked');
  const input = { endpoint: 'https://push.example.com/erased', keys: makeBrowser().keys, label: 'Phone' };
  await done('POST', '/v1/me/push-subscriptions', input, as(bo.cookie));
  const finished = async (job: string) =>
    until('the job is done', async () => {
      const state = (await call('GET', `/v1/data-jobs/${job}`)).json;
      return state.status === 'done' ? state : undefined;
    });
  const exported = await done('POST', `/v1/admin/users/${bo.id}/export`, undefined);
  assert.ok((await finished(exported.id)).report.notifications >= 1);
  const erased = await done('POST', `/v1/admin/users/${bo.id}/erase`, undefined);
  const { report } = await finished(erased.id);
  assert.deepEqual([report.notifications, report.push_subscriptions], [1, 1]);
  for (const table of ['notifications', 'push_subscriptions'])
    assert.deepEqual(await query(`select 1 from ${table} where person_id = $1`, [bo.id]), [], table);
});
