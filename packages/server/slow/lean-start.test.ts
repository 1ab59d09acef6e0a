// Alone on the machine: it measures memory and the time of a start.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMsOf, megabytesOf } from '../../../bench/lib/process-figures.ts';
import { stampOfUnchanged } from '../scripts/build/unchanged-files.mjs';
import { postgresIn, startProcess } from '../test/support/server-process.ts';
import { startEnvironment, startFlags } from '../test/support/start-command.ts';

/** Libraries that are loaded when they are first used. */
const lazyLibraries = [
  '@lancedb/lancedb',
  '@modelcontextprotocol/sdk',
  'file-type',
  'libpg-query',
  'libphonenumber-js',
  'nodemailer',
  'openid-client',
  'pdfkit',
  'postal-mime',
  'tesseract.js',
];
/** The aim is 170; with slack for other machines. */
const mostMegabytes = 200;
/** Files of the bundle and modules of Node; the console and packages come later. */
const mostModules = 250;
/** Processor time of a start that finds its bundle and compiled code; three times of what was seen. */
const mostCpuMs = 6000;

/** Writes down what the program loads. */
const noteLoaded = `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load: (url, context, next) => (appendFileSync(process.env.LOADED, url + '\\n'), next(url, context)) });`;

const repository = fileURLToPath(new URL('../../../', import.meta.url));

suite('a start', () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-lean-'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  test('loads no library that is needed later only, and is small when idle', { timeout: 300_000 }, async (t) => {
    const loaded = join(dir, 'loaded.txt');
    const server = startProcess({
      dir: join(dir, 'data'),
      flags: [...startFlags, `--import=data:text/javascript,${encodeURIComponent(noteLoaded)}`],
      env: { ...startEnvironment, LOADED: loaded },
      fromStart: true,
    });
    try {
      await server.ready;
      const urls = readFileSync(loaded, 'utf8').split('\n');
      assert.ok(urls.some((url) => url.includes('/packages/server/dist/')));
      assert.ok(urls.length < mostModules, `${urls.length} modules`);
      // The sources of the program are read by its workers only.
      assert.ok(urls.filter((url) => url.includes('/packages/server/src/')).length < 50);
      const early = lazyLibraries.filter((name) => urls.some((url) => url.includes(`/node_modules/${name}/`)));
      assert.deepEqual(early, []);
      await sleep(10_000);
      const pids = [server.pid, ...postgresIn(join(dir, 'data'))];
      const megabytes = pids.reduce((sum, pid) => sum + megabytesOf(pid), 0);
      t.diagnostic(`${urls.length} modules, ${megabytes.toFixed(0)} MB`);
      assert.ok(megabytes < mostMegabytes, `${megabytes} MB`);
    } finally {
      await server.stop();
    }
  });

  test('finds its bundle and its console without hashing them again', { timeout: 300_000 }, async (t) => {
    const begin = () =>
      startProcess({ dir: join(dir, 'data'), flags: startFlags, env: startEnvironment, fromStart: true });
    const first = begin();
    await first.ready;
    await first.stop();
    for (const list of ['sources.json', 'console-sources.json'])
      assert.ok(stampOfUnchanged(join(repository, 'packages/server/dist', list), repository), list);
    const second = begin();
    try {
      await second.ready;
      const ms = cpuMsOf(second.pid);
      t.diagnostic(`${Math.round(ms)} ms of processor time`);
      assert.ok(ms < mostCpuMs, `${ms} ms`);
    } finally {
      await second.stop();
    }
  });
});
