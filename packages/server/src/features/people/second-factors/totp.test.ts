import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSecret, encodeSecret, findStep, newTotpSecret, otpauthUri, stepAt, totpCode } from './totp.ts';

const rfcSecret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const) {
    assert.equal(totpCode(rfcSecret, stepAt(seconds * 1000), 8), code);
    assert.equal(totpCode(rfcSecret, stepAt(seconds * 1000)), code.slice(2));
  }
});

test('a code is found in its own step and the ones beside it alone', () => {
  const step = 1000;
  const code = totpCode(rfcSecret, step);
  const at = (offset: number) => (step + offset) * 30_000;
  assert.equal(findStep(rfcSecret, code, at(0)), step);
  assert.equal(findStep(rfcSecret, code, at(1)), step);
  assert.equal(findStep(rfcSecret, code, at(2) - 1), step);
  assert.equal(findStep(rfcSecret, code, at(-1)), step);
  assert.equal(findStep(rfcSecret, code, at(2)), undefined);
  assert.equal(findStep(rfcSecret, code, at(-1) - 1), undefined);
  for (const wrong of ['', '1', `${code}0`, code.slice(1), 'abcdef'])
    assert.equal(findStep(rfcSecret, wrong, at(0)), undefined);
});

test('the address for apps has the secret and names its account', () => {
  const secret = newTotpSecret();
  assert.deepEqual(decodeSecret(encodeSecret(secret)), secret);
  const url = new URL(otpauthUri(secret, 'a+b&c@example.com'));
  assert.equal(url.searchParams.get('secret'), encodeSecret(secret));
  assert.match(url.searchParams.get('secret') ?? '', /^[A-Z2-7]{32}$/);
  assert.ok(url.href.startsWith('otpauth://totp/Atrium:a%2Bb%26c%40example.com?'));
});
