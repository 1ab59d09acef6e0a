import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { bundleProgram } from '../../scripts/build/bundle-program.ts';
import { entryName, recorder } from './bundled-file.ts';

const root = resolve(import.meta.dirname, '../../../..');
/** Nearly every test of the server imports it, and with it the program. */
const support = join(root, 'packages/server/test/support/test-app.ts');

/** Notes what modules import when they are read, not what they import later. */
function noteImports(imports: Map<string, readonly string[]>): Plugin {
  return {
    name: 'note-imports',
    moduleParsed({ id, importedIds }) {
      imports.set(id, importedIds);
    },
  };
}

function reachableFrom(starts: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const next = [...starts];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    next.push(...(imports.get(id) ?? []));
  }
  return reached;
}

/**
 * Bundles test files together with the program, as it is bundled to be started: what every start reads lies in one file,
 * which each process of tests reads in place of 2,500 modules. Returns the folder.
 */
export async function bundleTests(files: readonly string[]): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tests-'));
  const imports = new Map<string, readonly string[]>();
  let program: Set<string> | undefined;
  await bundleProgram(folder, {
    entries: Object.fromEntries([recorder, ...files].map((file) => [entryName(file), join(root, file)])),
    plugins: [noteImports(imports)],
    isShared(id) {
      program ??= reachableFrom([support], imports);
      return program.has(id);
    },
  });
  return folder;
}
