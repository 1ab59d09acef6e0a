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

test('does not touch a file that is no program', () => {
  const file = join(folder, 'text.node');
  writeFileSync(file, 'no program');
  stripSymbols(file);
  assert.equal(readFileSync(file, 'utf8'), 'no program');
});
