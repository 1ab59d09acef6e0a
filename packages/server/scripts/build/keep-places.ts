import { dirname, relative } from 'node:path';
import { type Plugin, RolldownMagicString } from 'rolldown';
import { parseSync } from 'rolldown/utils';

/** Modules that the bundler makes up begin with a null. */
const isFile = /^[^\0].*\.(ts|tsx|mts|js|mjs)$/;

/**
 * A module asks where it lies to find assets, workers and programs of children. In a bundle it lies elsewhere, so
 * `import.meta` is replaced by the place of its source.
 */
export function keepPlaces(folder: string): Plugin {
  const placeOf = (id: string) => {
    const seen = (path: string) => JSON.stringify(relative(folder, path));
    const join = (path: string) => `process.getBuiltinModule('node:path').join(import.meta.dirname, ${seen(path)})`;
    const url = `new URL(${seen(id)}, import.meta.url).href`;
    return `{ url: ${url}, dirname: ${join(dirname(id))}, filename: ${join(id)}, main: false, resolve: import.meta.resolve }`;
  };
  return {
    name: 'keep-places',
    transform: {
      filter: { id: isFile, code: 'import.meta' },
      handler(code, id, { moduleType }) {
        const lang = moduleType === 'ts' || moduleType === 'tsx' ? moduleType : 'js';
        const { importMetas } = parseSync(id, code, { lang, sourceType: 'module' }).module;
        if (importMetas.length === 0) return null;
        const changed = new RolldownMagicString(code);
        for (const { start, end } of importMetas) changed.update(start, end, 'placeOfSource');
        // In the first line, so that the others keep their numbers. An import may stand anywhere.
        changed.prepend(`const placeOfSource = ${placeOf(id)}; `);
        return { code: changed };
      },
    },
  };
}
