import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeSizeWriter } from './size-writer.ts';

/** A program that reads only after it is told to, and then shows all. */
function startReader() {
  const child = spawn('sh', ['-c', 'read -r _; cat <&3'], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
  const shown = text(child.stdout as NonNullable<typeof child.stdout>);
  // One that is ended shows no more.
  shown.catch(() => {});
  const close = async () => {
    for (const pipe of child.stdio) pipe?.destroy();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    close,
    go: () => child.stdin?.end('go\n'),
    shown,
    child,
  };
}

test('keeps only the newest size while the program does not read', async () => {
  const { child, go, shown, close } = startReader();
  const pipe = child.stdio[3] as Writable;
  const resize = makeSizeWriter(pipe);
  let mostWaiting = 0;
  // More than the kernel takes without a reader.
  for (let cols = 0; cols < 100_000; cols++) {
    resize({ rows: 24, cols });
    mostWaiting = Math.max(mostWaiting, pipe.writableLength);
    if (cols % 100 === 0) await new Promise(setImmediate);
  }
  assert.ok(mostWaiting < 100, `${mostWaiting} bytes wait in this process`);
  go();
  while (pipe.writableLength > 0) await new Promise(setImmediate);
  pipe.end();
  const lines = (await shown).trim().split('\n');
  assert.equal(lines[0], '24 0');
  assert.equal(lines.at(-1), '24 99999', 'the newest size arrives');
  await close();
});

test('ignores sizes after the program has ended', async () => {
  const { child, go, close } = startReader();
  const pipe = child.stdio[3] as Writable;
  pipe.on('error', () => {});
  const resize = makeSizeWriter(pipe);
  go();
  child.kill();
  await once(child, 'exit');
  for (let cols = 0; cols < 100; cols++) {
    resize({ rows: 24, cols });
    await new Promise(setImmediate);
  }
  assert.equal(pipe.writableLength, 0);
  await close();
});
