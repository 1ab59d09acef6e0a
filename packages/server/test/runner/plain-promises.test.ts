import assert from 'node:assert/strict';
import { AsyncResource, createHook, executionAsyncId } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const dir = mkdtempSync(join(tmpdir(), 'atrium-promises-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const plain = new URL('./plain-promises.mjs', import.meta.url).href;

/** What a process of tests prints. */
function run(first: string, code: string): string {
  const file = join(dir, 'runs.mjs');
  writeFileSync(file, `${first}\nconst { test } = await import('node:test');\n${code}\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return execFileSync(process.execPath, ['--test-reporter=tap', file], { env, encoding: 'utf8' });
}

const nested = `
test('outer', async (t) => {
  await t.test('inner', async () => { await new Promise((resolve) => setTimeout(resolve, 1)); });
  await Promise.all([1, 2].map((n) => t.test('side ' + n, async () => {})));
});
test('next', () => {});`;

/** A promise that is followed has a number of its own. */
const numbers = `
const { executionAsyncId } = await import('node:async_hooks');
test('numbers', async (t) => {
  const own = [];
  for (let turn = 0; turn < 3; turn++) own.push(await Promise.resolve().then(() => executionAsyncId()));
  t.diagnostic(new Set(own).size === 1 ? 'plain' : 'followed');
});`;

test('keeps Node from following every promise', () => {
  assert.match(run('', numbers), /# followed/);
  assert.match(run(`import '${plain}';`, numbers), /# plain/);
});

test('reports tests within tests where they belong', () => {
  const told = run(`import '${plain}';`, nested);
  assert.equal(
    told
      .replaceAll(/duration_ms.*/g, '')
      .match(/^ *(ok|not ok).*/gm)
      ?.join('\n'),
    ['    ok 1 - inner', '    ok 2 - side 1', '    ok 3 - side 2', 'ok 1 - outer', 'ok 2 - next'].join('\n'),
  );
});

test('gives an error outside of a test to the test that caused it', () => {
  const code = `test('careless', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((resolve) => setTimeout(resolve, 50)); });`;
  const file = join(dir, 'late.mjs');
  writeFileSync(file, `import '${plain}';\nconst { test } = await import('node:test');\n${code}\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  assert.throws(
    () => execFileSync(process.execPath, ['--test-reporter=tap', file], { env, encoding: 'utf8', stdio: 'pipe' }),
    (error: { stdout: string }) => /not ok 1 - careless/.test(error.stdout) && /late/.test(error.stdout),
  );
});

test('leaves the hooks of Node to everybody else', () => {
  const seen: string[] = [];
  const hook = createHook({ init: (_, type) => void seen.push(type) }).enable();
  new AsyncResource('mine');
  hook.disable();
  assert.ok(seen.includes('mine'));
  assert.equal(typeof executionAsyncId(), 'number');
});
