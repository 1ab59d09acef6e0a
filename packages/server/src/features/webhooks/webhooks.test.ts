import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { simulatedClock } from '../triggers/testing.ts';

const time = simulatedClock(Date.now());
const app = await testApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'] }, { clock: time.clock });
const { call } = app;

/** A receiver: it keeps the requests it gets and answers as the test says. */
const heard: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let answers: (number | [status: number, headers: Record<string, string>])[] = [];
/** Paths at which it hears and does not answer, until what is kept there comes to pass. */
const silent = new Map<string, Promise<void>>();
const other = createServer(async (request, response) => {
  heard.push({ url: request.url ?? '', headers: request.headers, body: await text(request) });
  await silent.get(request.url ?? '');
  const [status, headers] = [answers.shift() ?? 200].flat() as [number, Record<string, string>?];
  response.writeHead(status, headers).end('thanks');
});
await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
after(() => {
  other.closeAllConnections();
  other.close();
});
const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

const hour = 3_600_000;
const place = async () => {
  const me = await app.workspace();
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body, { key: me.key });
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  return { ...me, ok };
};
/** The requests that arrived at a path of the receiver. */
const arrived = (path: string, least = 1) =>
  until(`${least} arrived at ${path}`, () => {
    const own = heard.filter(({ url }) => url === path);
    return own.length >= least ? own : undefined;
  });
interface Attempts {
  status: string;
  attempts: number;
  error: unknown;
  response_status: number | null;
}
const settled = (ok: Awaited<ReturnType<typeof place>>['ok'], id: string, fits: (delivery: Attempts) => boolean) =>
  until('the delivery is as it should be', async () => {
    const { items } = await ok('GET', `/v1/webhooks/${id}/deliveries`);
    return items[0] && fits(items[0]) ? items[0] : undefined;
  });

