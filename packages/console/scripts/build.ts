// Builds the console into dist/ unless the build that is there was made from the same files. `npm start` calls it.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const repository = join(root, '../..');
const stampFile = join(root, 'dist/.built-from');

/** Everything that a build depends on: our sources, the client and its types, the guides, and the versions of the libraries. */
function stampOfSources(): string {
  const folders = [
    join(root, 'src'),
    join(root, 'public'),
    join(root, 'scripts'),
    join(repository, 'packages/sdk/src'),
  ];
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const docs = [join(repository, 'docs'), join(repository, 'docs/decisions')].filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  const pages = ['index.html', 'chat.html', 'vite.config.ts'].map((name) => join(root, name));
  const single = [...pages, join(repository, 'package-lock.json')];
  const texts = [...files.sort(), ...docs.sort(), ...single].map(
    (file) => `${file.slice(repository.length)}\n${readFileSync(file)}`,
  );
  return hash('sha256', texts.join('\n'), 'hex');
}

async function buildConsole(): Promise<void> {
  const stamp = stampOfSources();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
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
}

try {
  await buildConsole();
} catch (error) {
  console.error(`The console could not be built: ${error instanceof Error ? error.message : error}`);
  // A server without its pages is of use to scripts and channels; a build that was asked for by itself has failed.
  if (process.argv.includes('--or-go-on')) console.error('The server starts without it.');
  else process.exitCode = 1;
}
