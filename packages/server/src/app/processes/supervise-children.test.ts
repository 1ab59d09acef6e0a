import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeLog } from '../../lib/log.ts';
import { makeOutage } from '../../lib/outages/testing.ts';
import { makePeer, type PeerMessage } from './peer.ts';
import { superviseChildren } from './supervise-children.ts';

/** The started process: this file once more. */
async function serveStart(): Promise<void> {
  const peer = makePeer((message) => process.send?.(message), {
    async start(failure: 'outage' | 'other' | undefined) {
      if (failure === 'outage') throw await makeOutage();
      if (failure === 'other') throw new Error('no such setting');
    },
    end: () => process.exit(0),
  });
  process.on('message', (message: PeerMessage) => peer.receive(message));
  await peer.call('hello');
}

/** Supervises one process whose starts fail in these ways, one after another, with a database that is back each time. */
function superviseWith(...failures: ('outage' | 'other')[]) {
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url) });
  let starts = 0;
  const children = superviseChildren({
    ...{ processes: 1, log: makeLog('silent'), functionsFor: () => ({}), onEnd() {}, onGone() {} },
    isDatabaseAway: async () => false,
    async bringUp({ hello, peer }) {
      await hello;
      await peer.call('start', failures[starts++]);
    },
  });
  return { children, starts: () => starts };
}

if (cluster.isWorker) await serveStart();
else {
  test('starts a process again when the database was away at its start and is back by now', async () => {
    const { children, starts } = superviseWith('outage');
    await children.started;
    assert.equal(starts(), 2);
    await children.end();
  });

  test('gives up at the first start when a process fails for another reason', async () => {
    const { children } = superviseWith('other');
    await assert.rejects(children.started, /no such setting/);
    await children.end();
  });
}
