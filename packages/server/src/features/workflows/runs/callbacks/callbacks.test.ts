import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testApp } from '../../../../../test/support/test-app.ts';
import { aNode, anEdge } from '../../testing.ts';

const got: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
const receiver = createServer(async (request, response) => {
  got.push({ headers: request.headers, body: await text(request) });
  response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
});
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
after(() => void receiver.close());
const { port } = receiver.address() as AddressInfo;

const { call, query, logged } = await testApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'] });

const definition = {
  nodes: [aNode('t', 'ComposeTextNode', { template: 'x' }), aNode('o', 'OutputNode', { label: 'o' })],
  edges: [anEdge('t.output -> o.input')],
};
const { json: flow } = await call('POST', '/v1/workflows', { definition });
const path = `/v1/workflows/${flow.id}/runs`;

async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (await is()) return;
    await sleep(20);
  }
  assert.fail(`waited in vain: ${what}`);
}

test('sends a signed callback when a run ends', async () => {
  const { json: run } = await call('POST', path, { callback_url: `http://127.0.0.1:${port}/done` });
  await until('the callback comes', () => got.length === 1);
  const { headers, body } = got[0] as (typeof got)[number];
  const told = JSON.parse(body);
  assert.deepEqual(
    [told.run_id, told.id, told.event, told.status, told.output['o::output'].text],
    [run.id, run.id, 'run.completed', 'completed', 'x'],
  );
  const { secret } = (await call('GET', '/v1/workflows/callback-secret')).json;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 60);
});

test('tries a callback again when it is refused or redirected', async () => {
  for (const trouble of [503, 302]) {
    got.length = 0;
    status = trouble;
    const { json: run } = await call('POST', path, { callback_url: `http://127.0.0.1:${port}/busy` });
    await until('the first try', () => got.length >= 1);
    await until('the failure is noted', async () => {
      const failed = await query(
        "select 1 from graphile_worker._private_jobs where payload ->> 'run_id' = $1 and last_error is not null",
        [run.id],
      );
      return failed.length > 0;
    });
    status = 200;
    await query("update graphile_worker._private_jobs set run_at = now() where payload ->> 'run_id' = $1", [run.id]);
    await until('another try is taken', async () => {
      const left = await query("select 1 from graphile_worker._private_jobs where payload ->> 'run_id' = $1", [run.id]);
      return left.length === 0;
    });
    assert.ok(got.length >= 2);
    assert.deepEqual([got[0]?.headers['webhook-id'], got[0]?.body], [got[1]?.headers['webhook-id'], got[1]?.body]);
  }
});

test('sends a callback for a run that is stopped while it waits for an approval', async () => {
  got.length = 0;
  const { json: waiting } = await call('POST', '/v1/workflows', {
    definition: { nodes: [aNode('ask', 'ApprovalNode', { question: '?' })], edges: [] },
  });
  const body = { callback_url: `http://127.0.0.1:${port}/stopped` };
  const { json: run } = await call('POST', `/v1/workflows/${waiting.id}/runs/sync`, body);
  assert.equal(run.status, 'awaiting_human_feedback');
  assert.equal((await call('POST', `/v1/runs/${run.id}/stop`)).json.status, 'stopped');
  await until('the callback comes', () => got.length === 1);
  assert.equal(JSON.parse(got[0]?.body ?? '').event, 'run.stopped');
});

test('does not call a forbidden address, and refuses an invalid one', async () => {
  got.length = 0;
  const { status: taken, json } = await call('POST', path, { callback_url: 'http://127.0.0.2:9/inside' });
  assert.equal(taken, 200);
  await until('it is refused', () =>
    logged.some((line) => line.includes('A callback was refused') && line.includes(json.id)),
  );
  for (const callback_url of ['nothing', 'ftp://example.com/', 'http://'])
    assert.equal((await call('POST', path, { callback_url })).json.detail[0].loc.join('.'), 'body.callback_url');
  assert.equal(got.length, 0);
});
