import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, unescapedFormula } from './csv-line.ts';

test('quotes fields with separators, quotes and line ends', () => {
  assert.equal(csvLine(['plain', 'a,b', 'say "x"', 'two\r\nlines']), 'plain,"a,b","say ""x""","two\r\nlines"\r\n');
});

test('writes null as an empty field and objects as JSON', () => {
  assert.equal(csvLine([null, undefined, 1.5, true, { a: [1] }]), ',,1.5,true,"{""a"":[1]}"\r\n');
});

test('escapes formulas unless told otherwise, and never numbers', () => {
  const values = ['=1+1', '+49', '-x', '@x', '\tx', '\rx', 'a=b', -5, -5n];
  assert.equal(csvLine(values), `'=1+1,'+49,'-x,'@x,'\tx,"'\rx",a=b,-5,-5\r\n`);
  assert.equal(csvLine(values, { escape_formulas: false }), '=1+1,+49,-x,@x,\tx,"\rx",a=b,-5,-5\r\n');
  assert.equal(csvLine(['=a,b']), `"'=a,b"\r\n`);
});

test('gives every text back when the escape is taken away', () => {
  for (const text of ['=1', "'=1", "''-x", "'", "'a", '@', "it's=1", '']) {
    const cell = csvLine([text]).slice(0, -2);
    assert.equal(unescapedFormula(cell) ?? cell, text);
  }
});

test('quotes outer white space only when asked', () => {
  assert.equal(csvLine([' a', 'b ']), ' a,b \r\n');
  assert.equal(csvLine([' a', 'b ', 'c'], { quote_outer_space: true }), '" a","b ",c\r\n');
});
