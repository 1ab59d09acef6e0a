import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { lockDataDir } from './data-dir-lock.ts';

let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'atrium-lock-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(dir, { recursive: true, force: true });
});

// Says "won" or why not, and holds what it won until it is killed.
function contender(): { child: ChildProcess; verdict: Promise<string> } {
  const code = `
    import { lockDataDir } from ${JSON.stringify(new URL('./data-dir-lock.ts', import.meta.url).href)};
    try { lockDataDir(${JSON.stringify(dir)}); console.log('won'); } catch (error) { console.log(error.message); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return { child, verdict: once(child.stdout, 'data').then(([data]) => String(data).trim()) };
}

function lockFile(): { pid: number; startTime: string | null; bootId: string | null } {
  return JSON.parse(readFileSync(join(dir, 'atrium.lock'), 'utf8'));
}

test('a second lock is refused, naming the process, until the first is released', () => {
  const release = lockDataDir(dir);
  assert.throws(() => lockDataDir(dir), new RegExp(`${dir} is in use by process ${process.pid} \\(started 2`));
  release();
  release();
  lockDataDir(dir)();
  assert.deepEqual(readdirSync(dir), []);
});

test('another process is refused while one holds the lock, and gets it once that one was killed', async () => {
  const first = contender();
  assert.equal(await first.verdict, 'won');
  assert.throws(() => lockDataDir(dir), new RegExp(`in use by process ${first.child.pid} `));
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  lockDataDir(dir)();
});

test('a lock whose pid was given to another process, or is of an earlier boot, is stale', {
  skip: process.platform !== 'linux',
}, () => {
  lockDataDir(dir);
  for (const change of [{ startTime: '1' }, { bootId: 'an-earlier-one' }]) {
    writeFileSync(join(dir, 'atrium.lock'), JSON.stringify({ ...lockFile(), ...change }));
    lockDataDir(dir);
    assert.equal(lockFile().pid, process.pid);
    assert.throws(() => lockDataDir(dir), /in use/);
  }
});

test('a torn lock file is stale', () => {
  writeFileSync(join(dir, 'atrium.lock'), '');
  lockDataDir(dir)();
  assert.deepEqual(readdirSync(dir), []);
});

test('a lock is broken although the process that was breaking it died', () => {
  const dead = { pid: 2 ** 22 + 1, startTime: '1', bootId: null, startedAt: 'then' };
  writeFileSync(join(dir, 'atrium.lock'), JSON.stringify({ ...dead, id: 'stale' }));
  writeFileSync(join(dir, 'atrium.lock.stale'), JSON.stringify({ ...dead, id: 'breaker' }));
  writeFileSync(join(dir, 'atrium.lock.draft-x'), JSON.stringify({ ...dead, id: 'draft' }));
  lockDataDir(dir);
  assert.deepEqual(readdirSync(dir), ['atrium.lock']);
  assert.equal(lockFile().pid, process.pid);
});

for (const [state, count, prepare] of [
  ['a free', 6, () => {}],
  ['a stale', 20, () => writeFileSync(join(dir, 'atrium.lock'), JSON.stringify({ id: 'stale', pid: 2 ** 22 + 1 }))],
] as const) {
  test(`of ${count} processes contending for ${state} lock exactly one wins`, async () => {
    prepare();
    const verdicts = await Promise.all(Array.from({ length: count }, () => contender().verdict));
    const { pid } = lockFile();
    assert.equal(verdicts.filter((verdict) => verdict === 'won').length, 1);
    assert.equal(verdicts.filter((verdict) => verdict.includes(`in use by process ${pid} `)).length, count - 1);
  });
}
