import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { isInstalled } from './bundled-packages.ts';

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

/**
 * Writes other characters than ASCII as escapes, which mean the same in texts and patterns. V8 keeps the text of a program,
 * and with one such character each of its characters takes two bytes. A backslash before one means nothing and is left out.
 */
export const escapeCharacters = (code: string): string =>
  code.replaceAll(/(\\*)([\u0080-\uffff])/g, (_, slashes: string, character: string) => {
    const written = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return slashes.slice(slashes.length % 2) + written;
  });

/**
 * Takes Node's own modules for the web as they are. To import them has Node read all that they export, and one of those
 * getters loads a web client that the program does not use: 30 ms of each start, and megabytes.
 */
export const takeModules = (code: string): string =>
  code.replaceAll(
    /^import (?:\* as ([\w$]+)|\{ ((?!default\b)[^}]+) \}) from "((?:node:)?http)";$/gm,
    (_, all, some, name) => {
      const wanted = all ?? `{ ${some.replaceAll(' as ', ': ')} }`;
      return `const ${wanted} = process.getBuiltinModule("${name}");`;
    },
  );

/**
 * Writes the program as few files: a fraction of the modules to find and to read at each start. Most packages are loaded
 * from where they are installed. What is imported when it is first used stays apart.
 */
export async function bundleProgram(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(source, 'main.ts') },
    platform: 'node',
    external: isInstalled,
    plugins: [keepPlaces(folder)],
    // Modules that are read for what they do keep their order.
    treeshake: false,
    // A failed build is an error; its hints are of no use to an operator.
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
  });
  await bundle.close();
  for (const file of output)
    if (file.type === 'chunk') writeFileSync(join(folder, file.fileName), takeModules(escapeCharacters(file.code)));
}
