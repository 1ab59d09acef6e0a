import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../src');
const isTest = (file: string) => /\.test\.ts$|(^|\/)testing\.ts$/.test(file);
const files = globSync('**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const program = files.filter((file) => !isTest(file));

const statement = /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

const specifiersIn = (text: string) => [...text.matchAll(statement)].map((match) => (match[1] ?? match[2]) as string);

const targetOf = (file: string, specifier: string) =>
  specifier.startsWith('.') ? normalize(join(dirname(file), specifier)).replaceAll('\\', '/') : undefined;

const importsOf = (file: string, text: string) =>
  specifiersIn(text).flatMap((specifier) => targetOf(file, specifier) ?? []);

/** The first circle reached from a file, as the list of files on it. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, above: string[]): string[] | undefined => {
    if (above.includes(file)) return [...above.slice(above.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...above, file]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}

const areaOf = (file: string) => (file.includes('/') ? (file.split('/', 1)[0] as string) : file.replace(/\.ts$/, ''));
const featureOf = (file: string) => (file.startsWith('features/') ? file.split('/')[1] : undefined);

/** Which areas an area may import. `app` and `main` put everything together and are not listed. */
const below: Record<string, readonly string[]> = {
  lib: ['lib'],
  db: ['lib', 'db'],
  drivers: ['lib', 'drivers'],
  worker: ['lib', 'db', 'worker'],
  execution: ['lib', 'db', 'drivers', 'execution'],
  features: ['lib', 'db', 'drivers', 'execution', 'features'],
  http: ['lib', 'features', 'http'],
  config: ['lib', 'drivers', 'config'],
};

/** Why an arrow from one file to another must not be; undefined when it may. */
function objection(from: string, to: string): string | undefined {
  const [area, target] = [areaOf(from), areaOf(to)];
  if (target === 'main' || (target === 'app' && area !== 'main' && area !== 'app')) return 'nothing stands above it';
  if (area === 'main' || area === 'app') return undefined;
  if (!below[area]) return `the area ${area} has no rule here`;
  if (target === 'config' && area !== 'config') return 'settings of the process are handed on, not fetched';
  if (!below[area].includes(target)) return `${area} may import ${below[area].join(', ')}`;
  // The settings of the process include the variables of each provider.
  if (area === 'config' && to === 'drivers/providers/all-providers.ts') return undefined;
  if (area !== 'drivers' && target === 'drivers' && !to.endsWith('/driver.ts'))
    return 'only app knows which implementation of a driver is used';
  if (area === 'http' && target === 'features' && !to.endsWith('/ports.ts'))
    return 'http knows the ports of features only';
  if (area === 'features' && target === 'features' && featureOf(from) !== featureOf(to) && to.endsWith('/store.ts'))
    return "another feature's tables are reached through its service";
  return undefined;
}

test('no file imports itself by way of others', () => {
  // Types are gone when the program runs, and two files may well speak of each other's.
  const loaded = (text: string) => text.replaceAll(/^(?:import|export) type\b[^;]*;/gm, '');
  const graph = new Map(program.map((file) => [file, importsOf(file, loaded(sources.get(file) as string))]));
  assert.equal(findCircle(graph)?.join(' → '), undefined);
});

test('every import points down', () => {
  const wrong = program.flatMap((file) =>
    importsOf(file, sources.get(file) as string).flatMap((to) => {
      const why = objection(file, to);
      return why ? [`${file} imports ${to}: ${why}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('every import is found, and the program imports no test', () => {
  for (const file of program)
    for (const to of importsOf(file, sources.get(file) as string)) {
      assert.ok(sources.has(to), `${file} imports ${to}, which does not exist`);
      assert.ok(!isTest(to) && !to.startsWith('..'), `${file} imports ${to}, which is for tests`);
    }
});

const banned: [pattern: RegExp, why: string, except?: readonly string[]][] = [
  [/['"](?:node:)?vm['"]|['"]vm2['"]/, 'code from data runs in a sandbox, never in this process'],
  [/\beval\s*\(/, 'text from outside is never run'],
  [/\bnew\s+Function\b|\bFunction\s*\(/, 'text from outside is never run'],
  // PATH is not a setting of the server; code that starts `ps` or `initdb` passes it on.
  [
    /\bprocess\s*\.\s*env\b(?!\.PATH\b)|\bprocess\s*\[/,
    'settings come from config.ts',
    // The engine of the index reads two variables when it is loaded, and nothing else tells it.
    ['config.ts', 'main.ts', 'db/embedded/process-info.ts', 'drivers/search-index/lancedb/load.ts'],
  ],
];

/** Comments may name what is banned. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');

test('the program runs no text and reads no setting behind the back of config.ts', () => {
  const found = program.flatMap((file) =>
    banned
      .filter(
        ([pattern, , except = []]) =>
          !except.includes(file) && pattern.test(withoutComments(sources.get(file) as string)),
      )
      .map(([, why]) => `${file}: ${why}`),
  );
  assert.deepEqual(found, []);
});

test('the rules see what they are to see', () => {
  assert.deepEqual(
    specifiersIn("import a from './a.ts';\nimport './b.ts';\nexport * from './c.ts';\nawait import('./d.ts')"),
    ['./a.ts', './b.ts', './c.ts', './d.ts'],
  );
  assert.deepEqual(specifiersIn("import {\n  a,\n  type B,\n} from './a.ts';\nexport type { C } from './c.ts';"), [
    './a.ts',
    './c.ts',
  ]);
  assert.deepEqual(
    findCircle(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
    ['b', 'c', 'b'],
  );
  for (const [from, to] of [
    ['lib/a.ts', 'db/b.ts'],
    ['http/a.ts', 'features/x/service.ts'],
    ['features/x/a.ts', 'features/y/store.ts'],
    ['features/x/a.ts', 'drivers/d/pg.ts'],
    ['db/a.ts', 'app.ts'],
    ['features/x/a.ts', 'config.ts'],
    ['features/x/a.ts', 'config/x.ts'],
  ] as const)
    assert.ok(objection(from, to), `${from} → ${to}`);
  for (const [from, to] of [
    ['main.ts', 'app.ts'],
    ['app.ts', 'http/a.ts'],
    ['config.ts', 'config/x.ts'],
    ['features/x/a.ts', 'features/x/store.ts'],
    ['features/x/a.ts', 'drivers/d/driver.ts'],
  ] as const)
    assert.equal(objection(from, to), undefined);
});

test('the program starts without the provider packages', () => {
  const packages = /^import (?!type\b)[^;]*? from '@ai-sdk\/[^']+';/m;
  const loading = program.filter((file) => packages.test(sources.get(file) as string));
  assert.deepEqual(loading, ['drivers/models/ai-sdk/sdk-errors.ts']);
  // The errors of the packages are loaded when the first call by one of them fails.
  const eager = program.filter((file) => /^import [^;]*sdk-errors\.ts';/m.test(sources.get(file) as string));
  assert.deepEqual(eager, []);
});
