import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../test/support/server-process.ts';
import { testPool } from '../test/support/test-database.ts';

/** How many messages are sent; `npm run test:slow` sends a thousand. */
const most = Number(process.env['HOOK_MESSAGES'] ?? 40);
const key = 'hooks-kill-admin-key-0123456789';
const dir = mkdtempSync(join(tmpdir(), 'atrium-hooks-'));
const started: ServerProcess[] = [];

after(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  killAll(postgresIn(dir));
  await gone(dir);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<{ server: ServerProcess; address: string }> {
  const env = { ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'hooks-kill-secret-key-0123456789', ATRIUM_TAGGER: 'words' };
  const server = startProcess({ dir, env });
  started.push(server);
  return { server, address: await server.ready };
}

interface Message {
  order: string;
  kind: 'true' | 'again' | 'forged' | 'old';
  body: string;
  headers: Record<string, string>;
}

/** Of ten messages seven are true, one comes again, one is forged and one is old. */
function messagesFor(secret: string): Message[] {
  const sign = (id: string, at: number, body: string, own: string) =>
    `v1,${createHmac('sha256', Buffer.from(own.slice(6), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64')}`;
  const messages: Message[] = [];
  for (let n = 0; n < most; n++) {
    const kind = ({ 7: 'again', 8: 'forged', 9: 'old' } as const)[n % 10] ?? 'true';
    const before = messages.findLast((message) => message.kind === 'true');
    if (kind === 'again' && before) {
      messages.push({ ...before, kind });
      continue;
    }
    const [order, id] = [`order-${n}`, randomUUID()];
    const at = Math.floor(Date.now() / 1000) - (kind === 'old' ? 3600 : 0);
    const body = JSON.stringify({ order });
    const own = kind === 'forged' ? `whsec_${Buffer.alloc(32, 7).toString('base64')}` : secret;
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': sign(id, at, body, own) };
    messages.push({ order, kind, body, headers: { 'content-type': 'application/json', ...headers } });
  }
  return messages;
}

test('messages that come again, are forged or old, and a kill in the middle: each true one runs exactly once', async (t) => {
  let { server, address } = await start();
  const api = async (path: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as { id: string; routing_key: string; definition: { secret: string } };
  };
  const agent = await api('/v1/agents', { name: 'Orders' });
  const definition = { type: 'webhook', auth: 'hmac', tolerance_seconds: 1800, message: '((order))' };
  const trigger = await api(`/v1/agents/${agent.id}/triggers`, { name: 'Orders', definition });
  const messages = messagesFor(trigger.definition.secret);

  const statuses = new Map<Message, number>();
  const waiting = [...messages];
  let down: Promise<unknown> | undefined;
  let killed = false;
  /** A sender that is not answered sends again, as senders do. */
  async function sender(): Promise<void> {
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      await down;
      const { body, headers } = message;
      const answer = await fetch(`${address}/hooks/${trigger.routing_key}`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      if (!answer || answer.status >= 500) {
        waiting.push(message);
        await sleep(20);
      } else statuses.set(message, answer.status);
      if (!killed && statuses.size >= most / 2) {
        killed = true;
        down = server.killEverything().then(async () => {
          ({ server, address } = await start());
        });
      }
    }
    await down;
  }
  await Promise.all(Array.from({ length: 6 }, sender));
  assert.ok(killed);

  for (const [message, status] of statuses)
    assert.equal(status, message.kind === 'true' || message.kind === 'again' ? 200 : 401, message.kind);
  const trues = messages.filter(({ kind }) => kind === 'true').map(({ order }) => order);

  const pool = testPool(databaseOf(dir), 1);
  const rows = async (text: string) => (await pool.query(text)).rows;
  for (let look = 0; ; look++) {
    const [{ left }] = await rows("select count(*)::int as left from trigger_deliveries where status = 'pending'");
    const [{ open }] = await rows('select count(*)::int as open from runs where finished_at is null');
    if (left + open === 0) break;
    assert.ok(look < 1800, `${left} not started, ${open} not over`);
    await sleep(100);
  }
  const said = await rows("select parts::json -> 0 ->> 'content' as order from messages where role = 'user'");
  assert.deepEqual(said.map(({ order }) => order).sort(), trues.sort());
  const [{ runs }] = await rows('select count(*)::int as runs from runs');
  assert.equal(runs, trues.length);
  const [{ failed }] = await rows("select count(*)::int as failed from trigger_deliveries where status <> 'started'");
  assert.equal(failed, 0);
  await pool.end();
  assert.equal(await server.stop(), 0);
  t.diagnostic(`${messages.length} messages, ${trues.length} true ones, ${runs} runs`);
});
