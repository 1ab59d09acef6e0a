import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const dir = mkdtempSync(join(tmpdir(), 'atrium-runner-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const runner = new URL('../run-tests.ts', import.meta.url).pathname;
const list = join(dir, 'flaky');

const imports = `import { existsSync, writeFileSync } from 'node:fs';\nimport { test } from 'node:test';\n`;
const first = (name: string) =>
  `const first = !existsSync('${join(dir, name)}.seen');\nwriteFileSync('${join(dir, name)}.seen', '');\n`;

/** Test files by name, run as `npm test` and the slower suites run theirs. */
async function runFiles(files: Record<string, string>, { flakyList = list, args = [] as string[] } = {}) {
  rmSync(list, { force: true });
  const paths = Object.entries(files).map(([name, source]) => {
    const path = join(dir, `${name}.test.mjs`);
    rmSync(`${join(dir, name)}.seen`, { force: true });
    writeFileSync(path, imports + source);
    return path;
  });
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, FLAKY_TESTS: flakyList };
  const options = { env, encoding: 'utf8', timeout: 120_000 } as const;
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, [runner, '--no-database', ...args, ...paths], options, (error, stdout, stderr) =>
      resolve([typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout + stderr]),
    );
  });
  const flaky = existsSync(list) ? readFileSync(list, 'utf8').replaceAll(`${dir}/`, '') : '';
  return { code, output: output.replaceAll(`${dir}/`, ''), flaky };
}

const good = `test('holds', () => {});\n`;
const flaky = (name: string) =>
  `${first(name)}test('holds', () => {});\ntest('outer', async (t) => {\n  await t.test('wavers', () => { if (first) throw new Error('not\\nyet'); });\n});\n`;
const bad = `test('breaks', () => { throw new Error('never right'); });\n`;

test('passes and lists a file with its first failure when it fails once and then passes alone', async () => {
  const result = await runFiles({ good, flaky: flaky('flaky') });
  assert.equal(result.code, 0, result.output);
  assert.equal(result.flaky, 'flaky: flaky.test.mjs: wavers: not yet\n');
  assert.match(result.output, /Running once more, each file alone: flaky\.test\.mjs\n/);
});

test('fails when a file fails twice, and still lists the flaky ones', async () => {
  const result = await runFiles({ bad, flaky: flaky('flaky') }, { args: ['--one-by-one'] });
  assert.equal(result.code, 1, result.output);
  assert.equal(result.flaky, 'flaky: flaky.test.mjs: wavers: not yet\n');
  assert.match(result.output, /failed twice: bad\.test\.mjs/);
});

test('runs nothing again when no list of flaky files is asked for', async () => {
  const result = await runFiles({ flaky: flaky('flaky') }, { flakyList: '' });
  assert.equal(result.code, 1, result.output);
  assert.doesNotMatch(result.output, /once more/);
});

test('runs the files of a process that crashed alone, and names only the one that crashed it', async () => {
  const crash = `${first('crash')}test('crashes', () => { if (first) process.kill(process.pid, 'SIGKILL'); });\n`;
  const result = await runFiles({ crash, good, other: good });
  assert.equal(result.code, 0, result.output);
  assert.equal(result.flaky, 'flaky: crash.test.mjs: the process: It has no result: its process ended before\n');
});

test('fails when a file crashes its process every time', async () => {
  const result = await runFiles({ crash: `test('crashes', () => process.exit(0));\n`, good });
  assert.equal(result.code, 1, result.output);
  assert.equal(result.flaky, '');
  assert.match(result.output, /failed twice: crash\.test\.mjs/);
});

test('fails when a file waits forever', async () => {
  const hang = `test('waits', () => new Promise((resolve) => setInterval(resolve.length.valueOf, 60_000)));\n`;
  const result = await runFiles({ hang, good }, { args: ['--limit-seconds=1'] });
  assert.equal(result.code, 1, result.output);
  assert.match(result.output, /timed out after 1000ms/);
  assert.match(result.output, /failed twice: hang\.test\.mjs/);
});

test('kills a file that never gives the event loop back, and fails when it does so twice', async () => {
  const busy = `${first('busy')}test('spins', () => { for (;;); });\n`;
  const result = await runFiles({ busy, good }, { args: ['--limit-seconds=1'] });
  assert.equal(result.code, 1, result.output);
  assert.match(result.output, /busy\.test\.mjs took more than/);
  assert.match(result.output, /failed twice: busy\.test\.mjs/);
});

test('runs files side by side when told to, and those that want the machine for themselves after them', async () => {
  const log = join(dir, 'order');
  const noted = (name: string) => `import { appendFileSync } from 'node:fs';
const note = (what) => appendFileSync('${log}', what + ' ${name}\\n');
const beside = () => existsSync('${log}') ? readFileSync('${log}', 'utf8') : '';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';\n`;
  const meeting = (name: string) => `${noted(name)}test('meets the other', async () => {
  note('begin');
  for (let turn = 0; turn < 600 && !(beside().match(/begin/g)?.length > 1); turn++) await sleep(50);
  note('end');
});\n`;
  const alone = `// Alone on the machine: it measures.\n${noted('alone')}test('measures', () => note('begin'));\n`;
  const files = { alone, one: meeting('one'), two: meeting('two') };
  const result = await runFiles(files, { args: ['--one-by-one', '--at-once=2'] });
  assert.equal(result.code, 0, result.output);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  assert.deepEqual(lines.slice(0, 2).sort(), ['begin one', 'begin two']);
  assert.equal(lines.at(-1), 'begin alone');
});
