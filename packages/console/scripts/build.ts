// Builds the console into dist/ unless the build that is there was made from the same files. `npm start` calls it.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { noteStates, readStates } from '../../server/scripts/build/unchanged-files.mjs';

const root = join(import.meta.dirname, '..');
const repository = join(root, '../..');
const stampFile = join(root, 'dist/.built-from');
/** Not in dist/, whose files are served. */
const statesFile = join(repository, 'packages/server/dist/console-sources.json');

/** Everything that a build depends on: our sources, the client and its types, the guides, and the versions of the libraries. */
function listSources(): { files: string[]; folders: string[] } {
  const roots = [join(root, 'src'), join(root, 'public'), join(root, 'scripts'), join(repository, 'packages/sdk/src')];
  const entries = roots
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const pathsOf = (kind: 'isFile' | 'isDirectory') =>
    entries.filter((entry) => entry[kind]()).map(({ parentPath, name }) => join(parentPath, name));
  const guides = [join(repository, 'docs'), join(repository, 'docs/decisions')];
  const docs = guides.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  const pages = ['index.html', 'chat.html', 'vite.config.ts'].map((name) => join(root, name));
  const inRepository = (paths: string[]) => paths.map((path) => relative(repository, path));
  return {
    files: inRepository([...pathsOf('isFile').sort(), ...docs.sort(), ...pages, join(repository, 'package-lock.json')]),
    folders: inRepository([...roots, ...guides, ...pathsOf('isDirectory')]),
  };
}

function stampOf(files: readonly string[]): string {
  const texts = files.map((file) => `/${file}\n${readFileSync(join(repository, file))}`);
  return hash('sha256', texts.join('\n'), 'hex');
}

async function buildConsole(): Promise<void> {
  const { files, folders } = listSources();
  const states = readStates(repository, [...folders, ...files]);
  const stamp = stampOf(files);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return noteStates(statesFile, stamp, states);
  console.log('Building the console …');
  // A start that has nothing to build does not read them.
  const [{ build }, { checkSizes }, { compressFiles }] = await Promise.all([
    import('vite'),
    import('./check-sizes.ts'),
    import('./compress-files.ts'),
  ]);
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  checkSizes(join(root, 'dist'));
  compressFiles(join(root, 'dist'));
  writeFileSync(stampFile, stamp);
  // The next start need not hash them.
  noteStates(statesFile, stamp, states);
}

try {
  await buildConsole();
} catch (error) {
  console.error(`The console could not be built: ${error instanceof Error ? error.message : error}`);
  // A server without its pages is of use to scripts and channels; a build that was asked for by itself has failed.
  if (process.argv.includes('--or-go-on')) console.error('The server starts without it.');
  else process.exitCode = 1;
}
