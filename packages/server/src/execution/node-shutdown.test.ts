import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoNodes, until } from '../../test/support/two-nodes.ts';

const nodes = await twoNodes();
const { asleep, awake, provider, say, ended, query, call, converse, logged } = nodes;

test('a node that shuts down releases its runs: another node continues them, and waiting clients are asked to retry', {
  timeout: 120_000,
}, async () => {
  // Neither reply ever completes: a shutdown that waited for them would hang.
  const never = new Promise(() => {});
  provider.reply({ text: 'One two six ten', deltas: 4, held: { before: 'six', until: never } });
  const { run_id, conversation_id, stream } = await say(asleep);
  await until('it speaks', async () => {
    const [{ last_seq }] = await query('select last_seq from runs where id = $1', [run_id]);
    return last_seq > 3;
  });
  provider.reply({ text: 'Waiting', after: never });
  const url = `/v1/conversations/${await converse()}`;
  const asked = provider.requests.length;
  const refused = assert.rejects(call(asleep, 'POST', url, { content: 'Hello' }), /being stopped/);
  await until('it is asked', () => provider.requests.length > asked);
  // Hold back the replies of the second node until the first has shut down; otherwise the waiting client would receive
  // one.
  const left = Promise.withResolvers<void>();
  provider.reply(...[1, 2].map(() => ({ text: 'Seven eight', deltas: 1, after: left.promise })));
  await asleep.close();
  await refused;
  left.resolve();
  // By its lease it would have another hour.
  const { run, texts, types } = await ended(run_id);
  assert.deepEqual([run.status, texts], ['completed', ['Seven eight']]);
  assert.equal(types.filter((type) => type === 'run-start').length, 1);
  await stream.then(
    (text) => assert.doesNotMatch(text, /\[DONE\]/, 'a stream that is cut off has no end'),
    () => {},
  );
  const whole = await call(awake, 'GET', `/v1/conversations/${conversation_id}/events?format=ui&after=0`);
  assert.match(whole, /Seven.*\[DONE\]/s);
  assert.deepEqual(
    logged.filter((line) => line.includes('"level":"error"') && !line.includes('being stopped')),
    [],
  );
});
