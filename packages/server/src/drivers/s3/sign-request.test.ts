import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signRequest, type UnsignedRequest } from './sign-request.ts';

// The examples of the S3 documentation on signatures in the Authorization header.
const credentials = {
  region: 'us-east-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const host = 'examplebucket.s3.amazonaws.com';
const sign = (request: Omit<UnsignedRequest, 'host'>) =>
  signRequest({ host, ...request }, credentials, new Date('2013-05-24T00:00:00.123Z'));

const examples: [string, Omit<UnsignedRequest, 'host'>, string][] = [
  [
    'a range of an object',
    { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a write whose name has a character to escape',
    {
      ...{ method: 'PUT', path: '/test$file.text', body: Buffer.from('Welcome to Amazon S3.') },
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a query without a value',
    { method: 'GET', path: '/', query: { lifecycle: '' } },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a query with two values',
    { method: 'GET', path: '/', query: { prefix: 'J', 'max-keys': '2' } },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

for (const [name, request, signature] of examples)
  test(`makes the documented signature for ${name}`, () => {
    assert.equal(sign(request).headers['authorization']?.split('Signature=')[1], signature);
  });

test('sends path and query in the form that it signs, and never the secret', () => {
  const { path, headers } = sign({ method: 'GET', path: "/a b/c'd", query: { prefix: 'x/y', 'list-type': '2' } });
  assert.equal(path, '/a%20b/c%27d?list-type=2&prefix=x%2Fy');
  assert.ok(!JSON.stringify(headers).includes(credentials.secret_access_key));
});
