import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { makeLog } from '../lib/log.ts';
import { isDatabaseOutage } from '../lib/outages/database-outages.ts';
import { openDatabase } from './database.ts';
import { sql } from './sql.ts';

/** A server that takes connections and never answers. */
const sockets: Socket[] = [];
const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const silent = {
  ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port },
  ...{ user: 'u', password: 'p', database: 'd' },
};

for (const [limit, connectionTimeoutMillis] of [[8000], [300, 300], [60_000, 60_000]])
  test(`gives a new connection up after ${limit} ms when it is given ${connectionTimeoutMillis ?? 'no limit'}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const connection = { ...silent, ...(connectionTimeoutMillis && { connectionTimeoutMillis }) };
    const db = openDatabase({ connection, max: 1, log: makeLog('silent') });
    let failure: unknown;
    const failed = db.run(sql`select 1`).catch((error) => {
      failure = error;
    });
    await once(server, 'connection');
    t.mock.timers.tick((limit as number) - 1);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    assert.equal(failure, undefined);
    t.mock.timers.tick(1);
    await failed;
    assert.ok(isDatabaseOutage(failure));
    await db.close();
  });
