// Alone on the machine: it measures memory and the time of a start.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { megabytesOf } from '../../../bench/lib/process-figures.ts';
import { postgresIn, startProcess } from '../test/support/server-process.ts';

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
/** The aim is 170; with slack for other machines, and for what has yet to be reached. */
const mostMegabytes = 260;

/** Writes down what the program loads. */
const noteLoaded = `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load: (url, context, next) => (appendFileSync(process.env.LOADED, url + '\\n'), next(url, context)) });`;

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};
/** The flags of node that `npm start` has. */
const flags = scripts.start.split(' ').filter((word) => word.startsWith('--max-'));

suite('a start', () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-lean-'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  test('loads no library that is needed later only, and is small when idle', { timeout: 300_000 }, async (t) => {
    const loaded = join(dir, 'loaded.txt');
    const server = startProcess({
      dir: join(dir, 'data'),
      flags: [...flags, `--import=data:text/javascript,${encodeURIComponent(noteLoaded)}`],
      env: { LOADED: loaded },
      fromStart: true,
    });
    try {
      await server.ready;
      const urls = readFileSync(loaded, 'utf8').split('\n');
      assert.ok(urls.some((url) => url.includes('/node_modules/fastify/')));
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
});
