// Starts the program: the bundle of its sources, which is made first if there is none, or else the sources themselves.
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

enableCompileCache();
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));
// In a process of its own: its memory is given back, and a machine that is too small for it can still run the program.
const { status, stdout } = spawnSync(process.execPath, [pathOf('./scripts/build.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (status !== 0) process.stderr.write('The server starts from its sources.\n');
// Processes that this one starts begin here too.
process.argv[1] = status === 0 ? stdout.trim() : pathOf('./src/main.ts');
await import(pathToFileURL(process.argv[1]).href);
