import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoNodes, until } from '../../../test/support/two-nodes.ts';

const nodes = await twoNodes({ encrypt_at_rest: true });
const { asleep, awake, provider, effects, hold, say, lapse, query, call } = nodes;

test('another node resumes a run whose log is encrypted, without repeating a finished call', async () => {
  const release = hold('second');
  const sends = (word: string, name: string, id: string) => ({ tool_calls: [{ id, name, input: { word } }] });
  provider.reply(sends('first', 'send_once', 'c0'), sends('second', 'send_again', 'c1'));
  const { run_id, conversation_id, stream } = await say(asleep, 'Send my two secret letters');
  await until('the second is under way', () => effects.get('second'));
  provider.reply({ text: 'Both letters are sent.', deltas: 1 });
  await lapse(run_id);
  await until('the run is over', async () => {
    const [row] = await query('select finished_at from runs where id = $1', [run_id]);
    return row.finished_at;
  });
  release();
  assert.match(await stream, /Both letters.*\[DONE\]/s);
  const { status, messages } = JSON.parse(await call(awake, 'GET', `/v1/conversations/${conversation_id}`));
  assert.equal(status, 'completed');
  assert.deepEqual([effects.get('first'), effects.get('second')], [1, 2]);
  assert.match(JSON.stringify(messages), /two secret letters.*Both letters are sent/s);
  const resumed = await call(awake, 'GET', `/v1/runs/${run_id}/events?format=ui`);
  assert.match(resumed, /Both/);
  const [{ rows }] = await query(
    `select (select string_agg(data, '') from run_events) || (select string_agg(parts, '') from messages) as rows`,
  );
  assert.doesNotMatch(rows, /letters|second/);
});
