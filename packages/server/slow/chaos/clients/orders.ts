import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';
import { makeTellingWorkflow, startShop, untilWorkflowsRest } from './shop.ts';

/**
 * Orders by webhook, each sent to two nodes at once and again until it is acknowledged, for a workflow that tells
 * another server: each runs once and tells at most once, and one that is said to be completed has told.
 */
export async function orders(chaos: ChaosNodes): Promise<Client> {
  const shop = await startShop();
  const flow_id = await makeTellingWorkflow(chaos, 'Orders', 'order', shop.url);
  const definition = { type: 'webhook', auth: 'hmac', tolerance_seconds: 1800 };
  const trigger = await chaos.insist('POST', `/v1/workflows/${flow_id}/triggers`, { name: 'Orders', definition });
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
      await untilWorkflowsRest(chaos);
      const statuses: Record<string, number> = {};
      const all = await chaos.query<{ name: string; status: string }>(
        `select input::jsonb ->> 'order' as name, status from workflow_runs where workflow_id = $1`,
        [flow_id],
      );
      const runsOf = Map.groupBy(all, ({ name }) => name);
      for (const order of sent.keys()) {
        const runs = runsOf.get(order) ?? [];
        assert.equal(runs.length, 1, `${order} ran once`);
        const status = runs[0]?.status ?? '';
        statuses[status] = (statuses[status] ?? 0) + 1;
        const times = shop.countOf(order);
        assert.ok(times <= 1, `${order} was told ${times} times`);
        if (status === 'completed') assert.equal(times, 1, `${order} was told`);
        else assert.equal(status, 'failed', `${order} came to an end`);
      }
      return `${sent.size} orders ${JSON.stringify(statuses)}`;
    },
    close: shop.close,
  };
}
