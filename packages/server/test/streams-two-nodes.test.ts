import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import type { App } from '../src/app.ts';
import { defineNode } from '../src/features/workflows/nodes/define-node.ts';
import { aNode, anEdge } from '../src/features/workflows/testing.ts';
import { adminKey } from './support/test-config.ts';
import { twoNodes, until } from './support/two-nodes.ts';

/** Ids of held steps that have started. Each waits until the test releases it. */
const begun: string[] = [];
const holding = new Map<string, Promise<void>>();
const heldNode = defineNode(
  nodeType({
    ...{ type: 'HeldNode', title: 'Held', description: 'Waits until it is let go.', category: 'other' as const },
    inputs: [plain('value', { data_type: 'Custom' })],
    outputs: [plain('output', { data_type: 'Custom' })],
    config: {},
  }),
  async ({ node_id }, { value }) => {
    const held = holding.get(node_id);
    holding.delete(node_id);
    begun.push(node_id);
    await held;
    return { output: value };
  },
);

const nodes = await twoNodes({}, { nodes: [heldNode] });
const { asleep, awake, provider, effects, hold, lapse, query, call } = nodes;
const listen = ({ server }: App) => server.listen({ host: '127.0.0.1', port: 0 });
const address = { asleep: await listen(asleep), awake: await listen(awake) };
type Node = keyof typeof address;

/** The frames of a stream as they come; `done` when it has ended, `leave` lets go of it. */
async function reading(node: Node, path: string, init: RequestInit = {}) {
  const headers = { 'x-api-key': adminKey, accept: 'text/event-stream', ...init.headers };
  const answer = await fetch(`${address[node]}${path}`, { ...init, headers });
  assert.equal(answer.status, 200);
  const frames: { id: string; data: string }[] = [];
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const done = (async () => {
    let text = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const parts = (text + piece.value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? '';
        if (field('id') || field('data')) frames.push({ id: field('id'), data: field('data') });
      }
    }
  })();
  return { frames, done, leave: () => reader.cancel().catch(() => {}) };
}
type Frames = Awaited<ReturnType<typeof reading>>['frames'];

const definition = { model: ['p/one'], pii_anonimization: [], parallel_tool_calls: false };
await call(awake, 'POST', '/v1/agents', { name: 'Clerk', definition });
const told = (frames: Frames) => frames.flatMap(({ data }) => (data ? (JSON.parse(data).params?.message ?? []) : []));
const resultOf = (frames: Frames) => JSON.parse(frames.at(-1)?.data ?? '{}').result?.content?.[0]?.text;

/** Calls the agent at the node that is asleep, sees its tool being used, and loses the stream. */
async function lostCall(word: string) {
  const release = hold(word);
  provider.reply({ tool_calls: [{ id: 'c', name: 'send_again', input: { word } }] }, { text: `Sent ${word}.` });
  const params = { name: 'ask_Clerk', arguments: { message: 'Send it' }, _meta: { progressToken: 'p' } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: word, method: 'tools/call', params });
  const version = { 'mcp-protocol-version': '2025-11-25' };
  const first = await reading('asleep', '/mcp', { method: 'POST', headers: { ...headers, ...version }, body });
  await until('its tool is used, and told of', () => effects.get(word) === 1 && told(first.frames).length === 2);
  await first.leave();
  assert.deepEqual(told(first.frames), ['Step 1', 'Using a tool']);
  const seen = first.frames.find(({ data }) => data.includes('Step 1'))?.id ?? '';
  const again = await reading('awake', '/mcp', { headers: { ...version, 'last-event-id': seen } });
  await until('what was missed is told', () => told(again.frames).length === 1);
  const [{ id: run_id }] = await query('select id from runs order by id desc limit 1');
  return { again, release, run_id: run_id as string };
}

test('a call of /mcp whose stream was lost at one node goes on at another, while the first still works on it', async () => {
  const { again, release } = await lostCall('letter');
  release();
  await again.done;
  assert.deepEqual(told(again.frames), ['Using a tool', 'A tool has answered', 'Step 2']);
  assert.deepEqual([resultOf(again.frames), effects.get('letter')], ['Sent letter.', 1]);
});

test('another node completes an /mcp call when its node hangs, and sends the result to the resumed stream', async () => {
  const { again, release, run_id } = await lostCall('parcel');
  await lapse(run_id);
  await again.done;
  release();
  assert.deepEqual(told(again.frames).slice(-2), ['A tool has answered', 'Step 2']);
  assert.deepEqual([resultOf(again.frames), effects.get('parcel')], ['Sent parcel.', 2]);
});

/** A workflow that comes to a step that is held; its run is carried by the node that is asleep. */
async function heldRun(held: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  holding.set(held, promise);
  const steps = [aNode('in', 'InputNode', { label: 'n' }), aNode(held, 'HeldNode'), aNode('out', 'OutputNode')];
  const edges = [`in.output -> ${held}.value`, `${held}.output -> out.input`].map(anEdge);
  const body = { name: held, type: 'flow', definition: { nodes: steps, edges } };
  const { id } = JSON.parse(await call(awake, 'POST', '/v1/workflows', body));
  const made = JSON.parse(await call(asleep, 'POST', `/v1/workflows/${id}/runs`, { input: { n: 'x' } }));
  await until('the step is begun', () => begun.includes(held));
  return { run_id: made.id as string, release: resolve };
}
const follow = (node: Node, run_id: string, more = '') => reading(node, `/v1/runs/${run_id}/events?format=json${more}`);
const seqs = (frames: Frames) => frames.flatMap(({ data }) => JSON.parse(data).seq ?? []);

test('a workflow run streams the same frames from either node, also when a client resumes', async () => {
  const { run_id, release } = await heldRun('one');
  const [far, near] = [await follow('awake', run_id), await follow('asleep', run_id)];
  await until('both know how far it is', () => far.frames.length > 0 && far.frames.length === near.frames.length);
  const seen = seqs(far.frames);
  const last = Number(seen.at(-1));
  await far.leave();
  const [on, back] = [
    await follow('awake', run_id, `&after=${last}`),
    await follow('asleep', run_id, `&after=${last}`),
  ];
  release();
  await Promise.all([near.done, on.done, back.done]);
  assert.match(near.frames.at(-2)?.data ?? '', /"workflow_status":"completed"/);
  const rest = near.frames.filter(({ data }) => !(JSON.parse(data).seq <= last));
  assert.ok(rest.length > 1);
  assert.deepEqual([on.frames, back.frames], [rest, rest]);
  assert.deepEqual([...seen, ...seqs(on.frames)], seqs(near.frames), 'nothing twice, nothing left out');
});

test('streams a workflow run to its end when another node takes it over from a hung node', async () => {
  const { run_id, release } = await heldRun('two');
  const following = await follow('awake', run_id);
  await until('it is followed', () => following.frames.length > 0);
  await query(`update workflow_runs set leased_until = now() - interval '1 second' where id = $1`, [run_id]);
  await following.done;
  release();
  assert.match(following.frames.at(-2)?.data ?? '', /"workflow_status":"completed"/);
  const numbers = seqs(following.frames);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  );
  assert.deepEqual(
    begun.filter((id) => id === 'two'),
    ['two', 'two'],
  );
});
