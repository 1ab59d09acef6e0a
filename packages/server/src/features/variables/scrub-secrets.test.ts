import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breakSecretHandles, fillTemplates, namesIn } from '../variable-templates/service.ts';
import { makeScrubber } from './scrub-secrets.ts';

const secrets = fc.string({ unit: 'binary', minLength: 6, maxLength: 60 }).filter((text) => text.isWellFormed());
const around = fc.string({ unit: 'grapheme', maxLength: 20 });

test('finds a secret in every spelling and place', () => {
  const spellings: ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify({ text }),
    (text) => JSON.stringify({ body: JSON.stringify({ text }) }),
    // As programs do that write JSON in ASCII alone, or a slash with a backslash, or nothing that HTML could read.
    (text) =>
      JSON.stringify(text).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    (text) => JSON.stringify(text).replaceAll('/', '\\/'),
    (text) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '\\u0022').replaceAll('<', '\\u003C'),
    (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    encodeURIComponent,
    (text) => new URLSearchParams({ text }).toString(),
  ];
  fc.assert(
    fc.property(secrets, around, around, fc.constantFrom(...spellings), (secret, before, after, spell) => {
      const scrubber = makeScrubber();
      scrubber.remember('S', secret);
      const spelt = spell(secret);
      const [scrubbed] = scrubber.scrub([`${before}${spelt}${after}`]) as [string];
      assert.ok(scrubbed.includes('{{secret.S}}'), scrubbed);
      assert.ok(secret.length < 8 || !scrubbed.includes(secret) || '{{secret.S}}'.includes(secret));
    }),
  );
});

test('finds the base64 digits of a secret with any bytes before and after it', () => {
  const bytes = fc.uint8Array({ maxLength: 9 });
  const encodings = fc.constantFrom<BufferEncoding>('base64', 'base64url', 'hex');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', minLength: 12, maxLength: 60 }),
      bytes,
      bytes,
      encodings,
      (secret, before, after, encoding) => {
        const scrubber = makeScrubber();
        scrubber.remember('S', secret);
        const spelt = Buffer.concat([before, Buffer.from(secret), after]).toString(encoding);
        assert.ok(scrubber.scrub(spelt).includes('{{secret.S}}'), spelt);
      },
    ),
  );
});

test('leaves values without secrets unchanged, also keys, lists and numbers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const scrubber = makeScrubber();
      scrubber.remember('S', '\u0001 never said \u0001');
      assert.deepEqual(JSON.stringify(scrubber.scrub(value)), JSON.stringify(value));
    }),
  );
});

test('the texts inside an object are secrets by themselves, and the longer of two is found first', () => {
  const scrubber = makeScrubber();
  scrubber.remember('O', '{"user": "u", "password": "hunter2-hunter2"}');
  scrubber.remember('A', 'abcdef');
  scrubber.remember('B', 'abcdefghij');
  assert.equal(scrubber.scrub('u hunter2-hunter2 abcdefghij abcdef'), 'u {{secret.O}} {{secret.B}} {{secret.A}}');
});

test('the lines of a key are secrets by themselves, but not what every key begins with', () => {
  const scrubber = makeScrubber();
  const [first, second] = ['MIIEvQIBADANBgkqhkiG', '9w0BAQEFAASCBKcwggSj'];
  scrubber.remember('K', `-----BEGIN PRIVATE KEY-----\r\n${first}\r\n${second}\r\n-----END PRIVATE KEY-----`);
  const said = `-----BEGIN PRIVATE KEY----- ${second} is no key, ${first} neither`;
  assert.equal(scrubber.scrub(said), '-----BEGIN PRIVATE KEY----- {{secret.K}} is no key, {{secret.K}} neither');
});

test('fills templates once: filled values are not searched for templates', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const texts = new Map([
        ['a', a],
        ['b', b],
      ]);
      const filled = fillTemplates({ x: ['{{a}}', '{{ b }}'] }, ({ name }) => texts.get(name));
      assert.deepEqual(filled, { x: [a, b] });
    }),
  );
  assert.equal(
    fillTemplates('{{a}}', () => '{{b}}'),
    '{{b}}',
  );
  assert.equal(
    fillTemplates('{{{a}}}', ({ name }) => name.toUpperCase()),
    '{A}',
  );
});

test('no text holds a handle once they are taken out of it', () => {
  const pieces = fc.array(fc.constantFrom('{', '{{', ' ', 'secret.', 'secret.X', '}}', 'a'), { maxLength: 12 });
  fc.assert(fc.property(pieces, (parts) => assert.equal(namesIn(breakSecretHandles(parts.join(''))).handles.size, 0)));
});
