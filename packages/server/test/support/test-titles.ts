import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../../../../', import.meta.url).pathname;

function titlesIn(text: string): string[] {
  const found = text.matchAll(/\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$]*)`)/g);
  return [...found].map(([, single, double, plain]) => (single ?? double ?? plain ?? '').replaceAll(/\\(.)/g, '$1'));
}

/** The titles of all tests that are string literals. */
export function testTitles(): ReadonlySet<string> {
  const files = globSync('packages/*/{src,test,slow}/**/*.test.ts', { cwd: root });
  return new Set(files.flatMap((file) => titlesIn(readFileSync(join(root, file), 'utf8'))));
}
