import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { aNode, anEdge } from '../../src/features/workflows/testing.ts';
import { startApprovedCrashConversation, startCrashConversation } from '../../test/crash/crash-conversations.ts';
import type { CrashTestServer } from '../../test/crash/crash-test-server.ts';
import type { ChaosNodes } from './chaos-nodes.ts';

/** A client that works while faults happen, and then compares what the server acknowledged with what it can read. */
interface Client {
  /** One piece of work, to its end. */
  work(number: number): Promise<void>;
  /** What was seen, in words; throws when a promise was broken. */
  check(): Promise<string>;
  close?(): void;
}

/** Chats, with five readers of each answer that go on after every cut: no gap, no repeat, the whole text once. */
export function chats(chaos: ChaosNodes): Client {
  const talks: Awaited<ReturnType<typeof startCrashConversation>>[] = [];
  const rig = chaos as unknown as CrashTestServer;
  return {
    async work(number) {
      const talk = await startCrashConversation(rig, `${number % 2 ? 'paced' : 'fast'} talk ${number}`);
      talks.push(talk);
      await talk.done;
    },
    async check() {
      for (const talk of talks) await talk.check();
      return `${talks.length} chats, ${talks.reduce((sum, talk) => sum + talk.resets(), 0)} resets`;
    },
  };
}

/** Chats whose calls people approve: each is asked for, decided and made once. */
export function approvals(chaos: ChaosNodes): Client {
  const talks: Awaited<ReturnType<typeof startApprovedCrashConversation>>[] = [];
  return {
    async work(number) {
      const rig = chaos as unknown as CrashTestServer;
      const talk = await startApprovedCrashConversation(rig, `approved talk ${number}`);
      talks.push(talk);
      await talk.done;
    },
    async check() {
      for (const talk of talks) await talk.check();
      return `${talks.length} approved chats`;
    },
  };
}

/** Rows that are sent until they are acknowledged: each is there, and there once. */
export async function rows(chaos: ChaosNodes): Promise<Client> {
  const columns = [{ name: 'word', type: 'text', label: 'Word' }];
  const { id } = await chaos.insist('POST', '/v1/tables', { name: 'Words', columns });
  const acknowledged: string[] = [];
  return {
    async work(number) {
      await chaos.insist('POST', `/v1/tables/${id}/rows`, { word: `word ${number}` });
      acknowledged.push(`word ${number}`);
      await sleep(20);
    },
    async check() {
      const found: string[] = [];
      for (let offset = 0; offset === found.length; offset += 100) {
        const page = await chaos.insist('GET', `/v1/tables/${id}/rows?size=100&offset=${offset}&sort=word`);
        found.push(...page.items.map((row: { word: string }) => row.word));
      }
      assert.equal(new Set(found).size, found.length, 'no row is there twice');
      assert.deepEqual(
        acknowledged.filter((word) => !found.includes(word)),
        [],
        'no acknowledged row is lost',
      );
      return `${acknowledged.length} rows`;
    },
  };
}

/**
 * Orders by webhook, each sent to two nodes at once and again until it is acknowledged, for a workflow that tells
 * another server: each runs once and tells at most once, and one that is said to be completed has told.
 */
export async function orders(chaos: ChaosNodes): Promise<Client> {
  const told = new Map<string, number>();
  const shop = createServer(async (request, response) => {
    const order = await text(request).catch(() => '');
    told.set(order, (told.get(order) ?? 0) + 1);
    await sleep(150);
    response.end('{}');
  });
  await new Promise<void>((ready) => shop.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
  const nodes = [
    aNode('in', 'InputNode', { label: 'order' }),
    aNode('tell', 'HttpRequestNode', { method: 'POST', url, body: '((order))' }),
  ];
  const edges = [anEdge('in.output -> tell.variables[order]')];
  const flow = await chaos.insist('POST', '/v1/workflows', {
    ...{ name: 'Orders', type: 'flow', definition: { nodes, edges } },
  });
  const definition = { type: 'webhook', auth: 'hmac', tolerance_seconds: 1800 };
  const trigger = await chaos.insist('POST', `/v1/workflows/${flow.id}/triggers`, { name: 'Orders', definition });
  const secret = Buffer.from(trigger.definition.secret.slice(6), 'base64');
  const sent = new Map<string, string>();

  async function send(order: string): Promise<void> {
    const [id, at, body] = [randomUUID(), Math.floor(Date.now() / 1000), JSON.stringify({ order })];
    const signature = `v1,${createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature };
    for (let attempt = 0; attempt < 300; attempt++) {
      const post = () => chaos.ask('POST', `/hooks/${trigger.routing_key}`, { order }, headers);
      const answers = (await Promise.all([post(), post()])).filter((answer) => answer?.status === 200);
      const ids = new Set(answers.map((answer) => answer?.json.id as string));
      assert.ok(ids.size <= 1, `${order} is one delivery: ${[...ids].join(', ')}`);
      for (const delivery of ids) return void sent.set(order, delivery);
      await sleep(100);
    }
    assert.fail(`${order} was never acknowledged`);
  }

  return {
    work: (number) => send(`order ${number}`),
    async check() {
      for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
        const [{ open } = { open: 0 }] = await chaos.query<{ open: number }>(
          `select ((select count(*) from trigger_deliveries where status = 'pending')
            + (select count(*) from workflow_runs where finished_at is null))::int as open`,
        );
        if (open === 0) break;
      }
      const statuses: Record<string, number> = {};
      for (const order of sent.keys()) {
        const runs = await chaos.query<{ status: string; error: { code: string } | null }>(
          `select status, error from workflow_runs where workflow_id = $1 and input::jsonb ->> 'order' = $2`,
          [flow.id, order],
        );
        assert.equal(runs.length, 1, `${order} ran once`);
        const status = runs[0]?.status ?? '';
        statuses[status] = (statuses[status] ?? 0) + 1;
        const times = told.get(order) ?? 0;
        assert.ok(times <= 1, `${order} was told ${times} times`);
        if (status === 'completed') assert.equal(times, 1, `${order} was told`);
        else assert.equal(status, 'failed', `${order} came to an end`);
      }
      return `${sent.size} orders ${JSON.stringify(statuses)}`;
    },
    close() {
      shop.closeAllConnections();
      shop.close();
    },
  };
}

/** Documents of a knowledge base: all are trained in the end, and each is found. */
export async function documents(chaos: ChaosNodes): Promise<Client> {
  const { id } = await chaos.insist('POST', '/v1/knowledge-bases', {
    name: 'Base',
    settings_: { auto_summary: false },
  });
  const names: string[] = [];
  return {
    async work(number) {
      const name = `document${number}.txt`;
      const form = new FormData();
      form.append('files', new Blob([`The code of box ${number} is walnut${number}. `.repeat(40)]), name);
      await chaos.insist('POST', `/v1/knowledge-bases/${id}/upload_train`, form);
      names.push(name);
      await sleep(1500);
    },
    async check() {
      for (const end = Date.now() + 60_000; ; await sleep(200)) {
        const base = await chaos.insist('GET', `/v1/knowledge-bases/${id}`);
        if (base.training_documents === 0 && base.trained_documents === names.length) break;
        assert.ok(Date.now() < end, `${base.trained_documents} of ${names.length} are trained`);
      }
      for (const name of names) {
        const word = `walnut${name.match(/\d+/)?.[0]}`;
        const body = { query: word, top_k: 50 };
        const results = await chaos.insist('POST', `/v1/knowledge-bases/${id}/search`, body);
        assert.ok(JSON.stringify(results).includes(word), `${name} is found`);
      }
      return `${names.length} documents`;
    },
  };
}
