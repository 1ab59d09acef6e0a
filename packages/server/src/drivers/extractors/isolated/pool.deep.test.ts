import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { picture } from '../../../../test/golden/bitmap.ts';
import { docx } from '../../../../test/golden/office.ts';
import { pieces } from '../conformance.ts';
import { type ExtractOptions, NotExtractable } from '../driver.ts';
import { binaryTypes } from '../file-types.ts';
import { type IsolationLimits, makePool } from './pool.ts';
import { confinement, startReader } from './reader-process.ts';

const about = (choices: Partial<ExtractOptions> = {}): ExtractOptions => ({
  ...{ filename: 'file', content_type: binaryTypes.docx[0], max_chars: 1000 },
  ...{ signal: AbortSignal.timeout(120_000), ...choices },
});
const mail = { content_type: 'message/rfc822' };

async function* endless(piece: Buffer, count = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield piece;
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('it was read'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof NotExtractable, String(error));
  return `${error.code}: ${error.message}`;
};

/** A pool whose processes are counted. */
function watchedPool(limits: Partial<IsolationLimits> = {}) {
  const alive = new Set<number>();
  let most = 0;
  const pool = makePool(limits, (memory_mb) => {
    const child = startReader(memory_mb);
    alive.add(child.pid ?? 0);
    most = Math.max(most, alive.size);
    child.once('exit', () => alive.delete(child.pid ?? 0));
    return child;
  });
  const ended = async () => {
    for (let tries = 0; alive.size > 0; tries++) {
      assert.ok(tries < 2400, 'a process goes on');
      await wait(25);
    }
  };
  return { ...pool, ended, most: () => most, alive: () => alive.size };
}

test('a file that takes too long is given up, and its process with it', async () => {
  const { extract, ended, alive } = watchedPool({ time_ms: 400, processes: 1 });
  // So much to read that no machine is done by then.
  const image = picture(Array.from({ length: 120 }, () => 'THE HERON STANDS'));
  const slow = about({ content_type: 'image/png', ocr: { enabled: true } });
  const late = await Promise.all([extract(pieces(image), slow), extract(pieces(image), slow)].map(refusal));
  assert.deepEqual(late, ['too_slow: reading it took too long', 'too_slow: reading it took too long']);
  await ended();
  assert.equal(alive(), 0);
});

test('a file that takes too much memory is given up', async () => {
  // Twice what a small file takes, of which a part depends on the machine, and a file that is larger than all of it.
  const { extract, ended } = watchedPool({ memory_mb: 250, processes: 1, max_bytes: 1 << 30 });
  assert.match((await extract(pieces(docx()), about())).text, /blue zone/);
  const letter = endless(Buffer.from(`Subject: x\r\n\r\n${'y'.repeat(1 << 20)}\r\n`), 250);
  const message = await refusal(extract(letter, about(mail)));
  assert.equal(message, 'too_large: reading it took more than the 250 MB of memory there are');
  await ended();
  assert.match((await extract(pieces(docx()), about())).text, /blue zone/);
});

test('a file that is too large is not read to its end', async () => {
  const { extract, ended } = watchedPool({ max_bytes: 3 << 20 });
  const message = await refusal(extract(endless(Buffer.alloc(1 << 20, 'x')), about(mail)));
  assert.equal(message, 'too_large: it is larger than 3 MB');
  await ended();
});

test('no more processes than allowed run at once, and those who wait in vain may leave', async () => {
  const { extract, most } = watchedPool({ processes: 2 });
  const leaving = new AbortController();
  const read = Array.from({ length: 5 }, () => extract(pieces(docx()), about()));
  const left = assert.rejects(extract(pieces(docx()), about({ signal: leaving.signal })), /gone/);
  leaving.abort(new Error('gone'));
  await Promise.all([...read, left]);
  assert.equal(most(), 2);
});

test('ends the process when the caller aborts while a file is read', async () => {
  const { extract, ended } = watchedPool();
  const leaving = new AbortController();
  async function* content() {
    yield Buffer.from('Subject: x\r\n\r\n');
    leaving.abort(new Error('gone'));
    yield* endless(Buffer.alloc(1000, 'x'));
  }
  await assert.rejects(extract(content(), about({ ...mail, signal: leaving.signal })), /gone/);
  await ended();
});

test('passes on an error of the source stream unchanged', async () => {
  const { extract } = makePool({});
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('Subject: x\r\n\r\n');
    throw new Error('the disk is gone');
  }
  await assert.rejects(extract(content(), about(mail)), /the disk is gone/);
});

test('a process that has nothing to do ends', async () => {
  const { extract, ended } = watchedPool({ idle_ms: 50 });
  await extract(pieces(docx()), about());
  await ended();
  assert.match((await extract(pieces(docx()), about())).text, /blue zone/);
});

test('a process that is being ended is given nothing more to read', async () => {
  const ending = Promise.withResolvers<void>();
  const { extract } = makePool({ idle_ms: 1 }, (memory_mb) => {
    const child = startReader(memory_mb);
    const kill = child.kill.bind(child);
    child.kill = (signal) => {
      ending.resolve();
      return kill(signal);
    };
    return child;
  });
  await extract(pieces(docx()), about());
  // Neither the timer nor an idle process keeps this one alive.
  const awake = setInterval(() => {}, 1000);
  await ending.promise;
  clearInterval(awake);
  assert.match((await extract(pieces(docx()), about())).text, /blue zone/);
});

test('a process ends with the server it works for', async () => {
  const child = startReader(500);
  child.disconnect();
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('a reader reaches no file, no network and no other program', () => {
  const tries = {
    read: "require('node:fs').readFileSync('/etc/hostname')",
    write: "require('node:fs').writeFileSync('/tmp/atrium-canary', 'x')",
    run: "require('node:child_process').execFileSync('true')",
    fetch: "fetch('http://127.0.0.1:9/')",
    connect: "require('node:net').connect(9, '127.0.0.1')",
    resolve: "require('node:dns').lookup('example.com', () => {})",
    code: "new Function('return 1')()",
  };
  const script = Object.entries(tries)
    .map(([name, attempt]) => `try { ${attempt}; console.log('${name}'); } catch {}`)
    .join('\n');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...confinement(200), '-e', `${script}; console.log('done')`],
    {
      env: {},
      encoding: 'utf8',
    },
  );
  assert.equal(stdout, 'done\n', stderr);
});
