import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { frameText } from '../../../lib/responses/sse-frame.ts';
import { displayOf } from '../../messages/service.ts';
import { makeJsonDialect } from './json-dialect.ts';
import { makePlainDialect } from './plain-dialect.ts';
import { runArbitrary, settingsArbitrary } from './random-runs/testing.ts';
import { makeRunDialect } from './run-dialect.ts';
import { endFrames, seenBy, selectDialect, unseenFrames } from './select-dialect.ts';
import { bytesOf, contextOf, message_id, numbered, oneStep, run_id, say } from './testing.ts';
import { makeUiDialect, makeVercelDialect } from './ui-dialect.ts';

const makers = {
  ui: makeUiDialect,
  vercel: makeVercelDialect,
  json: makeJsonDialect,
  plain: makePlainDialect,
  run: makeRunDialect,
};
const runs = { numRuns: 150 };

test('a client that comes back after any event is sent exactly the bytes it has not seen', () => {
  fc.assert(
    fc.property(runArbitrary, settingsArbitrary, (list, settings) => {
      const events = numbered(list);
      for (const make of Object.values(makers)) {
        const whole = bytesOf(make(contextOf(settings)), events);
        for (let cut = 0; cut <= events.length; cut++) {
          const before = bytesOf(make(contextOf(settings)), events.slice(0, cut));
          const resumed = make(contextOf(settings));
          bytesOf(resumed, events.slice(0, cut));
          assert.equal(before + bytesOf(resumed, events.slice(cut)), whole);
        }
      }
    }),
    runs,
  );
});

test('a Last-Event-ID between two frames of one event is as good as one between events', async () => {
  await fc.assert(
    fc.asyncProperty(runArbitrary, async (list) => {
      const events = numbered(list);
      const whole = events.flatMap(makeUiDialect(contextOf()));
      for (const [index, { id }] of whole.entries()) {
        const seen = seenBy(id, run_id);
        assert.ok(seen);
        const rest = await Array.fromAsync(
          unseenFrames(
            makeUiDialect(contextOf()),
            ReadableStream.from(events) as AsyncIterable<(typeof events)[number]>,
            seen,
          ),
        );
        assert.deepEqual(rest, whole.slice(index + 1));
      }
    }),
    { numRuns: 30 },
  );
});

test('an id of another run, or none at all, says nothing about this one', () => {
  assert.deepEqual(seenBy(`${run_id}:17`, run_id), { seq: 17, frames: 0 });
  assert.deepEqual(seenBy(`${run_id}:16.2`, run_id), { seq: 16, frames: 2 });
  for (const id of ['other:17', '17', '', undefined, `${run_id}:x`, `${run_id}:-1`, `${run_id}:1e9`])
    assert.equal(seenBy(id, run_id), undefined, `${id}`);
});

test('format=vercel has the frames of format=ui without ids, and both end with [DONE]', () => {
  const events = numbered(oneStep(say.text('hi')));
  const ui = events.flatMap(makeUiDialect(contextOf()));
  assert.deepEqual(
    events.flatMap(makeVercelDialect(contextOf())),
    ui.map(({ data }) => ({ data })),
  );
  assert.deepEqual(ui.at(-1), { data: '[DONE]', id: `${run_id}:${events.length}` });
  assert.equal(new Set(ui.map(({ id }) => id)).size, ui.length);
});

test('format=json has envelopes with the number of the event, then a frame named done', () => {
  const frames = numbered(oneStep(say.text('hi'))).flatMap(makeJsonDialect(contextOf()));
  assert.deepEqual(frames.at(-1), { event: 'done', data: '{}' });
  const envelopes = frames.slice(0, -1).map(({ event, data }) => ({ event, ...JSON.parse(data) }));
  assert.deepEqual(envelopes[3], { event: 'text-delta', data: { id: 'text-1', delta: 'hi' }, seq: 3 });
  assert.deepEqual(
    envelopes.map(({ event }) => event),
    ['start', 'start-step', 'text-start', 'text-delta', 'text-end', 'message-metadata', 'finish-step', 'finish'],
  );
});

test('without a format every frame has a role and a content, and the contents are the reply', () => {
  const frames = numbered(oneStep(say.think('hm'), say.text('hel'), say.text('lo'))).flatMap(
    makePlainDialect(contextOf()),
  );
  assert.deepEqual(frames.slice(-2), [
    { data: '{"role":"assistant","type":"conversation_end"}' },
    { event: 'done', data: '{}' },
  ]);
  const told = frames.slice(0, -2).map(({ data }) => JSON.parse(data));
  for (const { role, type, content } of told)
    assert.deepEqual([role, typeof type, typeof content], ['assistant', 'string', 'string']);
  assert.equal(told.map(({ content }) => content).join(''), 'hello');
  assert.ok(frames.every((frame) => !frameText(frame).includes('id: ')));
});

test('the events of a run without a format end with the workflow_status of the run', () => {
  const told = (...events: Parameters<typeof numbered>[0]) =>
    numbered(events)
      .flatMap(makeRunDialect(contextOf()))
      .map(({ event, data }) => ({ event, ...JSON.parse(data) }));
  const completed = told(...oneStep(say.text('hi'), say.call('c1'), say.result('c1', 'x')));
  assert.ok(completed.every(({ event }) => event === 'message'));
  assert.deepEqual(completed[2], {
    event: 'message',
    type: 'content',
    data: { id: message_id, status: 'running', content: 'hi' },
    redisId: '1700000000000-3',
  });
  assert.deepEqual(completed.at(-1)?.data, { id: message_id, status: 'completed', workflow_status: 'completed' });
  assert.equal(told(say.start, say.failed).at(-1)?.data.workflow_status, 'failed');
  // The client's wait must not end on these: it looks at the run when the stream is over.
  assert.deepEqual(told(say.start, say.stopped).at(-1), {
    event: 'message',
    type: 'state',
    data: { status: 'stopped', progress_details: {} },
    redisId: '1700000000000-2',
  });
});

test('the dialect of a stream follows from what is watched and the format', () => {
  const watched = {
    run: { id: run_id, created_at: '2026-01-01T00:00:00.000Z' },
    display: displayOf(effectiveSettings()),
  };
  const last = (kind: 'conversation' | 'run', format?: 'ui' | 'vercel' | 'json') =>
    numbered(oneStep(say.text('x')))
      .flatMap(selectDialect(kind, format, watched))
      .at(-1);
  assert.equal(last('conversation', 'ui')?.id, `${run_id}:6`);
  assert.deepEqual(last('run', 'vercel'), { data: '[DONE]' });
  for (const format of ['ui', 'vercel', 'json', undefined] as const)
    assert.equal(last('conversation', format)?.data, endFrames(format).at(-1)?.data);
  assert.match(last('run')?.data ?? '', /workflow_status/);
});
