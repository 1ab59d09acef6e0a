// Bundles the program into dist/ unless there is a bundle of the same sources, and prints the path to start.
import { join } from 'node:path';
import { bundleOf, removeOldBundles, writeBundle } from './build/bundles.ts';
import { stampOfSources } from './build/stamp-of-sources.ts';

const dist = join(import.meta.dirname, '../dist');

async function buildServer(): Promise<string | undefined> {
  const stamp = stampOfSources();
  const there = bundleOf(dist, stamp);
  if (there) return there;
  const { bundleProgram } = await import('./build/bundle-program.ts');
  await writeBundle(dist, stamp, async (folder) => {
    await bundleProgram(folder);
    if (stampOfSources() !== stamp) throw new Error('its sources changed meanwhile');
  });
  removeOldBundles(dist, stamp);
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
