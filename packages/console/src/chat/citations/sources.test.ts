import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citedNumbers, sourcesOf, splitCitations } from './sources.ts';

test('reads sources by the number that the text cites them by', () => {
  const about = {
    number: 3,
    quote: 'Within 30 days',
    page: 14,
    end_page: 14,
    kb_id: 'k',
    document_id: 'd',
    start: 5,
    end: 9,
  };
  const document = { type: 'source-document', title: 'Returns', providerMetadata: { atrium: about } };
  const web = { type: 'source-url', title: 'Herons', url: 'https://a.example' };
  const [herons, returns] = sourcesOf([document, { type: 'text', text: 'x' }, web]);
  assert.deepEqual([herons?.number, herons?.url], [2, 'https://a.example']);
  assert.deepEqual(
    [returns?.number, returns?.page, returns?.place],
    [3, 14, { kb_id: 'k', document_id: 'd', start: 5, end: 9 }],
  );
});

test('cuts a text at its marks', () => {
  const known = new Set([1, 2, 3]);
  assert.deepEqual(splitCitations('Full [1], or not [2, 3]. See 【1†page】', known), [
    ...['Full ', [1], ', or not ', [2, 3], '. See ', [1]],
  ]);
});

test('leaves marks that name no source as they are', () => {
  assert.deepEqual(splitCitations('An array [0] and [9]', new Set([1])), ['An array [0] and [9]']);
  assert.deepEqual(splitCitations('[1](https://a.example)', new Set([1])), ['[1](https://a.example)']);
});

test('lists the numbers that a text cites', () => {
  assert.deepEqual([...citedNumbers('a [1], b [2;3]')], [1, 2, 3]);
});
