import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestColor, runsOf } from './cells.ts';
import { sequenceOf } from './keys.ts';
import { Screen } from './screen.ts';
import { makeOutputReader } from './show-output.ts';

const textOf = (screen: Screen) =>
  screen.grid.map(({ cells }) =>
    cells
      .map(({ char }) => char)
      .join('')
      .trimEnd(),
  );

function shown(text: string, rows = 4, cols = 10): Screen {
  const screen = new Screen(rows, cols);
  makeOutputReader(screen)(text);
  return screen;
}

test('wraps long lines, scrolls, and keeps what has left the screen', () => {
  const screen = shown('abcdefghijkl\r\none\r\ntwo\r\nthree\r\nfour');
  assert.deepEqual(textOf(screen), ['one', 'two', 'three', 'four']);
  assert.deepEqual(
    screen.history.map((row) => runsOf(row, undefined).map(({ text }) => text)),
    [['abcdefghij'], ['kl']],
  );
  assert.deepEqual([screen.y, screen.x], [3, 4]);
});

test('draws at places, erases, and puts in and takes away characters and lines', () => {
  assert.deepEqual(textOf(shown('\u001b[2;3Hhere\u001b[1;1Htop\u001b[2;5H\u001b[K')), ['top', '  he', '', '']);
  assert.deepEqual(textOf(shown('abcdef\u001b[3D\u001b[2P')), ['abcf', '', '', '']);
  assert.deepEqual(textOf(shown('abc\u001b[2D\u001b[2@')), ['a  bc', '', '', '']);
  assert.deepEqual(textOf(shown('one\r\ntwo\u001b[1;1H\u001b[L')), ['', 'one', 'two', '']);
  assert.deepEqual(textOf(shown('one\r\ntwo\r\nthree\u001b[1;1H\u001b[M')), ['two', 'three', '', '']);
  assert.deepEqual(textOf(shown('junk\u001b[2J\u001b[Hok')), ['ok', '', '', '']);
});

test('scrolls within a region only', () => {
  const screen = shown('a\r\nb\r\nc\r\nd\u001b[2;3r\u001b[3;1H\ne');
  assert.deepEqual(textOf(screen), ['a', 'c', 'e', 'd']);
  assert.equal(screen.history.length, 0);
});

test('gives the screen of the shell back when a program that draws on all of it ends', () => {
  const screen = new Screen(4, 10);
  const read = makeOutputReader(screen);
  read('shell$ \u001b[?1049h\u001b[2J\u001b[Hvim');
  assert.deepEqual(textOf(screen), ['vim', '', '', '']);
  read('\u001b[?1049l');
  assert.deepEqual([textOf(screen)[0], screen.x], ['shell$', 7]);
});

test('reads sequences that come in pieces, and shows none of them', () => {
  const screen = new Screen(4, 20);
  const read = makeOutputReader(screen);
  for (const piece of ['\u001b', '[3', '1mred', '\u001b]0;a ti', 'tle\u0007', '\u001b[0', 'm\u001b(Bplain'])
    read(piece);
  assert.deepEqual(textOf(screen)[0], 'redplain');
  assert.deepEqual(
    runsOf(screen.grid[0] as (typeof screen.grid)[number], undefined).map(({ text, style }) => [text, style.color]),
    [
      ['red', 1],
      ['plain', undefined],
    ],
  );
  assert.deepEqual([nearestColor(196), nearestColor(46), nearestColor(21), nearestColor(236)], [9, 10, 12, 8]);
});

test('gives two columns to wide characters and none to marks', () => {
  const screen = shown('你e\u0301x');
  assert.equal(screen.x, 4);
  assert.equal(textOf(screen)[0], '你e\u0301x');
});

test('keeps the last lines in view when the screen becomes smaller', () => {
  const screen = shown('1\r\n2\r\n3\r\n4');
  screen.resize(2, 5);
  assert.deepEqual(textOf(screen), ['3', '4']);
  assert.equal(screen.history.length, 2);
  screen.resize(3, 12);
  assert.deepEqual(textOf(screen), ['3', '4', '']);
});

test('sends what a terminal sends for keys, and leaves the keys of the browser alone', () => {
  const key = (name: string, more: object = {}, application = false) =>
    sequenceOf({ key: name, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...more }, application);
  assert.deepEqual([key('Enter'), key('Backspace'), key('Tab'), key('a')], ['\r', '\u007f', '\t', '']);
  assert.deepEqual([key('ArrowUp'), key('ArrowUp', {}, true)], ['\u001b[A', '\u001bOA']);
  assert.deepEqual([key('c', { ctrlKey: true }), key('b', { altKey: true })], ['\u0003', '\u001bb']);
  assert.deepEqual(
    [key('Tab', { shiftKey: true }), key('c', { metaKey: true }), key('V', { ctrlKey: true, shiftKey: true })],
    ['', '', ''],
  );
});

test('keeps the size of the screen and of a letter, whatever a program asks for', () => {
  const screen = new Screen(4, 10);
  const show = makeOutputReader(screen);
  show(`\u001b[500;600r${'\n'.repeat(2000)}`);
  assert.equal(screen.grid.length, 4);
  assert.ok(screen.history.length <= 1000);
  show(`\r\na${'\u0301'.repeat(500)}`);
  assert.ok(screen.grid.every(({ cells }) => cells.every(({ char }) => char.length <= 16)));
});
