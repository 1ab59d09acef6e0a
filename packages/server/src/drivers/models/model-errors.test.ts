import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerError, asModelError, redactProviderMessage, retryAfter, UnreadableAnswer } from './model-errors.ts';

test('reads the time to wait from seconds, milliseconds and dates', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfter({ 'retry-after': '2' }, now), 2000);
  assert.equal(retryAfter({ 'retry-after': '0.5' }, now), 500);
  assert.equal(retryAfter({ 'retry-after-ms': '250', 'retry-after': '9' }, now), 250);
  assert.equal(retryAfter({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, now), 30_000);
  assert.equal(retryAfter({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now), 0);
  assert.equal(retryAfter({ 'retry-after': 'soon' }, now), undefined);
  assert.equal(retryAfter({}, now), undefined);
  assert.equal(retryAfter(undefined, now), undefined);
});

test('shortens messages of a provider and removes keys', () => {
  assert.equal(redactProviderMessage('bad key my-own-key-1\n  given', ['my-own-key-1']), 'bad key *** given');
  assert.equal(redactProviderMessage('Authorization: Bearer abc.def failed', []), 'Authorization: *** failed');
  assert.equal(redactProviderMessage('Incorrect key sk-proj-abcdefghijklmnop', []), 'Incorrect key ***');
  assert.equal(redactProviderMessage('AKIAIOSFODNN7EXAMPLE is not known', []), '*** is not known');
  assert.equal(redactProviderMessage('api_key_was_not_found', []), 'api_key_was_not_found');
  assert.equal(redactProviderMessage('x'.repeat(5000), []).length, 300);
  assert.equal(redactProviderMessage('', ['']), '');
});

test('an error keeps nothing of the request it came from', () => {
  const error = asModelError(
    new AnswerError('no', { status: 500, body: 'secret body', cause: new Error('secret cause') }),
    [],
  );
  assert.deepEqual([error.message, error.status, error.cause], ['The provider answered 500: no', 500, undefined]);
});

test('turns errors of any shape into a ModelError', () => {
  const statusOf = (thrown: unknown) => asModelError(thrown, []).status;
  assert.equal(statusOf({ message: 'busy', statusCode: 529 }), 529);
  assert.equal(statusOf({ message: 'busy', code: '503' }), 503);
  assert.equal(statusOf({ message: 'busy', code: 'overloaded' }), undefined);
  assert.equal(asModelError('a text', []).message, 'The provider broke off: a text');
  assert.equal(asModelError(undefined, []).message, 'The provider broke off: no reason given');
  assert.match(asModelError(new UnreadableAnswer(), []).message, /could not be read/);
  const cause = Object.assign(new Error('connect'), { code: 'ECONNRESET' });
  assert.match(asModelError(new TypeError('fetch failed', { cause }), []).message, /ECONNRESET/);
  const broken = asModelError(new AnswerError('', { status: 200, cause }), []);
  assert.deepEqual([broken.message, broken.status], ['The connection broke off: ECONNRESET', undefined]);
});
