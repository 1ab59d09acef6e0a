import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Connect } from './checked-socket.ts';
import { makeGuardedWeb } from './guarded-fetch.ts';
import { fakeInternet, fetchText, loopback, noConnection, refusal } from './testing.ts';

/** Nothing is allowed, and an attempted connection fails the test. */
const shut = makeGuardedWeb({
  allow: [],
  resolve: async (name) => (/^localhost\.?$|^inside\./.test(name) ? ['127.0.0.1'] : ['93.184.216.34']),
  connect: noConnection,
});

const spellings = `
  http://127.0.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.0.0.1/ http://0177.0.0.1/ http://017700000001/
  http://127.1/ http://127.0.1/ http://0/ http://0.0.0.0/ http://127.0.0.1./ http://localhost/ http://localhost./
  http://LOCALHOST/ http://inside.example/ http://[::1]/ http://[::]/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/
  http://[::ffff:7f00:1]/ http://[::ffff:a9fe:a9fe]/ http://[::FFFF:A9FE:A9FE]/ http://169.254.169.254/latest/meta-data/
  http://0xa9fea9fe/ http://2852039166/ http://10.0.0.1/ http://172.16.0.1/ http://192.168.1.1/ http://100.64.0.1/
  http://[fd00::1]/ http://[fd00:ec2::254]/ http://[fe80::1]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b::127.0.0.1]/
  http://[2002:7f00:1::]/ http://[2001:0:7f00:1::]/ http://１２７.０.０.１/ http://127。0。0。1/ http://①②⑦.0.0.1/
  http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/ http://%31%32%37.0.0.1/ https://127.0.0.1/
  http://127.0.0.1:22/ http://255.255.255.255/ http://224.0.0.1/ http://168.63.129.16/ http:\\\\127.0.0.1\\
  http://127.0.0.1\\@example.com/ http://127.0.0.1#@example.com/ http://127.0.0.1?@example.com/`;

const odd = ['http://127.\t0.0.1/', 'ht\ntp://127.0.0.1/', ' http://127.0.0.1/ ', 'http://local\u00adhost/'];
test('refuses every spelling of a private address before any connection', async () => {
  for (const url of [...spellings.trim().split(/\s+/), ...odd])
    await assert.rejects(shut.fetch(url), refusal('private_address'), JSON.stringify(url));
});

const malformed = `
  http://example.com@127.0.0.1/ http://127.0.0.1@example.com/ http://user:pass@example.com/ http://@:@x@example.com/
  file:///etc/passwd ftp://example.com/ data:text/plain,x javascript:alert(1) gopher://example.com/ blob:http://x/1
  ws://example.com/ //example.com/ /etc/passwd example.com http:// http://[fe80::1%lo]/ http://[fe80::1%25lo]/
  http://[::1/ http://1.2.3.4.5/ http://999.1.1.1/ http://4294967296/ http://a..%00b/ http://exa%mple.com/`;
test('refuses what is no address to fetch', async () => {
  for (const url of [...malformed.trim().split(/\s+/), '', `http://example.com/${'x'.repeat(9000)}`])
    await assert.rejects(shut.fetch(url), refusal('bad_request'), JSON.stringify(url.slice(0, 60)));
});

test('refuses private addresses in random spellings', async () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const radix = fc.constantFrom(
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0${n.toString(8)}`,
  );
  const first = fc.constantFrom([0], [10], [127], [169, 254], [192, 168], [172, 20], [100, 99], [230], [250]);
  await fc.assert(
    fc.asyncProperty(first, byte, byte, byte, radix, radix, fc.integer({ min: 1, max: 4 }), async (head, ...rest) => {
      const [b, c, d, one, other, parts] = rest;
      const bytes = [...head, b, c, d].slice(0, 4) as [number, number, number, number];
      // The last of fewer than four parts stands for all remaining bytes.
      const last = bytes.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
      const host = [...bytes.slice(0, parts - 1).map(one), other(last)].join('.');
      await assert.rejects(shut.fetch(`http://${host}/`), refusal('private_address'), host);
    }),
    { numRuns: 500 },
  );
});

