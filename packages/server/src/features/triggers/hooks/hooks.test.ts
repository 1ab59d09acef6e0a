import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { testApp } from '../../../../test/support/test-app.ts';
import { countingTarget } from '../testing.ts';

const flows = countingTarget();
const app = await testApp({}, { triggerTargets: [flows.target] });
const { call, query } = app;
const me = await app.workspace();
const as = { key: me.key };

async function made(definition: object) {
  const at = `/v1/workflows/${flows.make(me.id)}/triggers`;
  const { status, json, text } = await call('POST', at, { definition: { type: 'webhook', ...definition } }, as);
  assert.equal(status, 200, text);
  return json;
}
const send = (key: string, body: string, headers: Record<string, string>) =>
  call('POST', `/hooks/${key}`, body, { key: null, headers: { 'content-type': 'application/json', ...headers } });
const now = () => Math.floor(Date.now() / 1000);

/** Computed by the specification, without code of the server. */
function signed(secret: string, body: string, { id = randomUUID() as string, at = now() } = {}) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}
const count = async (trigger_id: string) =>
  (await query('select count(*)::int as n from trigger_deliveries where trigger_id = $1', [trigger_id]))[0].n as number;

test('shows a generated secret once and a given one never', async () => {
  const own = await made({ auth: 'hmac' });
  assert.match(own.definition.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal((await call('GET', `/v1/triggers/${own.id}`, undefined, as)).json.definition.secret, '********');
  const given = await made({ secret: 'a secret of the caller' });
  assert.deepEqual([given.definition.secret, given.definition.auth], ['********', 'secret']);
  const kept = await call('PATCH', `/v1/triggers/${given.id}`, { definition: { secret: '********' } }, as);
  assert.equal(kept.status, 200);
  assert.equal((await send(given.routing_key, '{}', { 'x-webhook-secret': 'a secret of the caller' })).status, 200);
  const [row] = await query('select definition::text, secret from triggers where id = $1', [given.id]);
  assert.doesNotMatch(row.definition + row.secret, /a secret of the caller/);
});

test('accepts the secret in either header and nothing else', async () => {
  const { routing_key, id } = await made({ secret: 'open-sesame' });
  for (const headers of [{ 'x-webhook-secret': 'open-sesame' }, { authorization: 'Bearer open-sesame' }])
    assert.equal((await send(routing_key, '{}', headers as Record<string, string>)).status, 200);
  for (const wrong of ['', 'open', 'open-sesame-', 'OPEN-SESAME'])
    assert.equal((await send(routing_key, '{}', { 'x-webhook-secret': wrong })).status, 401);
  const refused = await send(routing_key, '{}', {});
  assert.deepEqual([refused.status, /X-Webhook-Secret/.test(refused.json.detail)], [401, true]);
  assert.equal(await count(id), 2);
});

test('accepts a signed message, and refuses forged, old and repeated ones', async () => {
  const { routing_key, id, definition } = await made({ auth: 'hmac' });
  const { secret } = definition;
  const body = '{"order": 17}';
  const headers = signed(secret, body);
  const first = await send(routing_key, body, headers);
  assert.deepEqual([first.status, first.json.duplicate], [200, false]);
  const again = await send(routing_key, body, headers);
  assert.deepEqual([again.status, again.json.duplicate, again.json.id], [200, true, first.json.id]);
  const code = async (sent: Record<string, string>, text = body) => {
    const { status, json } = await send(routing_key, text, sent);
    return [status, json.code];
  };
  assert.deepEqual(await code(headers, '{"order": 18}'), [401, 'bad_signature']);
  assert.deepEqual(await code({ ...headers, 'webhook-id': randomUUID() }), [401, 'bad_signature']);
  assert.deepEqual(await code({ ...headers, 'webhook-timestamp': String(now() + 1) }), [401, 'bad_signature']);
  assert.deepEqual(await code({ ...headers, 'webhook-signature': 'v1,' }), [401, 'bad_signature']);
  assert.deepEqual(await code(signed(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, body)), [401, 'bad_signature']);
  for (const at of [now() - 400, now() + 400])
    assert.deepEqual(await code(signed(secret, body, { at })), [401, 'timestamp_out_of_range']);
  const rotated = signed(secret, body);
  const several = { ...rotated, 'webhook-signature': `v1,${'A'.repeat(43)}= ${rotated['webhook-signature']}` };
  assert.equal((await send(routing_key, body, several)).status, 200);
  assert.equal(await count(id), 2);
});

test('accepts a signature over the whole body in hex, with a given or generated secret', async () => {
  for (const given of ['whole-body', undefined]) {
    const { routing_key, definition } = await made({ auth: 'hmac_body', secret: given, dedupe_header: 'x-delivery' });
    const secret = given ?? definition.secret;
    const hex = createHmac('sha256', secret).update('{"a":1}').digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${hex}`, 'x-delivery': 'd1' };
    assert.equal((await send(routing_key, '{"a":1}', headers)).status, 200);
    assert.equal((await send(routing_key, '{"a":1}', headers)).json.duplicate, true);
    assert.equal((await send(routing_key, '{"a":2}', headers)).status, 401);
  }
});

test('does not pass credentials of the sender on to the run', async () => {
  const { routing_key, id } = await made({ secret: 'not for the run' });
  const headers = {
    'x-webhook-secret': 'not for the run',
    cookie: 'a=b',
    'x-api-key': 'k'.repeat(20),
    'x-color': 'red',
  };
  await send(`${routing_key}?from=shop`, '{}', headers);
  const [{ input }] = await query('select input from trigger_deliveries where trigger_id = $1', [id]);
  const { 'user-agent': _, ...told } = input.trigger.headers;
  assert.deepEqual(told, { 'content-type': 'application/json', 'x-color': 'red' });
  assert.deepEqual(input.trigger.query, { from: 'shop' });
});

test('accepts or refuses any message with any headers, and never fails with 500', async () => {
  const { routing_key } = await made({ auth: 'hmac' });
  const open = await made({});
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
  const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all));
  const type = fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', 'image/png', 'x');
  await fc.assert(
    fc.asyncProperty(bytes, type, text, text, async (body, content, id, stamp) => {
      const headers = {
        'content-type': content,
        'webhook-id': id,
        'webhook-timestamp': stamp,
        'webhook-signature': id,
      };
      const sealed = await call('POST', `/hooks/${routing_key}`, body, { key: null, headers });
      assert.ok([401, 415].includes(sealed.status), `${sealed.status}`);
      const taken = await call('POST', `/hooks/${open.routing_key}`, body, { key: null, headers });
      assert.ok([200, 415, 422].includes(taken.status), `${taken.status} ${taken.text}`);
    }),
    { numRuns: 60 },
  );
});
