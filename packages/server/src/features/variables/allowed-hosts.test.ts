import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from '../agents/testing.ts';
import { hostOfAddress, isAllowedHost, readHostPattern } from './allowed-hosts.ts';

const { app, call, good, workspace_id } = await agentApp();
const path = '/v1/variables';
const create = (body: object) => call('POST', path, body);
let count = 0;
const secret = (body: object = {}) => ({ name: `s${++count}`, inline_value: 'sk-value-123', is_secret: true, ...body });
const warning = { loc: ['body', 'allowed_hosts'], type: 'missing_allowed_hosts' };

test('stores an allowed host in its usual spelling', () => {
  for (const [given, stored] of [
    ['API.Example.COM', 'api.example.com'],
    ['api.example.com.', 'api.example.com'],
    [' api.example.com:8443 ', 'api.example.com:8443'],
    ['api.example.com:080', 'api.example.com:80'],
    ['*.example.com', '*.example.com'],
    ['*.example.com:443', '*.example.com:443'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[2001:DB8::0001]:5432', '[2001:db8::1]:5432'],
    ['2001:db8::1', '[2001:db8::1]'],
    ['localhost', 'localhost'],
  ] as const)
    assert.equal(readHostPattern(given), stored, given);
});

test('refuses an allowed host that is no name with an optional port', () => {
  for (const given of [
    ...['', '*', '*.', '*.com', '*.*.example.com', 'a*.example.com', 'https://api.example.com', 'api.example.com/path'],
    ...[
      'user@api.example.com',
      'api.example.com:0',
      'api.example.com:65536',
      'api.example.com:x',
      'a b',
      '*.127.0.0.1',
    ],
    ...[
      '{{host}}',
      '{{secret.X}}',
      'api.example.com?x',
      'api.example.com#x',
      'a\\b',
      '%61.example.com',
      ':443',
      '[::1',
      '::1]',
    ],
  ])
    assert.equal(readHostPattern(given), null, given);
});

const isAllowed = (patterns: string[], address: string) => {
  const host = hostOfAddress(address);
  return host !== null && isAllowedHost(patterns.map(readHostPattern) as string[], host);
};

test('allows addresses of a host in any spelling, and those below a wildcard', () => {
  for (const [pattern, address] of [
    ['api.example.com', 'https://api.example.com/v1'],
    ['api.example.com', 'HTTPS://API.EXAMPLE.COM./v1'],
    ['api.example.com', 'http://api.example.com:8080/'],
    ['api.example.com:443', 'https://api.example.com/'],
    ['*.example.com', 'https://a.b.example.com/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'https://BÜCHER.example/'],
    ['api.example.com', 'https://ap%69.example.com/'],
    ['db.example.com:5432', 'postgresql://user:pw@DB.example.com/name'],
    ['db.example.com', 'postgres://user@db.example.com:6543/name?host=evil.example'],
  ] as const)
    assert.equal(isAllowed([pattern], address), true, `${pattern} ${address}`);
});

test('does not allow addresses that only look like those of a host', () => {
  for (const [pattern, address] of [
    ['api.example.com', 'https://api.example.com.evil.example/'],
    ['api.example.com', 'https://api.example.com@evil.example/'],
    ['api.example.com', 'https://api.example.com:443@evil.example/'],
    ['api.example.com', 'https://evil.example/?api.example.com'],
    ['api.example.com', 'https://evil.example#api.example.com'],
    ['api.example.com', 'https://evil.example\\@api.example.com/'],
    ['api.example.com', 'https://xapi.example.com/'],
    ['api.example.com', 'https://example.com/'],
    ['api.example.com:443', 'https://api.example.com:8443/'],
    ['api.example.com:443', 'http://api.example.com/'],
    ['*.example.com', 'https://example.com/'],
    ['*.example.com', 'https://evilexample.com/'],
    ['example.com', 'https://a.example.com/'],
    ['bücher.example', 'https://bucher.example/'],
    ['аpple.example', 'https://apple.example/'],
    ['db.example.com', 'postgresql://db.example.com:pw@evil.example/name'],
    ['api.example.com', 'api.example.com'],
    ['api.example.com', 'file://api.example.com/etc/passwd'],
  ] as const)
    assert.equal(isAllowed([pattern], address), false, `${pattern} ${address}`);
});

test('answers a secret without allowed_hosts with a warning, and one with them without', async () => {
  const bare = good(await create(secret()));
  assert.partialDeepStrictEqual(bare, { allowed_hosts: null, warnings: [warning] });
  assert.equal(typeof bare.warnings[0].msg, 'string');
  const read = good(await call('GET', `${path}/${bare.id}`));
  assert.deepEqual([read.allowed_hosts, read.warnings], [null, undefined], 'a warning belongs to its request');
  assert.partialDeepStrictEqual(good(await call('PATCH', `${path}/${bare.id}`, { name: 'renamed' })), {
    warnings: [warning],
  });
  const bound = good(await create(secret({ allowed_hosts: ['API.example.com', 'api.example.com.'] })));
  assert.deepEqual([bound.allowed_hosts, bound.warnings], [['api.example.com'], undefined]);
  assert.deepEqual(good(await call('GET', `${path}/${bound.id}`)).allowed_hosts, ['api.example.com']);
  const { items } = good(await call('GET', `${path}?search=${bound.name}`));
  assert.deepEqual(items[0].allowed_hosts, ['api.example.com']);
  const none = good(await create(secret({ allowed_hosts: [] })));
  assert.deepEqual([none.allowed_hosts, none.warnings], [[], undefined], 'an empty list is a secret that goes nowhere');
  const plain = good(await create(secret({ is_secret: false })));
  assert.deepEqual([plain.allowed_hosts, plain.warnings], [null, undefined]);
});

test('refuses hosts that can not be read, each by its place, and hosts of a variable that is no secret', async () => {
  const answer = await create(secret({ allowed_hosts: ['ok.example.com', 'https://x.example.com', '*'] }));
  assert.deepEqual(validationErrorsOf(answer), [
    'body.allowed_hosts.1: value_error',
    'body.allowed_hosts.2: value_error',
  ]);
  assert.equal((await create(secret({ is_secret: false, allowed_hosts: ['a.example.com'] }))).status, 422);
});

test('drops the hosts of a secret that becomes a plain variable', async () => {
  const made = good(await create(secret({ allowed_hosts: ['a.example.com'] })));
  const plain = good(await call('PATCH', `${path}/${made.id}`, { is_secret: false, inline_value: 'open' }));
  assert.deepEqual([plain.allowed_hosts, plain.inline_value], [null, 'open']);
});

test('asks for the value again when a bound secret is given other hosts', async () => {
  const made = good(await create(secret({ allowed_hosts: ['*.example.com', 'b.example.org'] })));
  const patch = (body: object) => call('PATCH', `${path}/${made.id}`, body);
  for (const allowed_hosts of [['evil.example'], ['*.example.com', 'evil.example'], ['c.example.org']]) {
    assert.deepEqual(validationErrorsOf(await patch({ allowed_hosts })), ['body.inline_value: missing']);
  }
  assert.deepEqual(good(await patch({ allowed_hosts: ['a.example.com'] })).allowed_hosts, ['a.example.com']);
  assert.equal((await patch({ allowed_hosts: ['*.example.com'] })).status, 422);
  assert.equal((await patch({ allowed_hosts: null })).status, 200);
  assert.deepEqual(good(await call('GET', `${path}/${made.id}`)).allowed_hosts, ['a.example.com']);
  const moved = good(await patch({ allowed_hosts: ['c.example.org'], inline_value: 'sk-other-456' }));
  assert.deepEqual(moved.allowed_hosts, ['c.example.org']);
});

test('a key without variables_read binds a secret only together with its value', async () => {
  const keys = `/v1/admin/groups/${workspace_id}/api-keys`;
  const { value: key } = good(await app.call('POST', keys, { name: 'editor', permissions: ['variables_edit'] }));
  const made = good(await create(secret()));
  const patch = (body: object) => app.call('PATCH', `${path}/${made.id}`, body, { key });
  assert.equal((await patch({ allowed_hosts: ['evil.example'] })).status, 422);
  assert.equal((await patch({ allowed_hosts: ['a.example.com'], inline_value: 'sk-mine-789' })).status, 200);
  const other = good(await create(secret()));
  assert.equal((await call('PATCH', `${path}/${other.id}`, { allowed_hosts: ['a.example.com'] })).status, 200);
});
