import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../server/test/support/cpu-time.ts';
import { evaluateText } from './evaluate.ts';
import { functions, listFunctions } from './functions.ts';
import { parseExpression } from './parse.ts';
import { ExpressionError } from './tokens.ts';

const names = { a: 5, b: 'text', list: [3, 1, 2], row: { name: 'Ada', tags: ['x', 'y'], 'with space': 1 }, none: null };
const value = (source: string) => evaluateText(source, names);

test('evaluates arithmetic, comparisons and conditions', () => {
  assert.equal(value('1 + 2 * 3 - 4 / 2'), 5);
  assert.equal(value('(1 + 2) * -3 % 4'), -1);
  assert.equal(value('a > 3 and b == "text" && !(a <= 4)'), true);
  assert.equal(value('not a in [1, 2] or false'), true);
  assert.equal(value('a > 10 ? "big" : a > 3 ? "middle" : "small"'), 'middle');
  assert.equal(value('none ?? "nothing"'), 'nothing');
  assert.equal(value("'it\\'s' + \" \" + a"), "it's 5");
  assert.deepEqual(value('[a, {x: b, "y z": none}]'), [5, { x: 'text', 'y z': null }]);
  assert.deepEqual(value('[1] + [2]'), [1, 2]);
  assert.equal(value('"10" > "9"'), true);
  assert.deepEqual(value('["5" == a, a != "5.0", "5" == "5.0", a == "", a == "five"]'), [
    true,
    false,
    false,
    false,
    false,
  ]);
  assert.equal(value('{x: 1, y: [2]} == {y: [2], x: 1}'), true);
  assert.equal(value('row == {name: "Ada", tags: ["x", "y"], "with space": 1}'), true);
});

test('missing values are null, and nothing of JavaScript can be reached', () => {
  assert.equal(value('row.nobody'), null);
  assert.equal(value('row["with space"]'), 1);
  assert.equal(value('list[-1]'), 2);
  assert.equal(value('row.tags.length'), 2);
  for (const source of ['row.constructor', 'row.__proto__', 'b.constructor', 'list.push', 'row["hasOwnProperty"]'])
    assert.equal(value(source), null, source);
  assert.throws(() => value('constructor'), /nothing named constructor/);
  assert.throws(() => value('toString()'), /no function toString/);
  assert.throws(() => value('process'), ExpressionError);
});

test('evaluates functions over lists and texts', () => {
  assert.deepEqual(value('map(sort(list), item * 2)'), [2, 4, 6]);
  assert.deepEqual(value('filter(list, item > 1 and index < 2)'), [3]);
  assert.equal(value('any(list, item == 3) and all(list, item > 0)'), true);
  assert.equal(value('find(list, item < 3)'), 1);
  assert.equal(value('join(split("a,b", ","), "-")'), 'a-b');
  assert.equal(value('replace(upper(b), "T", "t")'), 'tEXt');
  assert.equal(value('sum(list) + max(list) + min(4, 9) + round(2.567, 1)'), 15.6);
  assert.equal(value('parse("{\\"x\\": 1}").x'), 1);
  assert.equal(value('get(row, "nobody", "else")'), 'else');
  assert.deepEqual(value('unique([1, 1, "1"])'), [1, '1']);
});

test('refuses expressions that are too long, too deep or take too many steps', () => {
  assert.throws(() => value('1'.repeat(10_001)), /at most 10000 characters/);
  assert.throws(() => value(`${'('.repeat(100)}1${')'.repeat(100)}`), /levels deep/);
  assert.throws(() => value(`[${'1,'.repeat(2500)}]`), /parts/);
  assert.throws(() => value('map(range(1000), map(range(1000), item))'), /steps/);
  assert.throws(() => value('range(100000000)'), /steps/);
  const doubled =
    'replace(replace(replace(replace(join(range(20000), "xx"), "x", "xxxxxxxx"), "x", "xxxxxxxx"), "x", "xxxxxxxx"), "x", "xxxxxxxx")';
  assert.throws(() => value(doubled), /characters|steps/);
  assert.throws(() => value('1 / 0'), /no number/);
});

test('counts a value that occurs many times as often as it is written', () => {
  const known = { big: Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(50) })), many: {} };
  const before = cpuTime();
  for (const source of [
    ...['sort(map(range(5000), big))', 'unique(map(range(20000), big))', 'contains(map(range(20000), big), 1)'],
    ...['json(map(range(50000), big))', '"" + map(range(50000), big)', 'map(range(50000), big)'],
    ...[
      'map(range(60000), starts_with(big, "x"))',
      'all(range(60000), big == big + [1])',
      'map(range(60000), big < 1)',
    ],
    ...['map(range(60000), many[big])', 'map(range(60000), get(many, big))', 'join(map(range(60000), big), "")'],
  ])
    assert.throws(() => evaluateText(source, known), /steps|too large/, source);
  assert.equal(evaluateText('big', known), known.big);
  assert.throws(
    () => evaluateText('json(parse(text))', { text: `${'['.repeat(5000)}${']'.repeat(5000)}` }),
    /levels deep/,
  );
  // Names are looked up, not copied for each item.
  const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, index]));
  assert.equal(evaluateText('length(map(range(40000), n1 + item))', names), 40_000);
  const ms = cpuTime() - before;
  assert.ok(ms < 5000, `it took ${ms} ms`);
});

test('reports the position of a syntax error', () => {
  assert.throws(() => parseExpression('a +'), /Unexpected end \(at character 4\)/);
  assert.throws(() => parseExpression('a b'), /Unexpected b \(at character 3\)/);
  assert.throws(() => parseExpression('"open'), /no end/);
  assert.throws(() => parseExpression('a @ b'), /Unexpected "@"/);
});

/** Tokens in random order: mostly invalid, sometimes valid expressions. */
const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'list',
    'row',
    'none',
    'item',
    '1',
    '2.5',
    '"x"',
    "'y'",
    'true',
    'null',
    '+',
    '-',
    '*',
    '/',
    '%',
    '==',
    '<',
  ],
  ...['and', 'or', 'not', 'in', '?', ':', '.', ',', '(', ')', '[', ']', '{', '}', '??', '!', 'name', '__proto__'],
  ...Object.keys(functions).map((name) => `${name}(`),
  ...[...listFunctions].map((name) => `${name}(list,`),
);

test('returns a JSON value or an error for any text, in bounded time', () => {
  const anything = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' ')),
    fc.string({ maxLength: 60, unit: 'binary' }),
  );
  fc.assert(
    fc.property(anything, (source) => {
      const started = cpuTime();
      try {
        JSON.stringify(evaluateText(source, names));
      } catch (error) {
        assert.ok(error instanceof ExpressionError, `${source}: ${error}`);
      }
      assert.ok(cpuTime() - started < 2000, source);
    }),
    { numRuns: 5000 },
  );
});
