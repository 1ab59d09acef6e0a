import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesIn, held, openTestServer, until } from './testing.ts';

const { provider, stream, open, talk, call, post, runsOf, another } = await openTestServer();
const dialects = ['', 'ui', 'vercel', 'json'];
const asked = (format: string, more: Record<string, string | number> = {}) => {
  const search = new URLSearchParams({ ...(format && { format }), ...more } as Record<string, string>).toString();
  return search ? `?${search}` : '';
};
const bytesOf = async (path: string, format: string, more?: Record<string, string | number>, sent: object = {}) =>
  (await open(`${path}/events${asked(format, more)}`, sent)).whole();

test('a client that joins a turn receives the same bytes as the client that started it', async () => {
  for (const format of dialects) {
    const path = await talk();
    const reply = held();
    provider.reply(reply);
    const first = await stream(path, 'Hello', format || undefined);
    await first.heard('w05');
    const second = await open(`${path}/events${asked(format)}`);
    await second.heard('w00');
    reply.release();
    const [began, joined] = await Promise.all([first.whole(), second.whole()]);
    assert.equal(joined, began);
    assert.match(joined, /w11/);
  }
});

test('replays a finished turn once to a client with an older etag', async () => {
  const path = await talk();
  const { json: before } = await call('GET', path);
  provider.reply({ text: 'Good day.', deltas: 1 });
  const { json: after } = await post(path);
  assert.match(await bytesOf(path, '', { etag: before.etag }), /"delta":"Good/);
  assert.doesNotMatch(await bytesOf(path, '', { etag: after.etag }), /Good/);
  assert.doesNotMatch(await bytesOf(path, ''), /Good/, 'nothing runs and nothing was asked for');
  assert.match(await bytesOf(path, '', { etag: 'nonsense' }), /Good/, 'an unknown one replays all');
});

test('a change of the conversation that is no turn is nothing new', async () => {
  const path = await talk();
  provider.reply({ text: 'Good day.', deltas: 1 });
  const { json: seen } = await post(path);
  await call('PATCH', path, { name: 'Renamed' });
  assert.doesNotMatch(await bytesOf(path, '', { etag: seen.etag }), /Good/);
});

test('an etag from the middle of a turn gives that turn from its beginning', async () => {
  const path = await talk();
  const reply = held();
  provider.reply(reply);
  const first = await stream(path);
  await first.heard('w02');
  const { json: seen } = await call('GET', path);
  const joined = await open(`${path}/events?etag=${seen.etag}`);
  await joined.heard('w00');
  reply.release();
  assert.equal(await joined.whole(), await first.whole());
  assert.equal(await bytesOf(path, '', { etag: seen.etag }), await first.whole(), 'also when it is over');
});

/** A finished run with tools, reasoning and several pieces of text. */
async function finishedRun() {
  const path = await talk();
  provider.reply(
    { reasoning: 'let me see', tool_calls: [{ name: 'clock_now', input: {} }] },
    { text: 'It is rather late by now.', deltas: 4, chunk_delay_ms: 45 },
  );
  await post(path);
  const [run] = await runsOf(path);
  const frames = framesIn(await bytesOf(path, 'ui', { after: 0 }));
  return { path, run, frames };
}

test('cut after any event, the rest is exactly what was not seen, in every dialect', async () => {
  const { path, run, frames } = await finishedRun();
  const seqs = frames.map(({ id }) => {
    const [, seq, part] = /:(\d+)(\.\d+)?$/.exec(id as string) as RegExpExecArray;
    return Number(seq) + (part ? 1 : 0);
  });
  assert.ok(run.last_seq > 10, `${run.last_seq} events`);
  for (const format of dialects) {
    const whole = await bytesOf(path, format, { after: 0 });
    const extra = format === '' ? 1 : 0;
    for (let after = 1; after <= run.last_seq; after++) {
      const rest = await bytesOf(path, format, { after });
      assert.ok(whole.endsWith(rest));
      const unseen = seqs.filter((seq) => seq > after).length;
      assert.equal(framesIn(rest).length, after === run.last_seq ? 0 : unseen + extra, `${format} after ${after}`);
    }
  }
});

test('a browser that was cut off in a turn gets its rest, even when the next one is under way', async () => {
  const { path, frames } = await finishedRun();
  const id = frames[3]?.id as string;
  const reply = held();
  provider.reply(reply);
  const next = await stream(path, 'And now?', 'ui');
  await next.heard('w01');
  const rest = framesIn(await bytesOf(path, 'ui', {}, { headers: { 'last-event-id': id } }));
  assert.deepEqual(rest, frames.slice(4));
  const seen = frames.at(-1)?.id as string;
  const joined = await open(`${path}/events?format=ui`, { headers: { 'last-event-id': seen } });
  await joined.heard('w00');
  reply.release();
  assert.equal(await joined.whole(), await next.whole(), 'one that has seen all of it joins the next');
});

test('ignores a Last-Event-ID of another conversation or of none', async () => {
  const [one, other] = [await finishedRun(), await finishedRun()];
  for (const mark of [one.frames[3]?.id as string, 'x', 'x:1', `${other.run.id}:x`, `${other.run.id}`]) {
    const told = framesIn(await bytesOf(other.path, 'ui', {}, { headers: { 'last-event-id': mark } }));
    assert.deepEqual(told, other.frames, mark);
  }
});

test('unseen events survive a restart of the server', async () => {
  const { path, run, frames } = await finishedRun();
  const restarted = await another();
  for (const after of [0, 3, run.last_seq - 1])
    for (const format of dialects)
      assert.equal(await bytesOf(path, format, { after }, restarted), await bytesOf(path, format, { after }));
  const id = frames[5]?.id as string;
  const rest = framesIn(await bytesOf(path, 'ui', {}, { ...restarted, headers: { 'last-event-id': id } }));
  assert.deepEqual(rest, frames.slice(6));
});

test('a run is followed live from another instance, in the same bytes', async () => {
  const { at } = await another();
  const path = await talk();
  const reply = held();
  provider.reply(reply);
  const here = await stream(path, 'Hello', 'ui');
  await here.heard('w01');
  const there = await open(`${path}/events?format=ui`, { at });
  await there.heard('w03');
  assert.doesNotMatch(there.soFar(), /w11/, 'as it comes');
  reply.release();
  assert.equal(await there.whole(), await here.whole());
  await until('it is over', async () => (await runsOf(path)).every(({ finished_at }) => finished_at));
});
