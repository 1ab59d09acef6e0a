import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripSymbols } from '../scripts/trim/strip-symbols.mjs';

const folder = mkdtempSync(join(tmpdir(), 'atrium-strip-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

test('makes a program smaller that still runs, and leaves its other names alone', {
  skip: process.platform !== 'linux',
}, () => {
  const [program, other] = [join(folder, 'node'), join(folder, 'other')];
  copyFileSync(process.execPath, program);
  linkSync(program, other);
  const { size, mode } = statSync(program);
  // A program without symbols stays as it is.
  stripSymbols(program);
  const after = statSync(program);
  assert.equal(after.mode, mode);
  assert.equal(statSync(other).size, size);
  assert.ok(after.size <= size);
  assert.equal(execFileSync(program, ['-p', '6 * 7'], { encoding: 'utf8' }).trim(), '42');
  stripSymbols(program);
  assert.equal(statSync(program).size, after.size, 'a second time changes nothing');
});

/** A file of 300 bytes with one part that is loaded, up to byte 200, and a table of sections behind it. */
function smallProgram({ type = 3, parts = 1 } = {}): Buffer {
  const bytes = Buffer.alloc(300, 0x2e);
  bytes.write('\x7fELF\x02\x01', 0, 'latin1');
  bytes.writeUInt16LE(type, 16);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeBigUInt64LE(220n, 40);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(parts, 56);
  bytes.writeUInt16LE(3, 60);
  bytes.writeBigUInt64LE(0n, 64 + 8);
  bytes.writeBigUInt64LE(200n, 64 + 32);
  return bytes;
}

test('cuts off what is not loaded, and names no sections any more', () => {
  const file = join(folder, 'small.node');
  writeFileSync(file, smallProgram());
  stripSymbols(file);
  const after = readFileSync(file);
  assert.equal(after.length, 200);
  assert.equal(after.readBigUInt64LE(40), 0n);
  assert.equal(after.readUInt32LE(60), 0);
});

test('does not touch a file that is no program', () => {
  const file = join(folder, 'text.node');
  for (const bytes of [Buffer.from('no program'), smallProgram({ type: 1 }), smallProgram({ parts: 0 })]) {
    writeFileSync(file, bytes);
    stripSymbols(file);
    assert.deepEqual(readFileSync(file), bytes);
  }
});
