import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { makeJournal } from './journal.ts';
import type { RunEnding } from './run-store.ts';

const suspended: RunEnding = {
  ...{ status: 'awaiting_human_feedback', output: null, error: null, wakes_at: null, over: false },
  ...{ progress: 0, progress_details: null },
};

test('does not count a run as ending any more when it was woken while it was suspended', async () => {
  const tx = { row: async () => ({ id: 'r' }) } as unknown as Db;
  const db = {
    ...tx,
    transaction: (_: undefined, work: (tx: Db) => Promise<void>) => work(tx),
  } as unknown as Database;
  const notifier = { on() {}, onMissed() {}, notify: async () => {} } as unknown as Notifier;
  const journal = makeJournal({ db, notifier, node_id: 'n' });
  journal.open('r', 0);
  await journal.append('w', 'r', [], [], suspended, async () => {});
  assert.equal(journal.isEnding('r'), true);
  await journal.append('w', 'r', [], []);
  assert.equal(journal.isEnding('r'), false);
  journal.leave();
});
