import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/two-nodes.ts';
import { budgetApp } from './testing.ts';

const app = await budgetApp();
const root = join(import.meta.dirname, '../..');
const sources = globSync('{app,app.ts,features,execution,http,lib,worker}/**', { cwd: root })
  .concat('app.ts')
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const filesWith = (pattern: RegExp) => sources.flatMap(({ file, text }) => (pattern.test(text) ? file : [])).sort();

test('reaches providers in four files only, each of which asks the budgets first', () => {
  const driver = 'drivers/(?:models|embeddings|images|rerankers)/';
  // The makers of drivers, which only the composition root may import.
  assert.deepEqual(filesWith(new RegExp(`from '[./]+${driver}(?!driver\\.ts)`)), [
    'app/knowledge-bases.ts',
    'app/models.ts',
  ]);
  // Those that hold a driver: they take its type.
  const holds = new RegExp(
    `import [^;]*\\b(?:Model|Embedding|PictureEmbedding|ImageModel|Reranker)\\b[^;]*from '[./]+${driver}driver\\.ts'`,
  );
  assert.deepEqual(filesWith(holds), [
    'features/embeddings/service.ts',
    'features/images/service.ts',
    'features/knowledge-bases/search/make-rerankers.ts',
    // Ranks with what make-rerankers.ts hands out.
    'features/knowledge-bases/search/rank-hits.ts',
    'features/model-calls/service.ts',
    // Hands models out behind withAnonymizer.
    'features/models/service.ts',
  ]);
  const metered = filesWith(/\bmeterCall\(|meterStream\(/);
  assert.deepEqual(metered, [
    'features/embeddings/service.ts',
    'features/images/service.ts',
    'features/knowledge-bases/search/make-rerankers.ts',
    'features/model-calls/service.ts',
  ]);
  // Every model that the registry hands out has a meter.
  const registry = readFileSync(join(root, 'features/models/service.ts'), 'utf8').replaceAll(/\s+/g, ' ');
  const handed = registry.match(/withAnonymizer\((?!,).*?(?:counter\)|\{ meter,)/g);
  assert.equal(handed?.length, registry.match(/withAnonymizer\(/g)?.length);
});

test('counts replies, titles, guardrails, embeddings, workflow steps and their like on one budget', async () => {
  const { budget, look, server, one, vectors, ok, agent_id, group_id } = await app.place({
    agent_title_mode: 'generate',
    toxicity: 'High',
  });
  const { id } = await budget({ max_tokens: 10_000_000 });
  let reported = 0;
  server.answers = (body) => {
    const usage = { input: 100, output: body.input ? 0 : 10 };
    reported += usage.input + usage.output;
    if (body.response_format) return { text: '{"flagged": false, "severity": "none", "reason": "-"}', usage };
    return { text: 'A name', usage };
  };
  const conversation = await ok('POST', `/v1/conversations?assistant_id=${agent_id}`, {});
  await ok('POST', `/v1/conversations/${conversation.id}`, { content: 'Hello' });
  await ok('POST', '/v1/embeddings', { model: vectors, input: ['Hi', 'Ho'] });
  const nodes = [{ id: 'say', type: 'TextGenerationNode', node_config: { model: [one], template: 'Say' } }];
  const workflow = await ok('POST', '/v1/workflows', { name: 'w', definition: { nodes, edges: [] } });
  await ok('POST', `/v1/workflows/${workflow.id}/runs/sync`, {});
  const wanted = ['embedding', 'guardrail', 'reply', 'title', 'workflow'];
  await until('all calls are recorded', async () => {
    const rows = await app.query('select distinct purpose from model_calls where workspace_id = $1', [group_id]);
    const purposes = new Set(rows.map(({ purpose }) => purpose));
    return wanted.every((purpose) => purposes.has(purpose));
  });
  assert.ok(reported >= 5 * 100, String(reported));
  assert.equal((await look(id)).used.tokens, reported);
});
