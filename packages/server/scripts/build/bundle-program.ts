import { dirname, isAbsolute, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const source = join(import.meta.dirname, '../../src');

/**
 * A module asks where it lies to find assets, workers and programs of children. In a bundle it lies elsewhere, so the
 * place of its source is put there.
 */
function keepPlaces(folder: string): Plugin {
  const placeOf = (id: string) => ({
    url: `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`,
    dirname: `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(relative(folder, dirname(id)))})`,
  });
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta.')) return null;
      const places = placeOf(id);
      return {
        code: code.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_, name: 'url' | 'dirname') => places[name]),
        moduleType: id.endsWith('.ts') ? 'ts' : 'js',
      };
    },
  };
}

const isOwn = (id: string) => id.startsWith('.') || isAbsolute(id) || id.startsWith('@atrium/');

/**
 * Writes the program as few files: a fraction of the modules to find and to read at each start. Packages are loaded from
 * where they are installed. What is imported when it is first used stays apart.
 */
export async function bundleProgram(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(source, 'main.ts') },
    platform: 'node',
    external: (id) => !isOwn(id),
    plugins: [keepPlaces(folder)],
    // Modules that are read for what they do keep their order.
    treeshake: false,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
}
