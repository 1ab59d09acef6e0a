import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type McpConnection, McpServerError, type McpTarget } from '../../drivers/mcp/driver.ts';
import { makeMcpConnections } from './connections.ts';

const target: McpTarget = { kind: 'http', url: 'http://x', headers: {} };
const limits = {
  ...{ connect_ms: 20_000, wait_ms: 10_000, list_ms: 10_000, idle_ms: 10_000, pause_ms: 40, longest_pause_ms: 80 },
  calls_at_once: 2,
};
const tool = { name: 't', description: '', input_schema: {}, output_schema: null };

/** Connections to a server that can be turned off, with a count of the requests that it got. */
function rig() {
  const state = { connects: 0, down: false, lists: 0, most: 0, now: 0, closed: 0, changes: [] as (() => void)[] };
  const connections = makeMcpConnections({
    limits,
    mcp: {
      async connect(_, __, onChange) {
        state.connects++;
        state.changes.push(onChange);
        await sleep(10);
        if (state.down) throw new McpServerError('unreachable', 'it is down');
        const over = Promise.withResolvers<void>();
        const connection: McpConnection = {
          closed: over.promise,
          async close() {
            state.closed++;
            over.resolve();
          },
          async list() {
            state.lists++;
            return [tool];
          },
          async call(_name, _input, signal) {
            state.most = Math.max(state.most, ++state.now);
            await sleep(15, undefined, { signal }).finally(() => state.now--);
            return { content: [], structured: null, is_error: false };
          },
        };
        return connection;
      },
    },
  });
  return { state, connections };
}
const never = new AbortController().signal;

test('connects to a server and lists its tools once, however many runs want it', async () => {
  const { state, connections } = rig();
  const all = await Promise.all(Array.from({ length: 50 }, () => connections.tools('k', target, never)));
  assert.ok(all.every(([one]) => one?.name === 't'));
  assert.deepEqual([state.connects, state.lists], [1, 1]);
  await connections.tools('other', target, never);
  assert.equal(state.connects, 2);
  await connections.close();
});

test('retries a server that is down with growing pauses and answers callers at once meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { state, connections } = rig();
  state.down = true;
  const ask = () => connections.tools('k', target, never).then(() => 'ok', String);
  assert.match(await ask(), /it is down/);
  for (let again = 0; again < 100; again++) assert.match(await ask(), /it is down; it is tried again in 1 s/);
  assert.equal(state.connects, 1, 'no storm');
  t.mock.timers.tick(60);
  await ask();
  assert.equal(state.connects, 2);
  t.mock.timers.tick(110);
  state.down = false;
  assert.equal(await ask(), 'ok');
  await connections.close();
});

test('limits the calls that run at once and frees the slot of a cancelled call', async () => {
  const { state, connections } = rig();
  const call = (signal = never) => connections.call('k', target, 't', {}, signal);
  await Promise.all(Array.from({ length: 9 }, () => call()));
  assert.equal(state.most, 2);
  await Promise.allSettled(Array.from({ length: 9 }, () => call(AbortSignal.timeout(5))));
  await call();
  assert.equal(state.now, 0);
  await connections.close();
});

test('reads the list of tools again after the server says that it changed', async () => {
  const { state, connections } = rig();
  await connections.tools('k', target, never);
  await connections.tools('k', target, never);
  assert.equal(state.lists, 1);
  state.changes[0]?.();
  await connections.tools('k', target, never);
  assert.equal(state.lists, 2);
  await connections.close();
  assert.equal(state.closed > 0, true);
});
