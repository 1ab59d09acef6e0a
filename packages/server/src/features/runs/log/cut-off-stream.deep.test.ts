import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeResumingClient, streamFormats, wholeStream } from '../../../../test/support/resuming-client.ts';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { listenOnSocket } from '../../../../test/support/socket-client.ts';
import { until } from '../../../../test/support/two-nodes.ts';

const app = await scriptedApp();
const { port, send } = await listenOnSocket(app.app);
const address = `http://127.0.0.1:${port}`;
const clockCall = (id: string) => [{ id, name: 'clock_now', input: { time_zone: 'Europe/Oslo' } }];

/** A run with two tool calls in turn that is under way; it takes about a second. */
async function begin() {
  const pace = { deltas: 6, chunk_delay_ms: 20 };
  const { name } = await app.provider(
    { text: 'Let me look at the clock. ', tool_calls: clockCall('one'), ...pace },
    { reasoning: 'Once is not enough.', text: 'And once more. ', tool_calls: clockCall('two'), ...pace },
    { text: 'It is late; go to bed.', ...pace },
  );
  const conversation_id = await app.converse({ model: [`${name}/one`] });
  const path = `/v1/conversations/${conversation_id}`;
  const said = send('POST', `${path}/chat`, { body: JSON.stringify({ content: 'What time is it?' }) });
  const run = await until('the run begins', async () => {
    const rows = await app.query('select id from runs where conversation_id = $1', [conversation_id]);
    return rows[0];
  });
  return { watched: { conversation_id, run_id: run.id as string, key: app.admin }, said };
}

/** Cuts the connection after every single frame. */
async function cuttingEverywhere(client: ReturnType<typeof makeResumingClient>): Promise<number> {
  for (let cuts = 0; cuts < 1000; cuts++) if (await client.read(address, 1)) return cuts;
  throw new Error('It never comes to its end');
}

for (const format of streamFormats)
  test(`a client that is cut off after every frame has the same bytes in the end (${format})`, async () => {
    const { watched, said } = await begin();
    const [live, afterwards] = [makeResumingClient(watched, format), makeResumingClient(watched, format)];
    const cuts = await cuttingEverywhere(live);
    assert.equal((await said).status, 200);
    const whole = await wholeStream(address, watched, format);
    assert.deepEqual(live.frames, whole);
    await cuttingEverywhere(afterwards);
    assert.deepEqual(afterwards.frames, whole);
    assert.equal(cuts, whole.length - 1);
  });
