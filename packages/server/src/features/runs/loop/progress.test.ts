import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noUsage, type RunEvent } from '@atrium/contract/runs/events.ts';
import type { ModelRequest, ToolCallContent } from '../../../drivers/models/driver.ts';
import { makeReply } from '../../messages/service.ts';
import type { CallEvent, CallResult } from '../ports.ts';
import { type Progress, progressFromEvents, startOfRun } from './progress.ts';
import { type LoopDeps, runAgent } from './run-agent.ts';

const usage = { input_tokens: 10, cached_tokens: 0, output_tokens: 5, reasoning_tokens: 0 };
const call = (id: string): ToolCallContent => ({ type: 'tool-call', id, name: 'count', input: { id } });

/** The output of the model in each step, chosen by the number of tool results in its input. */
const script: CallEvent[][] = [
  [{ type: 'text', text: 'Let me ' }, { type: 'text', text: 'look. ' }, call('a'), call('b')],
  [{ type: 'reasoning', text: 'hm' }, call('c')],
  [
    { type: 'text', text: 'All ' },
    { type: 'text', text: 'done.' },
  ],
];

function world() {
  const effects: string[] = [];
  let calls = 0;
  const deps: LoopDeps = {
    async *call({ messages }: Pick<ModelRequest, 'messages'>): AsyncGenerator<CallEvent, CallResult> {
      calls++;
      yield { type: 'attempt', attempt: 1, model: 'a/x', discard: false };
      yield* script[messages.filter(({ role }) => role === 'tool').length] ?? [];
      const attempts = [{ model: 'a/x', address: 0, ms: 1, status: 'ok' as const, reason: null }];
      return { model: 'a/x', attempts, finish_reason: 'stop', usage, lowered: false };
    },
    async runTool({ id }) {
      effects.push(id);
      const account = { outcome: 'ok' as const, ms: 1, cost: 0, brings: [] };
      return { output: { id }, text: JSON.stringify({ id }), is_error: false, account };
    },
    async *consult() {},
    async *checkResult() {},
    narrow: () => false,
    // biome-ignore lint/correctness/useYield: there is nothing to say
    async *compact(messages) {
      return messages;
    },
    budget: () => ({ input_tokens: 10, reserve: () => Promise.reject(new Error('There is no model here')) }),
    priced: (result) => ({ ...result.usage, cost: 1 }),
  };
  return { deps, effects, calls: () => calls };
}

async function played(
  deps: LoopDeps,
  progress: Progress,
  parallel: boolean,
  client_tools: ReadonlySet<string> = new Set(),
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const input = {
    run_id: 'r',
    message_id: 'm',
    prompt: { system: '', system_covered: [] },
    messages: [],
    tools: [],
    client_tools,
    parallel_tool_calls: parallel,
    progress,
  };
  for await (const event of runAgent(input, deps)) events.push(event);
  return events;
}

function textOf(events: readonly RunEvent[]): string {
  const reply = makeReply();
  for (const event of events) reply.add(event);
  return JSON.stringify(reply.parts);
}

for (const parallel of [true, false])
  test(`a run cut after any event goes on to the same reply, ${parallel ? 'tools side by side' : 'tools in turn'}`, async () => {
    const whole = await played(world().deps, startOfRun(), parallel);
    for (let cut = 0; cut < whole.length; cut++) {
      const { deps, effects } = world();
      const kept = whole.slice(0, cut).filter(({ type }) => type !== 'message-end' && type !== 'run-end');
      const rest = await played(deps, progressFromEvents(kept), parallel);
      assert.equal(textOf([...kept, ...rest]), textOf(whole), `cut after ${cut}`);
      const done = kept.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []));
      assert.equal(new Set([...done, ...effects]).size, 3, `cut after ${cut}`);
      assert.deepEqual(
        effects.filter((id) => done.includes(id)),
        [],
        'a finished call is not made again',
      );
      const end = rest.find((event) => event.type === 'message-end');
      assert.equal(end?.metadata.usage.cost, 3);
      assert.equal(end?.metadata.attempts.length, 3);
    }
  });

test('a step that was cut off says that it starts over, once', async () => {
  const whole = await played(world().deps, startOfRun(), true);
  const cut = whole.findIndex(({ type }) => type === 'text-delta') + 1;
  const rest = await played(world().deps, progressFromEvents(whole.slice(0, cut)), true);
  assert.deepEqual(rest[0], { type: 'attempt-start', step: 1, attempt: 2, model: 'a/x', discard: true });
  assert.equal(rest.filter((event) => event.type === 'attempt-start' && event.discard).length, 1);
  assert.equal(rest.filter((event) => event.type === 'step-start').length, 2);
});

test('a run whose last answer was stored asks no model again', async () => {
  const whole = await played(world().deps, startOfRun(), true);
  const { deps, calls } = world();
  const rest = await played(deps, progressFromEvents(whole.slice(0, -2)), true);
  assert.deepEqual(
    rest.map(({ type }) => type),
    ['message-end', 'run-end'],
  );
  assert.equal(calls(), 0);
});

test("ends the run after the step that calls a client tool and makes the agent's calls once, resumed after any event", async () => {
  const client = new Set(['ask_client']);
  const clientWorld = () => {
    const { deps, effects } = world();
    const call: LoopDeps['call'] = async function* (said, budget) {
      const next = yield* deps.call(said, budget);
      yield { type: 'tool-call', id: 'z', name: 'ask_client', input: {} };
      return next;
    };
    return { deps: { ...deps, call }, effects };
  };
  for (const parallel of [true, false]) {
    const whole = await played(clientWorld().deps, startOfRun(), parallel, client);
    assert.equal(whole.filter(({ type }) => type === 'step-start').length, 1);
    for (let cut = 0; cut < whole.length; cut++) {
      const { deps, effects } = clientWorld();
      const kept = whole.slice(0, cut).filter(({ type }) => type !== 'message-end' && type !== 'run-end');
      const rest = await played(deps, progressFromEvents(kept), parallel, client);
      assert.equal(textOf([...kept, ...rest]), textOf(whole), `cut after ${cut}`);
      const done = kept.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []));
      assert.deepEqual([...done, ...effects].sort(), ['a', 'b'], `cut after ${cut}`);
      assert.deepEqual(rest.at(-1), { type: 'run-end', status: 'completed', error: null });
    }
  }
});

test('knows the sources of results, the text and the emitted sources again after a crash', () => {
  const source = { url: null, title: 'A', quote: 'b c' };
  const result = {
    step: 1,
    id: 'c1',
    name: 'kb_search',
    output: { content: 'a b c d', quote: 'b c' },
    is_error: false,
  };
  const progress = progressFromEvents([
    { type: 'step-start', step: 1 },
    { type: 'text-delta', step: 1, text: 'Looking' },
    { type: 'tool-call', step: 1, id: 'c1', name: 'kb_search', input: {} },
    { type: 'step-end', step: 1, finish_reason: 'tool-calls', model: 'a/x', usage: noUsage },
    { type: 'tool-result', ...result, sources: [source] },
    { type: 'source', step: 2, id: '1-c1-1', ...source },
  ]);
  assert.deepEqual(progress.sources, [{ id: '1-c1-1', source, passage: 'a b c d' }]);
  assert.deepEqual([progress.reply, [...progress.cited]], ['Looking\n', ['1-c1-1']]);
});
