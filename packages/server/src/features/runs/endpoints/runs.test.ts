import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { framesIn, held, openTestServer, textsOf, until } from './testing.ts';

const { provider, stream, open, talk, call, post, runsOf, storedOf, workspace } = await openTestServer();

async function aRun(...replies: object[]) {
  const path = await talk({ max_retries_per_model: 0 });
  provider.reply(...(replies.length ? replies : [{ text: 'Good day.', deltas: 3, chunk_delay_ms: 40 }]));
  await post(path);
  const [run] = await runsOf(path);
  return { path, run, at: `/v1/runs/${run.id}` };
}
const eventsOf = async (at: string, search = '') => (await open(`${at}/events${search}`)).whole();

test('a run has the fields that clients of workflow runs need', async () => {
  const { path, run, at } = await aRun();
  const { status, json } = await call('GET', at);
  assert.equal(status, 200);
  assert.equal(json.kind, 'conversation');
  assert.equal(json.workflow_id, path.split('/').at(-1));
  assert.deepEqual([json.id, json.status, json.progress, json.error], [run.id, 'completed', 100, null]);
  assert.equal(json.input.content, 'Hello');
  for (const time of ['created_at', 'started_at', 'finished_at']) assert.match(json[time], /^\d{4}-.*\.\d{3}Z$/);
  for (const inner of ['principal', 'node_id', 'request_key', 'stop_requested', 'last_seq'])
    assert.equal(inner in json, false, inner);
});

test('runs are listed, the latest first, and only those of the workspace', async () => {
  const made = [await aRun(), await aRun(), await aRun()];
  const { json } = await call('GET', '/v1/runs?page=1&size=2&page_size=2');
  assert.deepEqual(
    json.items.map(({ id }: { id: string }) => id),
    [made[2]?.run.id, made[1]?.run.id],
  );
  assert.ok(json.total >= 3 && json.pages >= 2);
  const { key } = await workspace();
  assert.deepEqual((await call('GET', '/v1/runs', undefined, { key })).json.items, []);
});

test('a run of another workspace, or an unknown run, is not found at any endpoint', async () => {
  const { run } = await aRun();
  const { key } = await workspace();
  for (const id of [run.id, randomUUID()])
    for (const [method, door] of [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/stop'],
      ['POST', '/retry'],
    ] as const) {
      const { status, json } = await call(method, `/v1/runs/${id}${door}`, undefined, { key });
      assert.deepEqual([status, json.code], [404, 'not_found'], door);
    }
});

test('the events of a run are frames that its clients know, replayed after it is over', async () => {
  const { run, at } = await aRun();
  const frames = framesIn(await eventsOf(at));
  const told = frames.map(({ event, data }) => ({ name: event, ...JSON.parse(data) }));
  const ms = run.created_at.getTime();
  for (const { name, type, data, redisId } of told) {
    assert.equal(name, 'message');
    assert.ok(['content', 'state'].includes(type), type);
    assert.equal(typeof data.status, 'string');
    assert.match(redisId, new RegExp(`^${ms}-\\d+$`));
  }
  assert.equal(told.map(({ data }) => data.content ?? '').join(''), 'Good day.');
  const ending = told.at(-1);
  assert.deepEqual(
    [ending.type, ending.data.workflow_status, ending.data.status],
    ['content', 'completed', 'completed'],
  );
  assert.equal(told.filter(({ data }) => data.workflow_status).length, 1);
});

test('cut after any event of a run, its redisId gives exactly the rest', async () => {
  const { at } = await aRun();
  const whole = framesIn(await eventsOf(at));
  for (const [index, { data }] of whole.entries()) {
    const rest = framesIn(await eventsOf(at, `?etag=${JSON.parse(data).redisId}`));
    assert.deepEqual(rest, whole.slice(index + 1));
  }
  for (const unknown of ['nonsense', '1-5', '5', '', `${Date.now()}-7`])
    assert.deepEqual(framesIn(await eventsOf(at, `?etag=${unknown}`)), whole, `"${unknown}" replays all`);
});

test('a run that fails ends the wait of its clients; one that is stopped closes the stream', async () => {
  const failed = await aRun({ status: 400, error: 'Refused' });
  const last = JSON.parse(framesIn(await eventsOf(failed.at)).at(-1)?.data as string);
  assert.deepEqual([last.data.workflow_status, last.data.error.code], ['failed', 'model_failed']);
  assert.equal((await call('GET', failed.at)).json.error.code, 'model_failed');

  const path = await talk();
  provider.reply(held());
  const watching = await stream(path);
  await watching.heard('w01');
  const [run] = await runsOf(path);
  const events = await open(`/v1/runs/${run.id}/events`);
  const stopped = await call('POST', `/v1/runs/${run.id}/stop`);
  assert.equal(stopped.status, 200);
  const text = await events.whole();
  assert.doesNotMatch(text, /workflow_status/);
  assert.equal(JSON.parse(framesIn(text).at(-1)?.data as string).data.status, 'stopped');
  await until('the row says so', async () => (await runsOf(path))[0].status === 'stopped');
  const again = await call('POST', `/v1/runs/${run.id}/stop`);
  assert.deepEqual([again.status, again.json.status], [200, 'stopped'], 'a run that is over stays as it is');
});

test('a retried run is a new run that takes the place of the old answer', async () => {
  const { path, run, at } = await aRun({ status: 400, error: 'Refused' });
  provider.reply({ text: 'Now it works.' });
  const { status, json } = await call('POST', `${at}/retry`);
  assert.equal(status, 200);
  assert.notEqual(json.id, run.id);
  await eventsOf(`/v1/runs/${json.id}`);
  assert.deepEqual(textsOf((await call('GET', path)).json), ['Hello', 'Now it works.']);
  const stored = await storedOf(path);
  assert.equal(stored.filter(({ superseded_by }) => superseded_by).length, 2);
  assert.equal((await call('GET', at)).json.status, 'failed', 'the old run is still told of');
});

test('a run that goes on can not be retried', async () => {
  const path = await talk();
  const reply = held();
  provider.reply(reply);
  const watching = await stream(path);
  await watching.heard('w01');
  const [run] = await runsOf(path);
  const { status, json } = await call('POST', `/v1/runs/${run.id}/retry`);
  assert.deepEqual([status, json.code], [409, 'run_in_progress']);
  reply.release();
  await watching.whole();
});
