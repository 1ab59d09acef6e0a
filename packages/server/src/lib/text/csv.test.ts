import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('quotes fields with separators, quotes and line ends', () => {
  assert.equal(csvLine(['plain', 'a,b', 'say "x"', 'two\r\nlines']), 'plain,"a,b","say ""x""","two\r\nlines"\r\n');
});

test('writes null as an empty field and objects as JSON', () => {
  assert.equal(csvLine([null, undefined, 1.5, true, { a: [1] }]), ',,1.5,true,"{""a"":[1]}"\r\n');
});

test('escapes formulas only when asked, and never numbers', () => {
  const values = ['=1+1', '+49', '-x', '@x', '\tx', 'a=b', -5];
  assert.equal(csvLine(values), '=1+1,+49,-x,@x,\tx,a=b,-5\r\n');
  assert.equal(csvLine(values, { escape_formulas: true }), "'=1+1,'+49,'-x,'@x,'\tx,a=b,-5\r\n");
  assert.equal(csvLine(['=a,b'], { escape_formulas: true }), `"'=a,b"\r\n`);
});

test('quotes outer white space only when asked', () => {
  assert.equal(csvLine([' a', 'b ']), ' a,b \r\n');
  assert.equal(csvLine([' a', 'b ', 'c'], { quote_outer_space: true }), '" a","b ",c\r\n');
});
