import assert from 'node:assert/strict';
import { connect as netConnect } from 'node:net';
import { after, test } from 'node:test';
import { type AllowList, allowPrivate, makeAllowList } from './allow-list.ts';
import { WebRefused } from './driver.ts';
import { makeKeepAliveFetch } from './keep-alive-fetch.ts';
import { fakeInternet, loopback, noConnection } from './testing.ts';

const publicAddress = '93.184.216.34';
const none = makeAllowList([]);

function fetchWith(options: Parameters<typeof makeKeepAliveFetch>[0]): typeof fetch {
  const { fetch, close } = makeKeepAliveFetch(options);
  after(close);
  return fetch;
}

const refused = (error: unknown) => {
  const { cause } = error as { cause?: unknown };
  assert.ok(cause instanceof WebRefused, `not refused by the guard: ${String(cause)}`);
  assert.equal(cause.code, 'private_address');
  return true;
};

test('refuses a private address without a connection when it is not allowed', async () => {
  const fetch = fetchWith({ allow: none, connect: noConnection });
  for (const url of ['http://127.0.0.1/v1', 'http://10.1.2.3/v1', 'http://[::1]/v1', 'http://[::ffff:10.0.0.1]/v1'])
    await assert.rejects(fetch(url), refused, url);
});

test('refuses a name that leads to a private address', async () => {
  const fetch = fetchWith({ allow: none, resolve: async () => [publicAddress, '10.0.0.8'], connect: noConnection });
  await assert.rejects(fetch('https://models.example/v1'), refused);
});

test('refuses a name that resolves to another address at the time of the connection', async () => {
  const server = await loopback((_, response) => response.end('ok'));
  // Connects to loopback for any lookup.
  const connect = () => netConnect({ host: '127.0.0.1', port: server.port });
  const fetch = fetchWith({ allow: none, resolve: async () => [publicAddress], connect });
  await assert.rejects(fetch('http://models.example/v1'), refused);
  assert.deepEqual(server.asked, []);
});

const lists: Record<string, AllowList> = {
  'all private addresses': allowPrivate,
  'a list that names them': makeAllowList(['169.254.0.0/16', 'fd00::/8', '100.64.0.0/10', 'metadata.google.internal']),
};
for (const [name, allow] of Object.entries(lists))
  test(`refuses the metadata service when ${name} may be reached`, async () => {
    const fetch = fetchWith({ allow, resolve: async () => ['10.0.0.8'], connect: noConnection });
    for (const url of [
      ...[
        'http://169.254.169.254/latest',
        'http://[::ffff:a9fe:a9fe]/',
        'http://[fd00:ec2::254]/',
        'http://100.100.100.200/',
      ],
      ...['http://metadata.google.internal/', 'http://METADATA.google.internal./', 'http://168.63.129.16/'],
    ])
      await assert.rejects(fetch(url), refused, url);
  });

test('refuses a redirect to a private address and sends nothing there', async () => {
  const inside = await loopback((_, response) => response.end('inside'));
  for (const status of [301, 302, 303, 307, 308]) {
    const outside = await loopback((_, response) => response.writeHead(status, { location: inside.url }).end());
    const { connect } = fakeInternet(outside.port);
    const fetch = fetchWith({ allow: none, resolve: async () => [publicAddress], connect });
    const sent = { method: 'POST', headers: { authorization: 'Bearer key' }, body: 'said' };
    await assert.rejects(fetch('http://models.example/v1', sent), /fetch failed/);
    assert.equal(outside.asked.length, 1);
  }
  assert.deepEqual(inside.asked, []);
});

test('uses a connection for many requests, and streams their answers', async () => {
  const server = await loopback((request, response) => request.resume().on('end', () => response.end('answer')));
  const { connect, connected } = fakeInternet(server.port);
  const fetch = fetchWith({ allow: none, resolve: async () => [publicAddress], connect });
  for (let turn = 0; turn < 20; turn++) {
    const response = await fetch('http://models.example/v1', { method: 'POST', body: 'said' });
    assert.equal(await response.text(), 'answer');
  }
  assert.equal(server.asked.length, 20);
  // A request during the end of the last answer opens one more connection.
  assert.ok(connected.length <= 3, `${connected.length} connections`);
});

test('keeps the connections of different allow lists apart', async () => {
  const server = await loopback((_, response) => response.end('answer'));
  assert.equal(await (await fetchWith({ allow: allowPrivate })(server.url)).text(), 'answer');
  await assert.rejects(fetchWith({ allow: none })(server.url), refused);
  assert.equal(server.asked.length, 1);
});