test('sends an event to the webhooks that are subscribed to it, signed', async () => {
  const { ok, id: workspace_id } = await place();
  const hook = await ok('POST', '/v1/webhooks', { url: `${address}/told`, events: ['conversation.ended', 'run'] });
  assert.match(hook.secret, /^whsec_/);
  const { secret } = await ok('GET', `/v1/webhooks/${hook.id}`);
  assert.equal(secret, '********');
  // A mask that is sent back keeps the secret: the signatures below are made with it.
  await ok('PATCH', `/v1/webhooks/${hook.id}`, { secret });
  const { id } = await ok('POST', '/v1/conversations', { name: 'test', settings: {} });
  await ok('POST', `/v1/conversations/${id}`, { content: 'Hello' });
  const sent = await arrived('/told', 2);
  const told = sent.map(({ body }) => JSON.parse(body));
  assert.deepEqual(told.map(({ type }) => type).sort(), ['conversation.ended', 'run.completed']);
  for (const { workspace_id: own, data, timestamp } of told) {
    assert.deepEqual([own, data.conversation_id, data.status], [workspace_id, id, 'completed']);
    assert.ok(!Number.isNaN(Date.parse(timestamp)));
  }
  for (const { headers, body } of sent) {
    const [own, at] = [headers['webhook-id'], headers['webhook-timestamp']];
    const key = Buffer.from(hook.secret.slice(6), 'base64');
    const right = createHmac('sha256', key).update(`${own}.${at}.${body}`).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${right}`);
  }
  const done = await settled(ok, hook.id, ({ status }) => status === 'delivered');
  assert.deepEqual([done.attempts, done.response_status, done.error], [1, 200, null]);
  assert.ok((await ok('GET', `/v1/webhooks/${hook.id}`)).last_delivered_at);
});

test('sends a refused delivery again later, under the same id, until it is accepted', async () => {
  const { ok } = await place();
  const hook = await ok('POST', '/v1/webhooks', {
    url: `${address}/again`,
    events: ['webhook'],
    secret: 'given-secret',
  });
  assert.equal(hook.secret, '********');
  answers = [500, 503];
  await ok('POST', `/v1/webhooks/${hook.id}/test`);
  const once = await settled(ok, hook.id, ({ error }) => error !== null);
  assert.deepEqual([once.status, once.attempts, once.response_status, once.error.code], ['pending', 1, 500, 'refused']);
  const pause = Date.parse(once.next_attempt_at) - time.clock.now();
  assert.ok(pause >= 5000 && pause <= 6000, `${pause} ms`);
  assert.equal((await ok('GET', `/v1/webhooks/${hook.id}`)).last_error.code, 'refused');
  time.set(time.clock.now() + 7000);
  // What the second attempt came to, not that it was begun: only then its pause is known.
  await settled(ok, hook.id, ({ response_status }) => response_status === 503);
  time.set(time.clock.now() + hour);
  const done = await settled(ok, hook.id, ({ status }) => status === 'delivered');
  assert.equal(done.attempts, 3);
  const sent = await arrived('/again', 3);
  assert.equal(new Set(sent.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
  const again = await ok('POST', `/v1/webhooks/${hook.id}/deliveries/${done.id}/redeliver`);
  assert.equal(again.redelivery_of, done.id);
  const last = (await arrived('/again', 4)).at(-1);
  assert.equal(last?.body, sent[0]?.body);
});

test('switches a webhook off that fails for days, says why and publishes an event', async () => {
  const { ok } = await place();
  const dead = await ok('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/dead', events: ['webhook'] });
  await ok('POST', '/v1/webhooks', { url: `${address}/watcher`, events: ['webhook.disabled'] });
  await ok('POST', `/v1/webhooks/${dead.id}/test`);
  const after_ = async (attempts: number) =>
    settled(ok, dead.id, (delivery) => delivery.attempts === attempts && delivery.error !== null);
  const first = await after_(1);
  assert.equal(first.error.code, 'unreachable');
  for (let attempt = 2; attempt <= 10; attempt++) {
    time.set(time.clock.now() + 30 * hour);
    await after_(attempt);
    // The result of the attempt is written a moment later.
    await until('it is noted', async () => {
      const { items } = await ok('GET', `/v1/webhooks/${dead.id}/deliveries`);
      return items[0].status !== 'pending' || Date.parse(items[0].next_attempt_at) - time.clock.now() > 2 * 60_000;
    });
    if (!(await ok('GET', `/v1/webhooks/${dead.id}`)).enabled) break;
  }
  const off = await ok('GET', `/v1/webhooks/${dead.id}`);
  assert.deepEqual([off.enabled, off.notice.code], [false, 'failing']);
  assert.match(off.notice.message, /^Switched off: nothing has arrived since /);
  const [told] = await arrived('/watcher');
  assert.deepEqual(JSON.parse(told?.body ?? '').data.webhook_id, dead.id);
  await ok('POST', `/v1/webhooks/${dead.id}/test`);
  assert.equal((await settled(ok, dead.id, ({ status }) => status === 'failed')).error.code, 'webhook_disabled');
  const on = await ok('PATCH', `/v1/webhooks/${dead.id}`, {
    ...{ enabled: true, url: `${address}/alive`, secret: 'given-again' },
  });
  assert.deepEqual([on.enabled, on.notice, on.failing_since], [true, null, null]);
  await ok('POST', `/v1/webhooks/${dead.id}/test`);
  await arrived('/alive');
});

test('a webhook waits as long as Retry-After says, follows no redirect, and ends when its receiver is gone', async () => {
  const { ok } = await place();
  const hook = await ok('POST', '/v1/webhooks', { url: `${address}/moody`, events: ['webhook'] });
  const tried = async (answer: (typeof answers)[number]) => {
    answers = [answer];
    await ok('POST', `/v1/webhooks/${hook.id}/test`);
    return settled(ok, hook.id, ({ error }) => error !== null);
  };
  const busy = await tried([429, { 'retry-after': '600' }]);
  const pause = Date.parse(busy.next_attempt_at) - time.clock.now();
  assert.ok(pause >= 600_000 && pause <= 720_000, `${pause} ms`);
  const moved = await tried([307, { location: `${address}/elsewhere` }]);
  assert.deepEqual([moved.status, moved.response_status], ['pending', 307]);
  const gone = await tried(410);
  assert.deepEqual([gone.status, gone.attempts, gone.next_attempt_at], ['failed', 1, null]);
  const off = await ok('GET', `/v1/webhooks/${hook.id}`);
  assert.deepEqual([off.enabled, off.notice.code], [false, 'gone']);
  assert.ok(!heard.some(({ url }) => url === '/elsewhere'));
});

test('a receiver that does not answer delays only its own deliveries', async () => {
  const { ok } = await place();
  const slow = await ok('POST', '/v1/webhooks', { url: `${address}/silent`, events: ['webhook'] });
  const quick = await ok('POST', '/v1/webhooks', { url: `${address}/quick`, events: ['webhook'] });
  const answering = Promise.withResolvers<void>();
  silent.set('/silent', answering.promise);
  // Not many more than there are lanes: a request that hangs is given up after a while, which starts with the first.
  const made = await Promise.all(
    Array.from({ length: 12 }, async () => (await ok('POST', `/v1/webhooks/${slow.id}/test`)).id),
  );
  // As many as one may have under way, and all of them hang.
  await arrived('/silent', 10);
  await ok('POST', `/v1/webhooks/${quick.id}/test`);
  await settled(ok, quick.id, ({ status }) => status === 'delivered');
  assert.equal(heard.filter(({ url }) => url === '/silent').length, 10);
  answering.resolve();
  await until('all have been delivered', async () => {
    const { items } = await ok('GET', `/v1/webhooks/${slow.id}/deliveries?size=50`);
    return items.every(({ status, attempts }: Attempts) => status === 'delivered' && attempts === 1);
  });
  const ids = heard.filter(({ url }) => url === '/silent').map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids.sort(), made.sort(), 'each once');
});

test('deliveries are looked through by how they stand', async () => {
  const { ok, key } = await place();
  const hook = await ok('POST', '/v1/webhooks', { url: `${address}/seen`, events: ['webhook'], enabled: false });
  const at = `/v1/webhooks/${hook.id}`;
  const missed = await ok('POST', `${at}/test`);
  await settled(ok, hook.id, ({ status }) => status === 'failed');
  await ok('PATCH', at, { enabled: true });
  const told = await ok('POST', `${at}/test`);
  await settled(ok, hook.id, ({ status }) => status === 'delivered');
  const found = async (status: string) => {
    const { items, total } = await ok('GET', `${at}/deliveries?status=${status}`);
    return [total, ...items.map(({ id }: { id: string }) => id)];
  };
  assert.deepEqual(await found('failed'), [1, missed.id]);
  assert.deepEqual(await found('delivered'), [1, told.id]);
  assert.deepEqual(await found('pending'), [0]);
  assert.equal((await call('GET', `${at}/deliveries?status=done`, undefined, { key })).status, 422);
});

test('an address inside the network is not reached', async () => {
  const { ok } = await place();
  for (const url of ['http://169.254.169.254/latest', 'http://[::1]:9/', 'http://10.0.0.1/']) {
    const hook = await ok('POST', '/v1/webhooks', { url: 'https://hooks.example', events: ['run'] });
    await app.query('update webhooks set url = $2 where id = $1', [hook.id, url]);
    await ok('POST', `/v1/webhooks/${hook.id}/test`);
    const refused = await settled(ok, hook.id, ({ error }) => error !== null);
    assert.deepEqual([refused.error.code, refused.response_status], ['private_address', null], url);
    assert.equal(/ATRIUM_WEB_ALLOW/.test(refused.error.message), !url.includes('169.254'), refused.error.message);
  }
});

test('refuses an unknown event and an invalid address', async () => {
  const { key } = await place();
  const at = (body: object) =>
    call('POST', '/v1/webhooks', { url: 'https://example.com', events: ['run'], ...body }, { key });
  for (const [body, loc] of [
    [{ url: 'ftp://example.com' }, ['body', 'url']],
    [{ url: 'https://user:pass@example.com' }, ['body', 'url']],
    [{ events: [] }, ['body', 'events']],
    [{ events: ['moon.rise'] }, ['body', 'events', '0']],
    [{ secret: 'short' }, ['body', 'secret']],
  ] as const) {
    const { status, json } = await at(body);
    assert.deepEqual([status, json.detail?.[0].loc], [422, loc]);
  }
});
