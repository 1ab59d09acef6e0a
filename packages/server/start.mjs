// Starts the program: the bundle of its sources, which is made first if there is none, or else the sources themselves.
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleOf } from './scripts/build/bundles.ts';
import { stampOfSources } from './scripts/build/stamp-of-sources.ts';

enableCompileCache();
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));
const [dist, stamp] = [pathOf('./dist'), stampOfSources()];
if (!bundleOf(dist, stamp)) {
  // In a process of its own: a machine that is too small for it can still run the program.
  const { status } = spawnSync(process.execPath, [pathOf('./scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.stderr.write('The server starts from its sources.\n');
}
// Processes that this one starts begin here too.
process.argv[1] = bundleOf(dist, stamp) ?? pathOf('./src/main.ts');
await import(pathToFileURL(process.argv[1]).href);
