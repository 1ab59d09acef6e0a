// Bundles the program into dist/ unless there is a bundle of the same sources, and prints the path to start.
import { join } from 'node:path';
import { bundleOf } from './build/bundle-of.mjs';
import { removeOldBundles, writeBundle } from './build/bundles.ts';
import { listSources, repository, stampOfSources } from './build/stamp-of-sources.ts';
import { noteStates, readStates } from './build/unchanged-files.mjs';

const dist = join(import.meta.dirname, '../dist');

async function makeBundle(stamp: string): Promise<void> {
  const { bundleProgram } = await import('./build/bundle-program.ts');
  await writeBundle(dist, stamp, async (folder) => {
    await bundleProgram(folder);
    if (stampOfSources() !== stamp) throw new Error('its sources changed meanwhile');
  });
  removeOldBundles(dist, stamp);
}

async function buildServer(): Promise<string | undefined> {
  const sources = listSources();
  const states = readStates(repository, [...sources.folders, ...sources.files]);
  const stamp = stampOfSources(sources);
  if (!bundleOf(dist, stamp)) await makeBundle(stamp);
  // The next start need not hash them.
  noteStates(join(dist, 'sources.json'), stamp, states);
  return bundleOf(dist, stamp);
}

try {
  const path = await buildServer();
  if (path) console.log(path);
  else throw new Error('it is not whole');
} catch (error) {
  console.error(`The program could not be bundled: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
