import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleModelRequest } from '../conformance-support.ts';
import { AnswerError } from '../model-errors.ts';
import { findRefusal } from './find-refusal.ts';

const nothing = { settings: new Set<never>(), max_tokens: null };
const refusalIn = (message: string, status = 400, request = sampleModelRequest({ max_tokens: 64_000 })) =>
  findRefusal(new AnswerError(message, { status }), request, nothing);

test('reads the limit that a server states from its refusal of more tokens', () => {
  const stated: [limit: number, once: boolean, message: string][] = [
    [
      16_384,
      false,
      'max_tokens is too large: 64000. This model supports at most 16384 completion tokens, whereas you provided 64000.',
    ],
    [4096, false, 'max_tokens: 64000 > 4096, which is the maximum allowed number of output tokens for claude-3-opus'],
    [8192, false, '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`'],
    [8192, false, 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
    [16_384, false, "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 16384."],
    [65_536, false, 'It has a maxOutputTokens value of 64000 but the supported range is from 1 to 65537 (exclusive)'],
    [10_000, false, 'The maximum tokens you requested exceeds the model limit of 10000.'],
    [
      8172,
      true,
      "'max_tokens' is too large: 64000. This model's maximum context length is 8192 tokens and your request has 20 input tokens",
    ],
    [
      4000,
      true,
      "This model's maximum context length is 4096 tokens. However, you requested 64096 tokens (96 in the messages, 64000 in the completion).",
    ],
    [
      8173,
      true,
      '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 20 `inputs` tokens and 64000 `max_new_tokens`',
    ],
  ];
  for (const [max_tokens, once, message] of stated)
    assert.deepEqual(
      refusalIn(message, 400, sampleModelRequest({ max_tokens: 100_000 })),
      { max_tokens, once },
      message,
    );
});

test('takes no other refusal for a limit', () => {
  for (const message of [
    "Invalid 'stop': array too long. Expected an array with at most 4 items.",
    'max_tokens must be at least 1',
    'This model supports at most 100000 max_tokens',
    "This model's maximum context length is 4096 tokens, and the messages alone have more",
    'You may send at most 5 images',
  ])
    assert.equal(refusalIn(message), undefined, message);
  assert.equal(refusalIn('max_tokens: at most 4096', 500), undefined);
});

test('names the setting that a server does not take', () => {
  const reasoning = sampleModelRequest({ reasoning: 'low' });
  assert.deepEqual(refusalIn('"m" does not support thinking', 400, reasoning), {
    setting: 'reasoning_effort',
    once: false,
  });
  assert.equal(refusalIn('"m" does not support thinking'), undefined, 'it was not asked for');
  const json = sampleModelRequest({ json_schema: { type: 'object' } });
  assert.deepEqual(refusalIn('response_format is not supported', 400, json), {
    setting: 'response_format',
    once: false,
  });
  assert.deepEqual(refusalIn('Invalid schema for response_format: x is not permitted', 422, json), {
    setting: 'response_format',
    once: true,
  });
});