test('refuses a name when any of its addresses is private', async () => {
  for (const answers of [
    ['93.184.216.34', '10.0.0.1'],
    ['::1', '2606:4700::1111'],
    ['93.184.216.34', 'fe80::1%eth0'],
  ]) {
    const web = makeGuardedWeb({ allow: [], resolve: async () => answers, connect: noConnection });
    await assert.rejects(web.fetch('http://two.example/'), refusal('private_address'));
  }
});

test('resolves a name once and connects to the checked address', async () => {
  const server = await loopback((_request, response) => response.end('public'));
  const internet = fakeInternet(server.port);
  let asked = 0;
  const resolve = async () => (asked++ === 0 ? ['93.184.216.34'] : ['169.254.169.254']);
  const web = makeGuardedWeb({ allow: [], resolve, connect: internet.connect });
  assert.equal((await fetchText(web, 'http://rebinding.example/')).text, 'public');
  assert.deepEqual([asked, internet.connected], [1, ['93.184.216.34']]);
  await assert.rejects(web.fetch('http://rebinding.example/'), refusal('private_address'));
  assert.equal(server.asked.length, 1);
});

test('closes a connection that ends at another address before a byte is sent', async () => {
  const server = await loopback((_request, response) => response.end('inside'));
  const { connect } = await import('node:net');
  const astray = makeGuardedWeb({
    allow: [],
    resolve: async () => ['93.184.216.34'],
    connect: () => connect({ host: '127.0.0.1', port: server.port }),
  });
  await assert.rejects(astray.fetch('http://example.com/'), refusal('private_address'));
  assert.deepEqual(server.asked, []);
});

test('does not report a connection that breaks off at once as private', async () => {
  const { port } = await loopback(() => assert.fail('a byte was said'));
  const connect: Connect = (options) => {
    const socket = connectSocket({ ...options, host: '127.0.0.1', port });
    // The system returns this after the server has reset the connection.
    return Object.defineProperty(socket, 'remoteAddress', { get: () => undefined });
  };
  const web = makeGuardedWeb({ allow: [], resolve: async () => ['93.184.216.34'], connect });
  await assert.rejects(web.fetch('http://example.com/'), refusal('unreachable'));
});

test('reaches what the operator allows, by address, block or name, and nothing else', async () => {
  const { url, port } = await loopback((_request, response) => response.end('in'));
  const resolve = async () => ['127.0.0.1'];
  const through = async (allow: string[], to: string) => (await fetchText(makeGuardedWeb({ allow, resolve }), to)).text;
  assert.equal(await through(['127.0.0.1'], url), 'in');
  assert.equal(await through(['127.0.0.0/8'], url), 'in');
  assert.equal(await through(['wiki.corp'], `http://wiki.corp:${port}/`), 'in');
  assert.equal(await through(['wiki.corp'], `http://WIKI.corp.:${port}/`), 'in');
  for (const [allow, to] of [
    ['wiki.corp', url],
    ['wiki.corp', `http://a.wiki.corp:${port}/`],
    ['127.0.0.2', url],
    ['10.0.0.0/8', url],
  ] as const)
    await assert.rejects(through([allow], to), refusal('private_address'));
});

test('reports a name that does not exist and a port without a listener', async () => {
  const nobody = await loopback(() => {});
  const resolve = async (name: string) => {
    if (name === 'empty.example') return [];
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  };
  const web = makeGuardedWeb({ allow: ['127.0.0.1'], resolve });
  await assert.rejects(web.fetch('http://no.example/'), /no such host/);
  await assert.rejects(web.fetch('http://empty.example/'), /no such host/);
  await assert.rejects(web.fetch('http://127.0.0.1:1/'), refusal('unreachable'));
  // Plain HTTP where TLS is expected.
  await assert.rejects(web.fetch(`https://127.0.0.1:${nobody.port}/`), refusal('unreachable'));
});

test('a name without any address is unreachable, and nothing is connected to', async () => {
  const web = makeGuardedWeb({ allow: [], resolve: async () => [], connect: noConnection });
  await assert.rejects(web.fetch('http://nowhere.example/'), refusal('unreachable'));
});
