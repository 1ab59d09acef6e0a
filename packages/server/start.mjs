// Starts the program: the bundle of its sources, which is made first if there is none, or else the sources themselves.
// With `--with-console`, as `npm start` has it, the console is built first if its sources have changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleOf } from './scripts/build/bundle-of.mjs';
import { stampOfUnchanged } from './scripts/build/unchanged-files.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const pathOf = (file) => join(repository, 'packages', file);
const asked = process.argv.indexOf('--with-console');
const withConsole = asked > 0 && process.argv.splice(asked, 1).length > 0;
const run = (args, stdout) =>
  spawnSync(process.execPath, args, { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' });

const dist = pathOf('server/dist');

function isConsoleBuilt() {
  const stamp = stampOfUnchanged(join(dist, 'console-sources.json'), repository);
  const builtFrom = pathOf('console/dist/.built-from');
  return stamp !== undefined && existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === stamp;
}
if (withConsole && !isConsoleBuilt()) run([pathOf('console/scripts/build.ts'), '--or-go-on'], 'inherit');

function findBundle() {
  const stamp = stampOfUnchanged(join(dist, 'sources.json'), repository);
  const found = stamp && bundleOf(dist, stamp);
  if (found) return found;
  // In a process of its own: its memory is given back, and a machine that is too small for it can still run the program.
  const { status, stdout } = run([pathOf('server/scripts/build.ts')], 'pipe');
  return status === 0 ? stdout.trim() : undefined;
}

const bundle = findBundle();
if (bundle) {
  // Compiled code lies beside the bundle, for processes that this one starts too, or where Node puts it by itself.
  const given = process.env.NODE_COMPILE_CACHE;
  process.env.NODE_COMPILE_CACHE ||= join(dirname(bundle), 'compiled');
  const { status } = enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (!given && status === constants.compileCacheStatus.FAILED) delete process.env.NODE_COMPILE_CACHE;
} else process.stderr.write('The server starts from its sources.\n');
// Processes that this one starts begin here too.
process.argv[1] = bundle ?? pathOf('server/src/main.ts');
await import(pathToFileURL(process.argv[1]).href);
