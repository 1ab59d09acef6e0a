import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Model, ModelError, type ModelPart, type ModelRequest } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import { makeOutage } from '../../../lib/outages/testing.ts';
import { noAnonymizer, withAnonymizer } from '../../model-calls/service.ts';
import type { CallEvent, CallResult, Candidate } from '../ports.ts';
import { callModel, type Patience } from './call-model.ts';

const usage = { input_tokens: 1, cached_tokens: 0, output_tokens: 1, reasoning_tokens: 0 };
const finish: ModelPart = { type: 'finish', reason: 'stop', usage };

/** A model that plays one script for each call: parts to say, then an error to throw. */
function scripted(...scripts: (ModelPart | Error | 'hang')[][]): Model & { calls: number } {
  const model = {
    calls: 0,
    async *stream(_: ModelRequest, signal: AbortSignal) {
      const script = scripts[Math.min(model.calls++, scripts.length - 1)] ?? [];
      for (const part of script) {
        if (part instanceof Error) throw part;
        if (part === 'hang')
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        else yield part;
      }
    },
  };
  return model;
}

const candidate = (name: string, model: Model, address = 0): Candidate => ({
  name,
  address,
  model: withAnonymizer(model, noAnonymizer),
  request: { messages: [], tools: [] } as unknown as ModelRequest,
  purpose: 'reply',
});
const patience = (changes: Partial<Patience> = {}): Patience => ({
  timeout_ms: 2000,
  retries: 2,
  retry_on: [429, 503],
  deadline: Date.now() + 10_000,
  ...changes,
});

async function played(candidates: Candidate[], options = patience(), signal = new AbortController().signal) {
  const events: CallEvent[] = [];
  const call = callModel(candidates, options, signal);
  let next = await call.next();
  for (; !next.done; next = await call.next()) events.push(next.value);
  return { events, result: next.value as CallResult };
}

const failing = (status: number, retry_after_ms = 1) => [new ModelError('busy', { status, retry_after_ms })];

test('an answer comes through with the model that gave it', async () => {
  const { events, result } = await played([candidate('a/x', scripted([{ type: 'text', text: 'hi' }, finish]))]);
  assert.deepEqual(events, [
    { type: 'attempt', attempt: 1, model: 'a/x', discard: false },
    { type: 'text', text: 'hi' },
  ]);
  assert.equal(result.model, 'a/x');
  assert.equal(result.attempts[0]?.status, 'ok');
});

test('a listed status is tried again, another one goes to the next model at once', async () => {
  const busy = scripted(failing(503), failing(503), [finish]);
  assert.equal((await played([candidate('a/x', busy)])).result.attempts.length, 3);
  const wrong = scripted(failing(400));
  const { result } = await played([candidate('a/x', wrong), candidate('b/y', scripted([finish]))]);
  assert.equal(wrong.calls, 1);
  assert.equal(result.model, 'b/y');
});

test('the next attempt discards the text of a failed one', async () => {
  const model = scripted(
    [{ type: 'text', text: 'half' }, new Error('socket hang up')],
    [{ type: 'text', text: 'whole' }, finish],
  );
  const { events } = await played([candidate('a/x', model)]);
  const attempts = events.filter((event) => event.type === 'attempt');
  assert.deepEqual(
    attempts.map(({ discard }) => discard),
    [false, true],
  );
});

test('an answer that ends without its end counts as broken off', async () => {
  const { result } = await played([candidate('a/x', scripted([{ type: 'text', text: 'half' }], [finish]))]);
  assert.match(result.attempts[0]?.reason ?? '', /broke off/);
});

test('a call that takes too long is given up and tried again', async () => {
  const { result } = await played([candidate('a/x', scripted(['hang'], [finish]))], patience({ timeout_ms: 50 }));
  assert.match(result.attempts[0]?.reason ?? '', /No answer within 0.05 s/);
  assert.equal(result.attempts.length, 2);
});

test('the next address is tried before the next model', async () => {
  const { result } = await played(
    [
      candidate('a/x', scripted(failing(429)), 0),
      candidate('a/x', scripted([finish]), 1),
      candidate('b/y', scripted([finish])),
    ],
    patience({ retries: 0 }),
  );
  assert.deepEqual(
    result.attempts.map(({ model, address }) => [model, address]),
    [
      ['a/x', 0],
      ['a/x', 1],
    ],
  );
});

test('when nothing answers the failure names the attempts and the last reason', async () => {
  const error = await played([candidate('a/x', scripted(failing(503)))]).catch((caught) => caught);
  assert.ok(error instanceof RunFailure);
  assert.equal(error.code, 'model_failed');
  assert.equal(error.attempts.length, 3);
  assert.match(error.message, /3 attempts.*a\/x: busy/);
});

test('no pause reaches past the deadline', async () => {
  const started = Date.now();
  const slow = scripted([new ModelError('busy', { status: 429, retry_after_ms: 600_000 })]);
  const { result } = await played(
    [candidate('a/x', slow), candidate('b/y', scripted([finish]))],
    patience({ deadline: started + 60_000 }),
  );
  assert.equal(result.model, 'b/y');
  assert.ok(Date.now() - started < 30_000);
});

test('a run that is stopped is not tried again', async () => {
  const stop = new AbortController();
  const model = scripted(['hang']);
  setTimeout(() => stop.abort(), 30);
  await assert.rejects(played([candidate('a/x', model)], patience(), stop.signal));
  assert.equal(model.calls, 1);
});

test('when private data can not be hidden no model is asked, and none is tried instead', async () => {
  const models = [scripted([finish]), scripted([finish])];
  const torn = { ...noAnonymizer, anonymize: () => Promise.reject(new TypeError('the tagger is gone')) };
  const candidates = models.map((model, at) => ({ ...candidate(`m${at}`, model), model: withAnonymizer(model, torn) }));
  await assert.rejects(
    played(candidates),
    (error) => error instanceof RunFailure && error.code === 'anonymization_failed',
  );
  assert.deepEqual(
    models.map(({ calls }) => calls),
    [0, 0],
  );
});

test('a database that is away while room is reserved fails no model', async () => {
  const outage = await makeOutage();
  const model = scripted([outage], [finish]);
  await assert.rejects(played([candidate('a/x', model), candidate('b/y', scripted([finish]))]), isDatabaseOutage);
  assert.equal(model.calls, 1);
});

test('a database that is away while private data is hidden is not taken for a failure to hide it', async () => {
  const outage = await makeOutage();
  const anonymizer = { ...noAnonymizer, anonymize: () => Promise.reject(outage) };
  const hidden = { ...candidate('a/x', scripted([finish])), model: withAnonymizer(scripted([finish]), anonymizer) };
  await assert.rejects(played([hidden]), isDatabaseOutage);
});
