import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { decodeBase64, decodeDataUrl } from '@atrium/contract/attachments/base64.ts';
import { attachmentInput } from '@atrium/contract/attachments/schema.ts';
import { jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { maskSecretErrors, secretKeys } from '@atrium/contract/schema/secrets.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import fc from 'fast-check';

const body = s.object({ files: s.list(attachmentInput) });
const validationErrors = (...files: unknown[]) => {
  const parsed = body.safeParse({ files });
  const found = parsed.success ? [] : toValidationErrors(body, parsed.error.issues, { files }, 'body');
  return maskSecretErrors(found, secretKeys(jsonSchemaOf(body, 'input')));
};
const places = (...files: unknown[]) => validationErrors(...files).map(({ loc, type }) => `${loc.join('.')} ${type}`);

const id = '018f0000-0000-7000-8000-000000000000';
const b64_content = Buffer.from('hello').toString('base64');

test('bytes, an address or an id are a file; null says nothing', () => {
  const whole = { status: 'success', name: 'a.txt', b64_content, url: null, id, size: 5, type: 'text/plain' };
  assert.deepEqual(places(whole, { name: 'a', b64_content }, { url: 'https://example.com/a' }, { id }), []);
  const parsed = attachmentInput.parse({ name: 'a.txt', b64_content, type: null });
  assert.deepEqual(parsed, {
    status: 'success',
    name: 'a.txt',
    b64_content: new Uint8Array(Buffer.from('hello')),
    size: 1,
    type: '',
  });
});

test('reports missing and invalid fields at their location', () => {
  assert.deepEqual(
    places(
      {},
      { name: 'a' },
      { url: '' },
      { b64_content },
      { id: 'x' },
      { id, more: 1 },
      { id, status: 'uploading' },
      5,
      { name: 'a', b64_content: '####' },
    ),
    [
      'body.files.0 value_error',
      'body.files.1 value_error',
      'body.files.2 value_error',
      'body.files.3.name missing',
      'body.files.4.id uuid_parsing',
      'body.files.5.more extra_forbidden',
      'body.files.6.status literal_error',
      'body.files.7 model_attributes_type',
      'body.files.8.b64_content base64_decode',
    ],
  );
});

test('the bytes of a refused file are not sent back', () => {
  const sent = validationErrors({ name: 'a', b64_content: '#secret#' }, { b64_content }, { name: 5, b64_content });
  assert.equal(sent.length, 3);
  assert.doesNotMatch(JSON.stringify(sent), new RegExp(`secret|${b64_content}`));
});

test('base64 is read only as it should be written', () => {
  assert.deepEqual(decodeBase64(''), new Uint8Array());
  for (const text of [
    'QQ',
    'QQ=',
    'QQ===',
    'Q',
    'QR==',
    'QUJ=',
    'QQ==QQ==',
    '=',
    '====',
    'QUI\n',
    ' QUI',
    'QU-_',
    'QÜJD',
    'QU JD',
    'data:,QUJD',
  ])
    assert.equal(decodeBase64(text), undefined, text);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      assert.deepEqual(decodeBase64(text), new Uint8Array(bytes));
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = decodeBase64(text);
      if (bytes) assert.equal(Buffer.from(bytes).toString('base64'), text);
    }),
  );
});

test('base64 of 30 MB is read in no time', () => {
  const bytes = randomBytes(30 * 1024 * 1024);
  const text = bytes.toString('base64');
  // Measures the CPU time of this process, so that other load does not matter.
  const before = process.cpuUsage();
  assert.ok(bytes.equals(decodeBase64(text) ?? new Uint8Array()));
  assert.equal(decodeBase64(`${text.slice(0, -5)}#${text.slice(-4)}`), undefined);
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

test('a data address holds base64', () => {
  assert.deepEqual(decodeDataUrl('data:text/plain;charset=utf-8;base64,QQ=='), new Uint8Array([65]));
  assert.deepEqual(decodeDataUrl('data:;BASE64,'), new Uint8Array());
  for (const url of ['data:text/plain,A', 'data:;base64', 'data:;base64,%51Q==', ',QQ==', 'data:base64,QQ=='])
    assert.equal(decodeDataUrl(url), undefined, url);
});
