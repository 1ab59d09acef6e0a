import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';

/** Reached after about half a minute of work. */
const max_tokens = 30_000;
const atOnce = 3;

/** Questions to an agent with a budget: the provider bills no more than it, and all that it bills is counted. */
export async function spending(chaos: ChaosNodes): Promise<Client> {
  const provider = await openaiProvider();
  const account = { provider: 'openai-compatible', base_urls: [provider.url], api_key: 'key', models: ['one'] };
  await chaos.insist('POST', '/v1/admin/providers', { name: 'billing', ...account });
  const definition = { model: ['billing/one'], max_retries_per_model: 0, max_tokens: 400, timeout: 30 };
  const agent = await chaos.insist('POST', '/v1/agents', { name: 'Spender', definition });
  const budget = await chaos.insist('POST', '/v1/admin/budgets', {
    ...{ name: 'Spender', agent_id: agent.id, max_tokens, period: 'month' },
  });
  let billed = 0;
  // A provider bills what it was asked for, whether or not the answer is still read.
  provider.answers = ({ max_tokens: most }) => {
    const usage = {
      input: 200 + Math.floor(Math.random() * 200),
      output: Math.min(most, 100 + Math.floor(Math.random() * 300)),
    };
    billed += usage.input + usage.output;
    return { text: 'some words', usage, delay_ms: 300 + Math.random() * 600 };
  };
  const body = {
    model: `agent:${agent.id}`,
    messages: [{ role: 'user', content: 'How are you today, my friend? '.repeat(100) }],
  };
  const statuses = new Map<number, number>();
  return {
    async work() {
      const ask = () => chaos.ask('POST', '/v1/chat/completions', body);
      for (const answer of await Promise.all(Array.from({ length: atOnce }, ask))) {
        const status = answer?.status ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 409) await sleep(500);
      }
      await sleep(200);
    },
    async check() {
      const { used, reserved, over } = await chaos.insist('GET', `/v1/admin/budgets/${budget.id}`);
      const figures = `billed ${billed}, used ${used.tokens}, reserved ${reserved.tokens} of ${max_tokens} tokens`;
      assert.ok(billed <= max_tokens, figures);
      assert.ok(used.tokens + reserved.tokens <= max_tokens, figures);
      assert.ok(billed <= used.tokens + reserved.tokens, `all that was billed is counted: ${figures}`);
      assert.equal(over.tokens, 0, figures);
      return `${figures}, answers ${JSON.stringify([...statuses])}`;
    },
    close: () => void provider.close(),
  };
}
