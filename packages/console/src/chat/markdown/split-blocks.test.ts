import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lexer } from 'marked';
import { noBlocks, splitBlocks } from './split-blocks.ts';

const text = `# Refunds

Goods that arrive broken are **refunded** in full [1].

1. First
2. Second

   with a paragraph of its own

   - and a list

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const x = 1;

const y = 2;
\`\`\`

> A quote
> of two lines

Title
=====

The end.
`;

test('reads the same blocks word by word as at once', () => {
  let blocks = noBlocks;
  for (let end = 1; end <= text.length; end++) {
    blocks = splitBlocks(blocks, text.slice(0, end));
    assert.deepEqual(
      blocks.list.map(({ token }) => token.raw),
      lexer(text.slice(0, end)).map(({ raw }) => raw),
      `after ${end}`,
    );
  }
});

test('keeps the identity of blocks that are done when a text grows', () => {
  const half = splitBlocks(noBlocks, text);
  const whole = splitBlocks(half, `${text}\nMore words.`);
  assert.equal(whole.list[0], half.list[0]);
  assert.equal(whole.list[4], half.list[4]);
});

test('reads a text anew when it is another one', () => {
  const other = splitBlocks(splitBlocks(noBlocks, text), 'Else');
  assert.deepEqual(
    other.list.map(({ token }) => token.raw),
    ['Else'],
  );
});
