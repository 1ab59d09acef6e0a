import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/two-nodes.ts';
import { newId } from '../../lib/ids.ts';
import { insertInbound, nextInbound } from '../channels/store.ts';
import * as topics from '../insights/topics/topic-store.ts';
import { insertDelivery, listDeliveries } from '../webhooks/delivery-store.ts';
import { aNode, anEdge } from '../workflows/testing.ts';
import { askNode, makeTextSetup } from './testing.ts';

const setup = await makeTextSetup({ web_allow: ['127.0.0.1'] });
const { columnsWith, convert, encryptingDatabase, provider, query } = setup;
const node = await setup.node({ encrypt_at_rest: true, roles: ['http', 'worker'] });
const word = 'zanthoxylum';

test('stores no word of workflows and triggers as plain text, and the job converts them both ways', async () => {
  const definition = {
    nodes: [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('ask', 'ApprovalNode', { question: 'Go on?' }),
      aNode('out', 'OutputNode', { label: 'n' }),
    ],
    edges: ['in.output -> ask.value', 'ask.approved -> out.input'].map(anEdge),
  };
  const flow = await askNode(node, 'POST', '/v1/workflows', { name: 'Asks', definition });
  const body = { definition: { type: 'webhook', auth: 'none' } };
  const trigger = await askNode(node, 'POST', `/v1/workflows/${flow.id}/triggers`, body);
  // Large values are stored beside the journal.
  await askNode(node, 'POST', `/v1/triggers/${trigger.id}/fire`, { input: { n: `${word} `.repeat(20_000) } });
  const run_id: string = await until('the trigger has started a run', async () => {
    const { items } = await askNode(node, 'GET', `/v1/triggers/${trigger.id}/deliveries`);
    return items[0].run_id;
  });
  const [step] = await until('somebody is asked', async () => {
    const asked = await askNode(node, 'GET', `/v1/runs/${run_id}/approvals`);
    return asked.length ? asked : undefined;
  });
  const decision = { decision: 'approve', note: `Fine, ${word}` };
  await askNode(node, 'POST', `/v1/runs/${run_id}/approvals/${step.id}`, decision);
  const read = () => askNode(node, 'GET', `/v1/runs/${run_id}`);
  await until('the run has ended', async () => (await read()).finished_at);
  const sample = { node_id: 'in', outputs: { output: word } };
  await askNode(node, 'POST', `/v1/workflows/${flow.id}/samples`, sample);
  const check = async () => {
    const run = await read();
    const { samples } = await askNode(node, 'GET', `/v1/workflows/${flow.id}/samples`);
    assert.equal(samples[0].outputs.output, word);
    assert.equal(run.status, 'completed');
    assert.ok(JSON.stringify(run.output).includes(word) && JSON.stringify(run.input).includes(word));
    const approvals = await askNode(node, 'GET', '/v1/approvals?status=all');
    assert.ok(JSON.stringify(approvals).includes(`Fine, ${word}`));
    const deliveries = await askNode(node, 'GET', `/v1/triggers/${trigger.id}/deliveries`);
    assert.ok(JSON.stringify(deliveries).includes(word));
  };
  assert.deepEqual(await columnsWith(word), []);
  await check();
  await convert(false);
  const plain = await columnsWith(word);
  for (const column of [
    'trigger_deliveries.input',
    'workflow_approvals.note',
    'workflow_runs.input',
    'workflow_runs.output',
    'workflow_samples.outputs',
  ])
    assert.ok(plain.includes(column), `${column} is not among ${plain}`);
  assert.ok(plain.some((column) => column === 'workflow_journal.events' || column === 'workflow_values.value'));
  await check();
  await convert(true);
  assert.deepEqual(await columnsWith(word), []);
  await check();
});

test('stores no word of evaluations as plain text', async () => {
  provider.answers = () => ({ text: `A refund takes five days, ${word}` });
  const agent = await askNode(node, 'POST', '/v1/agents', {
    name: 'Shop',
    definition: { model: ['blind'], top_k: 0, pii_anonimization: [] },
  });
  const cases = [{ name: 'refund', messages: [`How long, ${word}?`], expected: 'five days', match: 'contains' }];
  const evaluation = await askNode(node, 'POST', '/v1/evaluations', { agent_id: agent.id, name: 'Refunds', cases });
  const { id } = await askNode(node, 'POST', `/v1/evaluations/${evaluation.id}/runs`, {});
  const run = await until('it has ended', async () => {
    const seen = await askNode(node, 'GET', `/v1/evaluations/${evaluation.id}/runs/${id}`);
    return ['completed', 'failed'].includes(seen.status) ? seen : undefined;
  });
  assert.ok(JSON.stringify(run).includes(`five days, ${word}`));
  assert.deepEqual(await columnsWith(word), []);
});

test('stores no word of topics, messages from channels and payloads of webhooks as plain text', async () => {
  const db = await encryptingDatabase();
  const agent = await askNode(node, 'POST', '/v1/agents', { name: 'Desk', definition: {} });
  const { id: conversation_id, group_id: workspace_id } = await askNode(node, 'POST', '/v1/conversations', {});
  const ref = { workspace_id, agent_id: agent.id as string };
  const labels = { short: word, medium: `About ${word}`, long: `All about ${word}` };
  const [first, second] = [newId(), newId()];
  for (const id of [first, second])
    await topics.putTopic(db, ref, { ...labels, id, named: true, size: 1, weights: new Map([[word, 0.5]]) });
  await topics.keepFrequencies(db, ref, { conversations: 3, terms: new Map([[word, 2]]) });
  const words = { words: {}, pairs: {}, [word]: {} };
  const day = new Date().toISOString().slice(0, 10);
  for (const topic_id of [first, second])
    await topics.assignConversations(db, ref, [{ conversation_id, topic_id, day, words }]);
  const deployment = await askNode(node, 'POST', `/v1/agents/${agent.id}/deployments`, { channel: 'webhook' });
  const message = { event_id: 'e', thread: 't', ref: { channel: 'x' }, text: word, files: [] };
  await insertInbound(db, workspace_id, deployment.id, newId(), message as never);
  const hook = await askNode(node, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['budget'] });
  const delivery = { id: newId(), webhook_id: hook.id, event: 'budget.warning', payload: JSON.stringify({ word }) };
  await insertDelivery(db, workspace_id, delivery, new Date(Date.now() + 3_600_000).toISOString());

  assert.deepEqual(await columnsWith(word), []);
  assert.deepEqual((await topics.topicsOf(db, ref))[0], {
    ...labels,
    id: first,
    named: true,
    size: 1,
    weights: new Map([[word, 0.5]]),
  });
  assert.deepEqual((await topics.frequenciesOf(db, ref)).terms, new Map([[word, 2]]));
  assert.deepEqual(await topics.wordsUnder(db, ref, second, 10), [words]);
  const top = await topics.topTopics(db, ref, { days: 7, limit: 5, label_length: 'medium' });
  assert.deepEqual(top, [{ label: `About ${word}`, count: 2 }], 'topics of one label are one entry');
  assert.equal(JSON.parse((await nextInbound(db, workspace_id, deployment.id, 't'))?.payload ?? '').text, word);
  const { rows } = await listDeliveries(db, workspace_id, hook.id, {}, { size: 5, offset: 0 });
  assert.deepEqual(
    rows.map(({ payload }) => payload),
    [delivery.payload],
  );
  // Done with, before the worker looks at it.
  await query('delete from channel_inbox');
});
