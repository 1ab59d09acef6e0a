import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSource } from './syntax.ts';

export const isTest = (file: string) => file.endsWith('.test.ts');

/** Part of the program; neither a test nor a helper of tests. */
export const isSource = (file: string) => !isTest(file) && !file.endsWith('/testing.ts');

/** Fewer tests than this say little: those beside the importers of a file are then run too. */
const few = 2;

/** Of the tests beside importers there may be a hundred; so many are run. */
const most_further = 12;

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

/** `packages/server/src/features/runs` of a file in one of its rooms; the folder itself elsewhere. */
function featureFolder(file: string): string {
  const parts = dirname(file).split('/');
  return parts.slice(0, parts[3] === 'features' ? 5 : parts.length).join('/');
}

/** The feature's tests at its root, and those in rooms that have nothing but tests. */
function testsOfFeature(graph: ImportGraph, feature: string): string[] {
  const folders = new Set(graph.files.filter((file) => file.startsWith(`${feature}/`)).map(dirname));
  const rooms = [...folders].filter((folder) => folder !== feature && !graph.hasSources(folder));
  return [feature, ...rooms].flatMap((folder) => graph.testsIn(folder));
}

/** The tests beside a file, of its feature, and those that import it. */
export function testsNear(graph: ImportGraph, file: string): string[] {
  const importers = graph.importersOf(file);
  const near = [
    ...importers.filter(isTest),
    ...graph.testsIn(dirname(file)),
    ...testsOfFeature(graph, featureFolder(file)),
  ];
  const tests = new Set(near);
  if (tests.size >= few) return [...tests];
  const further = importers.flatMap((importer) => [
    ...graph.importersOf(importer).filter(isTest),
    ...graph.testsIn(dirname(importer)),
    ...testsOfFeature(graph, featureFolder(importer)),
  ]);
  return [...new Set([...near, ...further.slice(0, most_further)])];
}
