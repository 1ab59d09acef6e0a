import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { operations } from '../src/operations.ts';
import { routes } from '../src/routes.ts';

const source = join(import.meta.dirname, '../src');
const folder = mkdtempSync(join(tmpdir(), 'atrium-contract-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles a file of the contract as a browser would load it. Fails on an import that a browser does not have. */
async function bundle(entry: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { bytes, kilobytes: gzipSync(bytes, { level: 9 }).length / 1000, inputs: Object.keys(metafile.inputs) };
}

/** Evaluates a script in a thread without the globals of Node, and returns the value that it posts. */
async function runWithoutNode(script: string): Promise<unknown> {
  const file = join(folder, 'without-node.mjs');
  const setup =
    "import { parentPort } from 'node:worker_threads';\nfor (const name of ['Buffer', 'process', 'global', 'setImmediate']) delete globalThis[name];\n";
  writeFileSync(file, setup + script);
  const worker = new Worker(pathToFileURL(file));
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

test('the contract runs in a browser: it validates a body without anything of Node', async (context) => {
  const { bytes, kilobytes } = await bundle('operations.ts');
  context.diagnostic(`all operations: ${kilobytes.toFixed(1)} KB gzip`);
  writeFileSync(join(folder, 'operations.mjs'), bytes);
  const answer = await runWithoutNode(`
    const { operations } = await import('./operations.mjs');
    const failed = operations.filter(({ body, example }) => example && !body.safeParse(example).success);
    parentPort.postMessage({ count: operations.length, failed: failed.map(({ id }) => id) });
  `);
  assert.deepEqual(answer, { count: operations.length, failed: [] });
});

test('the routes load without zod and are those of the operations', async (context) => {
  const { kilobytes, inputs } = await bundle('routes.ts');
  context.diagnostic(`routes alone: ${kilobytes.toFixed(1)} KB gzip`);
  assert.deepEqual(
    inputs.filter((file) => !/(^|\/)routes\.ts$/.test(file)),
    [],
  );
  assert.ok(1000 * kilobytes < 11 * operations.length, 'an operation takes less than 11 bytes');
  assert.deepEqual(routes, Object.fromEntries(operations.map(({ id, route }) => [id, route])));
});

test('an import of Node in the contract would fail the bundle', async () => {
  const file = join(folder, 'with-node.ts');
  writeFileSync(file, "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync);\n");
  await assert.rejects(
    build({ entryPoints: [file], bundle: true, platform: 'browser', write: false, logLevel: 'silent' }),
  );
});
