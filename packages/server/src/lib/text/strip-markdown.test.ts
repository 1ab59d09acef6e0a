import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripMarkdown } from './strip-markdown.ts';

test('a text of one line loses each kind of mark, wherever it stands', () => {
  for (const [text, plain] of [
    ['- a point', 'a point'],
    ['  + a point', 'a point'],
    ['# A title', 'A title'],
    ['> a quote', 'a quote'],
    [':---', ''],
    ['---', ''],
    ['**bold** and _slanted_', 'bold and slanted'],
    ['a `word`', 'a word'],
    ['a [link](https://a.example)', 'a link'],
    ['| cell', 'cell'],
    ['a\\.', 'a.'],
    ['first\r- second', 'first\rsecond'],
  ] as const)
    assert.equal(stripMarkdown(text), plain, text);
});

test('a text without marks stays as it is', () => {
  for (const text of ['Where is my order 7? It should have come on Monday.', 'well-known: a + b', 'é ä 漢字'])
    assert.equal(stripMarkdown(` ${text} `), text);
});
