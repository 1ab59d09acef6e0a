import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Budget } from '@atrium/contract/budgets/schema.ts';
import { chatDialect } from '../../../test/providers/chat-dialect.ts';
import { type Dialect, scriptedServer, tokensOf } from '../../../test/providers/scripted-server.ts';
import { closing, scriptedApp } from '../../../test/support/scripted-app.ts';
import type { AppOptions } from '../../app.ts';
import type { Config } from '../../config.ts';

/** A vector for each text, and the tokens that the script says. */
const embeddingDialect: Dialect = {
  frames: () => [],
  whole: (reply, body) => ({
    object: 'list',
    data: [body.input].flat().map((_, index) => ({ object: 'embedding', index, embedding: [1, 0.5, 0.1] })),
    model: body.model,
    usage: { prompt_tokens: tokensOf(reply).input, total_tokens: tokensOf(reply).input },
  }),
  error: (_, message) => ({ error: { message } }),
  asked: () => '',
};

/** Dollars for a million tokens of `one` and `vectors`; `two` has no price. */
export const price = { input: 2, cached_input: 1, output: 10 };

export function pricedModels(): string {
  const file = join(tmpdir(), `budget-models-${process.pid}.json`);
  const entries = ['one', 'vectors'].map((model) => ({ provider: 'openai-compatible', model, price }));
  writeFileSync(file, JSON.stringify(entries));
  after(() => rmSync(file, { force: true }));
  return file;
}

/** An app whose models have prices, and makers for workspaces with budgets of their own. */
export async function budgetApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await scriptedApp({ models_file: pricedModels(), ...changes }, options);

  /** A provider of its own, and the full names of its models. */
  async function provider() {
    const server = await closing(scriptedServer({ '/chat/completions': chatDialect, '/embeddings': embeddingDialect }));
    const name = await app.account([server.url]);
    return { server, one: `${name}/one`, two: `${name}/two`, vectors: `${name}/vectors` };
  }

  /** A workspace with an agent; requests are made with a key of the workspace unless another is given. */
  async function place(settings: object = {}) {
    const models = await provider();
    const { id: group_id, key } = await app.workspace();
    const ok = async (method: string, path: string, body?: unknown, by = key) => {
      const answer = await app.call(method, path, body, { key: by });
      assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
      return answer.json;
    };
    const definition = { model: [models.one], max_retries_per_model: 0, max_tokens: 1000, ...settings };
    const agent_id: string = (await ok('POST', '/v1/agents', { name: 'A', definition })).id;
    const complete = (by = key, content = 'Hello') =>
      app.call('POST', '/v1/chat/completions', completion(agent_id, content), { key: by });
    const budget = async (fields: object, by = key): Promise<Budget> =>
      ok('POST', '/v1/admin/budgets', { name: 'B', group_id, period: 'month', ...fields }, by);
    const look = async (id: string): Promise<Budget> => ok('GET', `/v1/admin/budgets/${id}`, undefined, app.admin);
    return { ...models, group_id, key, ok, agent_id, complete, budget, look };
  }
  return { ...app, place };
}

export const completion = (agent_id: string, content = 'Hello') => ({
  model: `agent:${agent_id}`,
  messages: [{ role: 'user', content }],
});
