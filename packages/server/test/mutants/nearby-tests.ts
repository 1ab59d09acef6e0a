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

const testsBeside = (graph: ImportGraph, file: string) => [
  ...graph.importersOf(file).filter(isTest),
  ...graph.testsIn(dirname(file)),
];

/**
 * The tests of a file in groups, those that tell most first: beside it or importing it, of its feature's face, and of the
 * feature's other rooms. Outside of features tests beside a file may have nothing to do with it, so that those around its
 * importers follow.
 */
export function testsNear(graph: ImportGraph, file: string): string[][] {
  const [beside, face] = [testsBeside(graph, file), testsOfFace(graph, faceOf(file))];
  if (file.includes('/features/')) {
    const rooms = graph.files.filter((one) => isTest(one) && one.startsWith(`${faceOf(file)}/`));
    if (rooms.length > 0) return [beside, face, rooms];
  }
  const isTelling = (test: string) =>
    graph.importersOf(file).includes(test) || test === file.replace(/\.ts$/, '.test.ts');
  if (beside.filter(isTelling).length >= few) return [beside, face];
  const further = graph
    .importersOf(file)
    .flatMap((one) => [...testsBeside(graph, one), ...testsOfFace(graph, faceOf(one))]);
  return [beside, face, further.slice(0, most_further)];
}
