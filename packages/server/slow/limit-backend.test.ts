import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';

const skip = process.platform === 'linux' ? false : 'limits of other processes are read in /proc';

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The limits of address space that the children of a process have. */
const limitsOfChildren = (pid: number): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/status`).includes(`\nPPid:\t${pid}\n`))
    .map((name) => /^Max address space\s+(\S+)/m.exec(read(`/proc/${name}/limits`))?.[1] ?? '');

test('the program limits the backends that run queries of callers, and no others', { skip }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-limit-'));
  const program = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: adminKey } });
  try {
    const address = await program.ready;
    const postmaster = Number(read(join(dir, 'postgres/cluster/postmaster.pid')).split('\n')[0]);
    assert.deepEqual(new Set(limitsOfChildren(postmaster)), new Set(['unlimited']));
    const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ sql: 'select 1 as one' });
    const answer = await fetch(`${address}/v1/tables/query`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, await answer.text());
    const limits = limitsOfChildren(postmaster).filter((limit) => limit !== 'unlimited');
    assert.equal(limits.length, 1);
    assert.ok(Number(limits[0]) < 1024 ** 3, limits[0]);
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
