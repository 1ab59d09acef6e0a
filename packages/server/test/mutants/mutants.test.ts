import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { chooseMutants } from './choose-mutants.ts';
import { findMutants } from './find-mutants.ts';
import { judgeMutant } from './judge-mutant.ts';
import { Results } from './results.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-mutants-test-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const changes = (source: string) => findMutants('a.ts', source).map(({ operator, after }) => `${operator}: ${after}`);

test('changes signs, conditions, calls, lists and literals of the code', () => {
  assert.deepEqual(changes('const a = b < 2 && !c;'), [
    ...['&& to ||: const a = b < 2 || !c;', '< to <=: const a = b <= 2 && !c;'],
    ...['number plus one: const a = b < 3 && !c;', 'drop not: const a = b < 2 && c;'],
  ]);
  assert.deepEqual(changes("if (ok) await f('');"), [
    ...["condition true: if (true) await f('');", "condition false: if (false) await f('');"],
    ...['drop call: if (ok) ;', "empty text filled: if (ok) await f('x');"],
  ]);
  assert.deepEqual(changes('x = l.filter(f) ?? l.some(g);'), [
    ...[
      'drop default: x = l.filter(f);',
      'drop filter: x = l ?? l.some(g);',
      'some to every: x = l.filter(f) ?? l.every(g);',
    ],
  ]);
});

test('leaves types, texts for people and milliseconds as they are', () => {
  const source = `import a from '';
    type T = 1 | '' | true;
    const wait_ms: 2 = 2;
    log.warn('', 1);
    throw new Error('a' + 'b') as T;`;
  assert.deepEqual(changes(source), []);
});

test('changes the conditions of statements, and no values that they set', () => {
  const source = 'sql`update t set a = $' + '{a}, d = 1\n  where b = $' + '{b}\n  and c < 2\n  limit 1`';
  assert.deepEqual(
    findMutants('a.ts', source).map(({ operator, line }) => `${line} ${operator}`),
    ['2 sql = to <>', '3 sql and to or', '3 sql < to <=', '3 sql drop condition'],
  );
});

test('chooses the same mutants for the same seed, at most three of a file, from each area', () => {
  const sourceOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `f${index}();g = !h${index};`).join('\n');
  const areas = [
    [...findMutants('a.ts', sourceOf(9)), ...findMutants('b.ts', sourceOf(9))],
    [...findMutants('c.ts', sourceOf(9)), ...findMutants('d.ts', sourceOf(9))],
  ];
  const choice = (seed: string) => chooseMutants(areas, seed, 30).map(({ id }) => id);
  assert.deepEqual(choice('aa'), choice('aa'));
  assert.notDeepEqual(choice('aa'), choice('ab'));
  const files = Map.groupBy(chooseMutants(areas, 'aa', 30), ({ file }) => file);
  assert.ok(files.size >= 2);
  for (const list of files.values()) assert.ok(list.length <= 3);
});

test('goes on after an interruption with the mutants that have no verdict', () => {
  const file = join(dir, 'seed.jsonl');
  const [first, second] = findMutants('a.ts', 'f();\ng();');
  assert.ok(first && second);
  const before = new Results(file);
  before.choose([first, second]);
  before.record({ id: first.id, verdict: 'survived', tests: 1, took_ms: 1 });
  appendFileSync(file, '{"outcome":{"id":');
  const resumed = new Results(file);
  assert.deepEqual(resumed.due(false), [second]);
  assert.deepEqual(resumed.due(true), [first]);
});

test('tells a mutant that a test notices from one that none does, and puts the file back', async () => {
  const scratch = { root: join(dir, 'tree'), temporary: join(dir, 'tmp'), remove() {} };
  for (const folder of [scratch.root, scratch.temporary]) mkdirSync(folder);
  const source = 'export const isSmall = (n: number) => n < 3;\n';
  writeFileSync(join(scratch.root, 'small.ts'), source);
  const lines = ["import { test } from 'node:test';", "import { isSmall } from './small.ts';"];
  const check = "test('is small', () => { if (!isSmall(1) || isSmall(3)) throw new Error('wrong'); });";
  writeFileSync(join(scratch.root, 'small.test.ts'), [...lines, check].join('\n'));
  const [sign, number] = findMutants('small.ts', source);
  assert.ok(sign && number);
  const judge = async (mutant: typeof sign) => {
    const { verdict, by } = await judgeMutant(scratch, mutant, ['small.test.ts'], new Map());
    return { verdict, by };
  };
  assert.deepEqual(await judge(sign), { verdict: 'killed', by: 'is small' });
  // One more is as small: nothing asks for two.
  writeFileSync(join(scratch.root, 'small.test.ts'), [...lines, check.replace(' || isSmall(3)', '')].join('\n'));
  assert.deepEqual(await judge(number), { verdict: 'survived', by: undefined });
  assert.equal(readFileSync(join(scratch.root, 'small.ts'), 'utf8'), source);
});
