import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { isInstalled } from './bundled-packages.ts';
import { keepPlaces } from './keep-places.ts';

const source = join(import.meta.dirname, '../../src');

export interface Bundled {
  /** The files to begin with, by the names that they get. */
  entries: Record<string, string>;
  /** Whether a module lies in the file that all entries share; without it the bundler decides. */
  isShared?(id: string): boolean;
  plugins?: readonly Plugin[];
}

/**
 * Writes the program as few files: a fraction of the modules to find and to read at each start. Most packages are loaded
 * from where they are installed. What is imported when it is first used stays apart.
 */
export async function bundleProgram(
  folder: string,
  { entries, isShared, plugins = [] }: Bundled = { entries: { main: join(source, 'main.ts') } },
): Promise<void> {
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    external: isInstalled,
    plugins: [keepPlaces(folder), ...plugins],
    // Modules that are read for what they do keep their order.
    treeshake: false,
    // A failed build is an error; its hints are of no use to an operator.
    logLevel: 'silent',
  });
  try {
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // With one other character V8 keeps two bytes for each character of a file.
      charset: 'ascii',
      comments: false,
      sourcemap: true,
      ...(isShared && { codeSplitting: { groups: [{ name: 'shared', test: isShared }] } }),
    });
  } finally {
    await bundle.close();
  }
}
