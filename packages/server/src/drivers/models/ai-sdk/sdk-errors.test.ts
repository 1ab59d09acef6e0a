import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APICallError, InvalidPromptError, JSONParseError } from '@ai-sdk/provider';
import { sdkModelError } from './sdk-errors.ts';

const call = { message: 'no', url: 'http://x/secret-path', requestBodyValues: { messages: ['secret prompt'] } };

test('an error keeps nothing of the request it came from', () => {
  const error = sdkModelError(new APICallError({ ...call, responseBody: 'secret body', statusCode: 500 }), []);
  assert.deepEqual([error.message, error.status, error.cause], ['The provider answered 500: no', 500, undefined]);
});

test('translates errors of provider packages', () => {
  const cause = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' });
  for (const [thrown, message, status] of [
    [new APICallError({ ...call, statusCode: 200, cause }), 'The connection broke off: UND_ERR_SOCKET', undefined],
    [new APICallError({ ...call, cause }), 'The provider could not be reached: UND_ERR_SOCKET', undefined],
    [new JSONParseError({ text: '{', cause }), 'The provider sent an answer that could not be read', undefined],
    [new InvalidPromptError({ prompt: 'x', message: 'Bad prompt' }), 'Invalid prompt: Bad prompt', 400],
    [
      new APICallError({ ...call, statusCode: 429, responseHeaders: { 'retry-after': '2' } }),
      'The provider answered 429: no',
      429,
    ],
  ] as const) {
    const error = sdkModelError(thrown, []);
    assert.deepEqual([error.message, error.status], [message, status]);
  }
});
