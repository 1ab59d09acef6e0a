// Bundles the program into dist/ unless there is a bundle of the same files. `npm start` calls it.
import { join } from 'node:path';
import { currentBundle, publishBundle } from './build/bundles.ts';
import { stampOfSources } from './build/stamp-of-sources.ts';

const dist = join(import.meta.dirname, '../dist');

async function buildServer(): Promise<void> {
  const stamp = stampOfSources();
  if (currentBundle(dist) === stamp) return;
  const { bundleProgram } = await import('./build/bundle-program.ts');
  await publishBundle(dist, stamp, bundleProgram);
}

try {
  await buildServer();
} catch (error) {
  console.error(`The program could not be bundled: ${error instanceof Error ? error.message : error}`);
  // It runs from its sources too, with a slower start and more memory.
  if (process.argv.includes('--or-go-on')) console.error('The server starts from its sources.');
  else process.exitCode = 1;
}
