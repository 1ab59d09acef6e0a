import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSource } from './syntax.ts';

export const isTest = (file: string) => file.endsWith('.test.ts');

/** Part of the program; neither a test nor a helper of tests. */
export const isSource = (file: string) => !isTest(file) && !file.endsWith('/testing.ts');

/** Fewer tests than this say little: those beside the importers of a file are then run too. */
const few = 2;

/** Of the tests beside importers there may be a hundred; so many are run. */
const most_further = 20;

/** The files of a tree and which of them import which when they run. */
export class ImportGraph {
  readonly files: readonly string[];
  readonly #importers = new Map<string, Set<string>>();

  constructor(root: string) {
    this.files = globSync('packages/*/{src,test}/**/*.ts', { cwd: root }).sort();
    for (const file of this.files)
      for (const specifier of parseSource(file, readFileSync(join(root, file), 'utf8')).imports)
        if (specifier.startsWith('.')) this.#add(normalize(join(dirname(file), specifier)), file);
  }

  #add(imported: string, importer: string): void {
    const importers = this.#importers.get(imported) ?? new Set();
    this.#importers.set(imported, importers.add(importer));
  }

  importersOf(file: string): string[] {
    return [...(this.#importers.get(file) ?? [])];
  }

  testsIn(folder: string): string[] {
    return this.files.filter((file) => dirname(file) === folder && isTest(file));
  }

  hasSources(folder: string): boolean {
    return this.files.some((file) => dirname(file) === folder && isSource(file));
  }
}

/** `packages/server/src/features/runs` of a file in one of its rooms, and `packages/server/src/http` elsewhere. */
function faceOf(file: string): string {
  const parts = dirname(file).split('/');
  return parts.slice(0, parts[3] === 'features' ? 5 : 4).join('/');
}

/** The tests at the root of a feature or area, and those in rooms that have nothing but tests. */
function testsOfFace(graph: ImportGraph, face: string): string[] {
  const folders = new Set(graph.files.filter((file) => file.startsWith(`${face}/`)).map(dirname));
  const rooms = [...folders].filter((folder) => folder !== face && !graph.hasSources(folder));
  return [face, ...rooms].flatMap((folder) => graph.testsIn(folder));
}

const testsAround = (graph: ImportGraph, file: string) => [
  ...graph.importersOf(file).filter(isTest),
  ...graph.testsIn(dirname(file)),
  ...testsOfFace(graph, faceOf(file)),
];

/** The tests beside a file, of its feature, and those that import it; where they are few, those around its importers. */
export function testsNear(graph: ImportGraph, file: string): string[] {
  const near = new Set(testsAround(graph, file));
  // Outside of features, tests beside a file may have nothing to do with it.
  const isTelling = (test: string) =>
    file.includes('/features/') || graph.importersOf(file).includes(test) || test === file.replace(/\.ts$/, '.test.ts');
  const telling = [...near].filter(isTelling);
  if (telling.length >= few) return [...near];
  const further = graph.importersOf(file).flatMap((importer) => testsAround(graph, importer));
  return [...new Set([...near, ...further.slice(0, most_further)])];
}
