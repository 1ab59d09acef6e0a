import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ModelMessage } from '../../drivers/models/driver.ts';
import { makeLimits } from './limits.ts';
import { RunFailure } from './run-failure.ts';
import { estimateMessages } from './tokens.ts';

const said = (text: string): ModelMessage[] => [{ role: 'user', parts: [{ type: 'text', text }] }];
const settings = (calls: number, tokens: number, max_tokens = 1_000) => ({
  max_tokens,
  usage_limits_maximum_request: calls,
  usage_limits_maximum_tokens: tokens,
});
const isUsedUp = (error: unknown) => error instanceof RunFailure && error.code === 'usage_limit_reached';

test('a run makes as many model calls as it may and no more', () => {
  const limits = makeLimits({ settings: settings(2, 100_000), used_tokens: 0 });
  limits.reserve(said('a'), [], '');
  limits.reserve(said('a'), [], '');
  assert.throws(() => limits.reserve(said('a'), [], ''), isUsedUp);
});

test('a call is granted the reply that is asked for while there is room', () => {
  const limits = makeLimits({ settings: settings(9, 100_000, 500), used_tokens: 0 });
  assert.equal(limits.reserve(said('a'), [], '').max_tokens, 500);
});

test('a call near the end of the conversation is granted what is left', () => {
  const limits = makeLimits({ settings: settings(9, 1_000, 900), used_tokens: 600 });
  assert.equal(limits.reserve(said('hello'), [], '').max_tokens, 400 - estimateMessages(said('hello')));
});

test('nothing left fails before the call, and counts the system prompt and the tools', () => {
  const tools = [{ name: 'a_search', description: 'd'.repeat(200), input_schema: {} }];
  const limits = makeLimits({ settings: settings(9, 1_000), used_tokens: 950 });
  assert.doesNotThrow(() => limits.reserve(said('a'), [], ''));
  assert.throws(() => limits.reserve(said('a'), tools, ''), isUsedUp);
  assert.throws(() => limits.reserve(said('a'), [], 'word '.repeat(80)), isUsedUp);
});

test('a reply cut short by the limit is a failure, one cut short by max_tokens is not', () => {
  const near = makeLimits({ settings: settings(9, 1_000, 900), used_tokens: 600 });
  const { max_tokens } = near.reserve(said('hello'), [], '');
  assert.throws(() => near.settle({ input_tokens: 4, output_tokens: max_tokens }, 'length'), isUsedUp);

  const far = makeLimits({ settings: settings(9, 100_000, 900), used_tokens: 0 });
  far.reserve(said('hello'), [], '');
  assert.doesNotThrow(() => far.settle({ input_tokens: 4, output_tokens: 900 }, 'length'));
});

test('a model that counts more than we do is believed from then on', () => {
  const limits = makeLimits({ settings: settings(9, 2_000, 10_000), used_tokens: 0 });
  const text = said('word '.repeat(100));
  const before = limits.reserve(text, [], '').max_tokens;
  limits.settle({ input_tokens: 2 * estimateMessages(text), output_tokens: 0 });
  const after = limits.reserve(text, [], '').max_tokens;
  assert.equal(before - after, 3 * estimateMessages(text));
});

test('whatever calls are made, a conversation never passes its limit', () => {
  const call = fc.record({
    text: fc.string({ maxLength: 300 }),
    in: fc.double({ min: 0, max: 1, noNaN: true }),
    out: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.array(call, { maxLength: 40 }),
      (most, max_tokens, calls) => {
        const limits = makeLimits({ settings: settings(30, most, max_tokens), used_tokens: 0 });
        let total = 0;
        let made = 0;
        for (const { text, ...share } of calls) {
          let granted: number;
          try {
            granted = limits.reserve(said(text), [], '').max_tokens;
          } catch (error) {
            assert.ok(isUsedUp(error));
            continue;
          }
          assert.ok(granted >= 1 && granted <= max_tokens);
          const usage = {
            input_tokens: Math.floor(share.in * estimateMessages(said(text))),
            output_tokens: Math.floor(share.out * granted),
          };
          limits.settle(usage, 'stop');
          total += usage.input_tokens + usage.output_tokens;
          made++;
        }
        assert.ok(total <= most && made <= 30);
      },
    ),
  );
});
