import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';

const root = resolve(import.meta.dirname, '../../../..');
const isModule = (file: string) => /\.(ts|tsx|mts|mjs|js)$/.test(file);
/** What changes every test: the versions of packages and how tests are run. */
const concernsAll =
  /^(package(-lock)?\.json|tsconfig\.json|packages\/server\/test\/(runner|run-tests|global-setup)\b.*)$/;

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Files that differ from the last commit, or that the last commit changed if none does. */
export function changedFiles(): string[] {
  const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return open.length > 0 ? open : git('diff', '--name-only', 'HEAD~1', 'HEAD');
}

/** The modules of this repository that a module imports, by paths in the repository. */
function importsOf(file: string, packages: ReadonlyMap<string, string>): string[] {
  const code = readFileSync(join(root, file), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
    // Workers and children are started by their address.
    ...[...code.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)].map(([, path = '']) => path),
  ];
  return named.flatMap((id) => {
    if (id.startsWith('.')) return join(dirname(file), id);
    const [scope, name, ...rest] = id.split('/');
    const folder = packages.get(`${scope}/${name}`);
    if (folder === undefined) return [];
    return join(folder, 'src', rest.join('/') || 'index.ts');
  });
}

/** The test files among these that import a changed file, at whatever distance. */
export function testsReaching(changed: readonly string[], tests: readonly string[]): string[] {
  if (changed.some((file) => concernsAll.test(file))) return [...tests];
  const packages = new Map(
    globSync('packages/*/package.json', { cwd: root }).map((file) => [
      JSON.parse(readFileSync(join(root, file), 'utf8')).name as string,
      dirname(file),
    ]),
  );
  const modules = globSync('packages/*/{src,test,scripts,stories,slow}/**/*.{ts,tsx,mjs}', { cwd: root });
  const importers = new Map<string, string[]>();
  for (const file of modules)
    for (const id of importsOf(file, packages)) importers.set(id, [...(importers.get(id) ?? []), file]);
  // A file that is no module, such as a migration, belongs to the nearest modules above it.
  const standIns = (file: string): string[] => {
    for (let folder = dirname(file); folder.startsWith('packages/'); folder = dirname(folder)) {
      const own = modules.filter((module) => dirname(module) === folder);
      if (own.length > 0) return own;
    }
    return [];
  };
  const reached = new Set<string>();
  const next = changed.flatMap((file) => (isModule(file) ? [file] : standIns(file)));
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    next.push(...(importers.get(file) ?? []));
  }
  return tests.filter((file) => reached.has(relative(root, resolve(file))));
}
