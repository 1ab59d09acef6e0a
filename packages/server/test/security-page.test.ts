import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/security.md`, 'utf8');

/** The titles of all tests, with `…` for what is filled in. */
function titlesIn(text: string): string[] {
  const found = text.matchAll(/\b(?:test|suite)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g);
  return [...found].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{[^{}]*\}/g, '…'),
  );
}
const titles = new Set(
  globSync('packages/*/{src,test,slow}/**/*.ts', { cwd: root }).flatMap((file) =>
    titlesIn(readFileSync(root + file, 'utf8')),
  ),
);

/** The rows of tables whose last column names tests. */
const rows = page
  .split('\n## ')
  .filter((section) => /^\|.*\| tests \|$/m.test(section))
  .flatMap((section) => section.split('\n').filter((line) => line.startsWith('| ')))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter((cells) => cells.at(-1) !== 'tests');

test('every threat of docs/security.md names tests that exist', () => {
  assert.ok(rows.length > 30, 'the tables are read');
  for (const cells of rows) {
    const named = (cells.at(-1) ?? '').split('<br>').map((name) => name.trim());
    assert.ok(
      named.every((name) => /\p{L}{3}/u.test(name)),
      `${cells[0]} names no test`,
    );
    for (const name of named)
      assert.ok(titles.has(name), `${cells.slice(0, -1).join(' | ')}: there is no test "${name}"`);
  }
});

test('every class of incident of others has a row', () => {
  const numbers = rows.filter((cells) => cells.length === 4).map(([number]) => Number(number));
  assert.deepEqual(
    numbers,
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
});
