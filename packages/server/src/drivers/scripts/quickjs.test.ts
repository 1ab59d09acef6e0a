import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Script } from './driver.ts';
import { makeQuickJs } from './quickjs.ts';
import { depthOf } from './request.ts';

const scripts = makeQuickJs({ memory_bytes: 64 * 1024 * 1024 });
const run = (code: string, input: unknown = null, more: Partial<Script> = {}) =>
  scripts.run({ code, input, timeout_ms: 60_000, ...more });

test('passes JSON to a script and returns JSON', async () => {
  const { end, value, logs } = await run(
    'console.log("n is", input.n, { a: 1 }); const half = await Promise.resolve(input.n / 2); return { half, list: [1, "é", null] };',
    { n: 5 },
  );
  assert.deepEqual([end, value, logs], ['returned', { half: 2.5, list: [1, 'é', null] }, ['n is 5 {"a":1}']]);
  assert.deepEqual((await run('')).value, null);
});

test('reports thrown errors and invalid code in the words of the script', async () => {
  for (const [code, message] of [
    ['throw new TypeError("not so")', /^TypeError: not so/],
    ['return input.a.b', /^TypeError/],
    ['this is no code', /^SyntaxError/],
    ['await Promise.reject(new Error("later"))', /^Error: later/],
    ['throw "a text"', /a text/],
  ] as const) {
    const said = await run(code, {});
    assert.equal(said.end, 'failed', code);
    assert.match(said.message, message);
  }
});

test('gives a script no access to the host', async () => {
  const names = 'process require fetch XMLHttpRequest WebAssembly setTimeout Deno std os scriptArgs'.split(' ');
  const found = await run(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`);
  assert.deepEqual(found.value, []);
  for (const code of [
    'return ({}).constructor.constructor("return process")().env',
    'return (async () => {}).constructor("return process")()',
    'return import("node:fs")',
    'return eval("process")',
    'return Function("return this")().process.mainModule',
    '}); process.exit(0); (function () {',
  ])
    assert.notEqual((await run(code)).end, 'returned', code);
});

test('reads the result correctly when a script changes its globals', async () => {
  assert.deepEqual((await run('JSON.stringify = () => "[]"; JSON.parse = null; return { a: 2 };')).value, { a: 2 });
  const said = await run('console.log("kept"); Array.prototype.map = () => [{}]; __logs.length = 1e6; return 3;');
  assert.deepEqual(
    [said.value, said.logs.every((line) => typeof line === 'string'), said.logs.length <= 100],
    [3, true, true],
  );
});

for (const [what, code] of Object.entries({
  'an endless loop': 'for (;;);',
  // A script that awaited its own chain would keep all of it, and run out of memory first on a fast machine.
  'an endless chain of promises': 'const f = () => void Promise.resolve().then(f); f(); await new Promise(() => {});',
  'a regular expression that takes for ever': 'return /^(a+)+$/.test("a".repeat(40) + "b")',
  'a sort that never ends': 'const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort(() => { for (;;); });',
}))
  test(`${what} ends in time`, async () => {
    const begun = performance.now();
    const { end } = await run(code, null, { timeout_ms: 300 });
    assert.equal(end, 'timeout');
    assert.ok(performance.now() - begun < 60_000);
  });

for (const [what, code] of Object.entries({
  'an array that grows': 'const a = []; for (;;) a.push(new Array(1000).fill(1));',
  'buffers that grow': 'const a = []; for (;;) a.push(new Uint8Array(1024 * 1024).fill(1));',
  'a text that grows': 'let s = "x"; for (;;) s += s;',
  'a deep recursion': 'const f = () => f() + 1; return f();',
  'a deep recursion by JSON': 'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o;',
}))
  test(`${what} ends without harm`, async () => {
    const { end } = await run(code);
    assert.ok(['memory', 'failed', 'bad_result'].includes(end), end);
    assert.equal((await run('return 1')).value, 1);
  });

test('refuses a result that is too large, too deep or not JSON', async () => {
  for (const code of [
    'return "x".repeat(5e6)',
    'return JSON.parse("[".repeat(300) + "]".repeat(300))',
    'const a = {}; a.a = a; return a',
    'return 1n',
    'await new Promise(() => {})',
  ])
    assert.equal((await run(code)).end, 'bad_result', code);
});

test('ends a script when the caller aborts', async () => {
  const leaving = new AbortController();
  const running = run('for (;;);', null, { timeout_ms: 30_000, signal: leaving.signal });
  setTimeout(() => leaving.abort(), 200);
  assert.equal((await running).end, 'stopped');
});

test('counts the depth of JSON like JSON.parse', () => {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(depthOf(JSON.stringify(value)), depth(value))));
});
