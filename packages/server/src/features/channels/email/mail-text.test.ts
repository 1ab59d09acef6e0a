import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlToText } from './mail-text.ts';

test('reads the words of a page without its layout', () => {
  assert.equal(htmlToText('<p>Dear&nbsp;Ada,</p><p>see <b>you</b><br>soon</p>'), 'Dear Ada,\nsee you\nsoon');
  assert.equal(htmlToText('plain'), 'plain');
  assert.equal(htmlToText(''), '');
});

test('leaves out styles, scripts and comments, also where they are never closed', () => {
  assert.equal(htmlToText('a<style>b{}</style>c<!-- <p>d --><script>e()'), 'ac');
  assert.equal(htmlToText('a<b'), 'a');
  assert.equal(htmlToText('1 &lt; 2 &amp;&amp; &#51;&#x3e;2 &unknown;'), '1 < 2 && 3>2 &unknown;');
});
