import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { foreignTables } from './feature-exceptions.ts';

const packages = join(import.meta.dirname, '../..');
const root = join(packages, 'server/src');
const isTest = (file: string) => /\.test\.ts$|(^|\/)testing\.ts$/.test(file);
const sourcesBelow = (folder: string) =>
  new Map(
    globSync('**/*.ts', { cwd: folder })
      .filter((file) => !isTest(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
const sources = sourcesBelow(root);

const importStatement =
  /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
const specifiersIn = (text: string) => [...text.matchAll(importStatement)].map((match) => match[1] ?? match[2] ?? '');
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1];

/** Imports from one feature into another: the importing file, and the file that it imports. */
const crossImports = [...sources].flatMap(([file, text]) =>
  specifiersIn(text).flatMap((specifier) => {
    if (!specifier.startsWith('.')) return [];
    const target = normalize(join(dirname(file), specifier));
    const [from, to] = [featureOf(file), featureOf(target)];
    return from && to && from !== to ? [{ file, target, from, to }] : [];
  }),
);

/** The list must name exactly the violations that there are, so that it can only shrink. */
function assertExceptions(violations: readonly string[], exceptions: readonly string[], rule: string): void {
  const found = [...new Set(violations)].sort();
  assert.deepEqual(
    found.filter((violation) => !exceptions.includes(violation)),
    [],
    rule,
  );
  assert.deepEqual(
    exceptions.filter((exception) => !found.includes(exception)),
    [],
    'these exceptions are not needed any more: take them off the list',
  );
}

/** A path of features that leads back to its first one. */
function findCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (feature: string, path: string[]): string[] | undefined => {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature];
    if (finished.has(feature)) return undefined;
    for (const next of edges.get(feature) ?? []) {
      const circle = visit(next, [...path, feature]);
      if (circle) return circle;
    }
    finished.add(feature);
    return undefined;
  };
  for (const feature of edges.keys()) {
    const circle = visit(feature, []);
    if (circle) return circle;
  }
  return undefined;
}

const featureEdges = (imports: readonly { from: string; to: string }[]) => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  return edges;
};

test('no feature imports itself by way of other features', () => {
  assert.equal(findCircle(featureEdges(crossImports))?.join(' → '), undefined);
});

test('a feature uses another through its service.ts or ports.ts', () => {
  const past = crossImports.filter(({ target }) => !/^features\/[^/]+\/(service|ports)\.ts$/.test(target));
  assert.deepEqual(
    past.map(({ file, target }) => `${file} imports ${target}`),
    [],
    'import the service or the port, or pass the value in from app.ts',
  );
});

const hasSql = (text: string) => /(?<![\w.])sql`/.test(withoutComments(text));

test('statements of SQL stand in stores', () => {
  const outside = [...sources].filter(
    ([file, text]) => /^(features|app)\b/.test(file) && !file.endsWith('store.ts') && hasSql(text),
  );
  assert.deepEqual(
    outside.map(([file]) => file),
    [],
    'move the statement into a store',
  );
});

const tableIn = {
  write: /\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)\b/g,
  read: /\b(?:from|join)\s+([a-z_]+)\b/g,
};
const tables = new Set(
  globSync('db/migrations/*.sql', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /create\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?([a-z_]+)/gi,
      ),
    ].map((match) => match[1] ?? ''),
  ),
);
const tablesUsed = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '').filter((table) => tables.has(table));

/** The feature that writes most statements to a table owns it. */
function tableOwners(): Map<string, string> {
  const writes = new Map<string, Map<string, number>>();
  for (const [file, text] of sources) {
    const feature = featureOf(file);
    if (!feature || !hasSql(text)) continue;
    for (const table of tablesUsed(withoutComments(text), tableIn.write)) {
      const counts = writes.get(table) ?? new Map<string, number>();
      writes.set(table, counts.set(feature, (counts.get(feature) ?? 0) + 1));
    }
  }
  return new Map(
    [...writes].map(([table, counts]) => [
      table,
      [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '',
    ]),
  );
}

test("a store touches its own feature's tables", () => {
  const owners = tableOwners();
  const foreign = [...sources].flatMap(([file, text]) => {
    const feature = featureOf(file);
    if (!feature || !hasSql(text)) return [];
    const code = withoutComments(text);
    return [...tablesUsed(code, tableIn.write), ...tablesUsed(code, tableIn.read)]
      .filter((table) => (owners.get(table) ?? feature) !== feature)
      .map((table) => `${file} uses ${table} of ${owners.get(table)}`);
  });
  assertExceptions(foreign, foreignTables, "ask the other feature's service");
});

test('no folder has more than twenty source files', () => {
  for (const folder of [root, join(packages, 'contract/src')]) {
    const counts = new Map<string, number>();
    for (const file of sourcesBelow(folder).keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 20),
      [],
    );
  }
});

test('the contract imports zod and its own files only', () => {
  const foreign = [...sourcesBelow(join(packages, 'contract/src'))].flatMap(([file, text]) =>
    specifiersIn(text)
      .filter(
        (specifier) =>
          specifier !== 'zod' &&
          !(specifier.startsWith('.') && !normalize(join(dirname(file), specifier)).startsWith('..')),
      )
      .map((specifier) => `${file} imports ${specifier}`),
  );
  assert.deepEqual(foreign, []);
});

test('the rules find a circle, and an exception that is not needed', () => {
  const edge = (from: string, to: string) => ({ from, to });
  assert.deepEqual(findCircle(featureEdges([edge('a', 'b'), edge('b', 'c'), edge('c', 'b')])), ['b', 'c', 'b']);
  assert.equal(findCircle(featureEdges([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')])), undefined);
  assert.throws(() => assertExceptions(['x'], [], ''), /x/);
  assert.throws(() => assertExceptions([], ['x'], ''), /not needed/);
  assertExceptions(['x', 'x'], ['x'], '');
});
