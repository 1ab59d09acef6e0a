import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = new URL('../../..', import.meta.url).pathname;
const root = process.getuid?.() === 0;
const nobody = 65534;

function giveTo(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const entry of readdirSync(path)) giveTo(join(path, entry), uid);
}

/** The machine's own PATH, without the Node that npm put first for these tests. */
const machinePath = (process.env.PATH ?? '')
  .split(':')
  .filter((part) => !part.includes('node_modules'))
  .join(':');

interface Home {
  dir: string;
  spawn: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

/** Makes a clean clone in a directory that only root or the given user can read. */
async function freshClone(uid: number | undefined): Promise<Home> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-clone-'));
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${repository}`, join(dir, 'atrium')]);
  mkdirSync(join(dir, 'home'));
  if (uid !== undefined) giveTo(dir, uid);
  assert.equal(statSync(dir).mode & 0o777, 0o700);
  const env = { PATH: machinePath, HOME: join(dir, 'home'), PORT: '0' };
  return { dir, spawn: { cwd: join(dir, 'atrium'), env, ...(uid !== undefined && { uid, gid: uid }) } };
}

/** `npm start` in an installed clone: it answers, serves the console, and stops when it is told to. */
async function startsAndAnswers(home: Home): Promise<void> {
  const server = spawn('npm', ['start'], { ...home.spawn, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let output = '';
    const said = new Promise<void>((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${output}`)));
      server.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('shown this once')) resolve();
      });
    });
    await said;
    const address = /running at (\S+)/.exec(output)?.[1];
    const key = /atr_[\w-]+/.exec(output)?.[0] ?? '';
    const answer = await fetch(`${address}/v1/admin/me`, { headers: { 'x-api-key': key } });
    assert.equal(answer.status, 200);
    const page = await fetch(`${address}/`, { headers: { accept: 'text/html' } });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    assert.equal((await fetch(`${address}${script}`)).status, 200, 'the console is served');
    assert.equal(statSync(join(home.spawn.cwd, 'data/master.key')).mode & 0o777, 0o600);
  } finally {
    const ended = new Promise((resolve) => server.once('close', resolve));
    server.kill('SIGTERM');
    await ended;
  }
  await stopped(join(home.spawn.cwd, 'data'));
}

/** npm may be gone a moment before the program it started has closed everything. */
async function stopped(data: string): Promise<void> {
  const pidFile = join(data, 'postgres/cluster/postmaster.pid');
  for (let tries = 0; tries < 600 && existsSync(pidFile); tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(existsSync(pidFile), false, 'PostgreSQL was stopped');
  assert.match(readFileSync(join(data, 'postgres/server.log'), 'utf8'), /database system is shut down\s*$/);
}

/** Makes the directory that of another user, as if nothing had been started in it. */
function giveClone(home: Home, uid: number): Home {
  rmSync(join(home.spawn.cwd, 'data'), { recursive: true });
  giveTo(home.dir, uid);
  const { uid: _uid, gid: _gid, ...spawn } = home.spawn;
  return { ...home, spawn };
}

test('the two commands start a server in a private directory, for an ordinary user and, trimmed, for root', async () => {
  const clone = await freshClone(root ? nobody : undefined);
  try {
    await run('npm', ['ci'], clone.spawn);
    await startsAndAnswers(clone);
    if (!root) return;
    const other = giveClone(clone, 0);
    await run('npm', ['run', 'trim', '--omit=dev'], other.spawn);
    assert.ok(!existsSync(join(other.spawn.cwd, 'node_modules/typescript/package.json')), 'what tests need is gone');
    await startsAndAnswers(other);
  } finally {
    rmSync(clone.dir, { recursive: true, force: true });
  }
});
