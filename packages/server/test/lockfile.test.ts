import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Entry {
  resolved?: string;
  /** Of a workspace: `resolved` is its folder. */
  link?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const root = new URL('../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(root + path, 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };

/** Whether a package at a place finds a dependency there or in a folder above, as Node looks for it. */
function finds(place: string, name: string): boolean {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (`${at && `${at}/`}node_modules/${name}` in packages) return true;
    if (!at) return false;
  }
}

test('the lockfile names no address to download from', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link),
    [],
  );
});

test('the lockfile has the packages of every platform, without which `npm ci` refuses to begin', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) => (finds(place, name) ? [] : [`${name} of ${place}`])),
  );
  assert.deepEqual(missing, []);
});

test('pins every dependency and disables install scripts', () => {
  for (const path of ['package.json', ...globSync('packages/*/package.json', { cwd: root })]) {
    const manifest = JSON.parse(read(path)) as Record<string, Record<string, string>>;
    for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'])
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) assert.match(version, /^\d+\.\d+\.\d+/, name);
  }
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
});
