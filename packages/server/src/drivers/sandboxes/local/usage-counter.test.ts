import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeUsageCounter } from './usage-counter.ts';

const countThreads = () => readdirSync('/proc/self/task').length;

test('ends its thread when nothing was counted for a while, and starts another one when needed', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'atrium-usage-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'file'), 'text');
  const counter = makeUsageCounter({ end_after_ms: 50 });
  const before = countThreads();
  for (const _ of ['the first thread', 'the second']) {
    assert.equal((await counter.measure(root, 100)).largest, 4);
    assert.ok(countThreads() > before);
    for (let attempt = 0; attempt < 500 && countThreads() > before; attempt++) await sleep(20);
    assert.equal(countThreads(), before);
  }
  await counter.close();
});
