import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptPush, isPublicKey } from './encrypt-push.ts';
import { decryptAsBrowser, makeBrowser } from './testing.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('encrypts as the example of RFC 8291 does', () => {
  const p256dh = bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4');
  const auth = bytes('BTBZMqHH6r4Tts7J_aSIgg');
  const own = bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw');
  const salt = bytes('DGv6ra1nlYgDCS1FRnbzlw');
  const sent = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), { p256dh, auth }, { own, salt });
  const expected =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  assert.equal(sent.toString('base64url'), expected);
});

test('a browser reads what was encrypted for it, and no other does', () => {
  const [browser, other] = [makeBrowser(), makeBrowser()];
  const sent = encryptPush(Buffer.from('{"kind":"shared"}'), browser.receiver);
  assert.equal(decryptAsBrowser(sent, browser), '{"kind":"shared"}');
  assert.throws(() => decryptAsBrowser(sent, other));
  assert.throws(() => encryptPush(Buffer.alloc(4096), browser.receiver), /at most/);
});

test('a key that is no point of the curve is refused', () => {
  const { p256dh } = makeBrowser().receiver;
  assert.equal(isPublicKey(p256dh), true);
  const bent = Buffer.from(p256dh);
  bent[40] = (bent[40] as number) ^ 1;
  for (const wrong of [bent, p256dh.subarray(1), Buffer.alloc(65), Buffer.alloc(0)])
    assert.equal(isPublicKey(wrong), false);
});
