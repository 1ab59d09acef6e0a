import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseOf } from '../../../../test/support/prose.ts';
import { makeReadingBudget } from './reading-budget.ts';
import { tokensOf } from './tokenizer.ts';
import { windowsOf } from './windows.ts';

/** The number of words that the tagger caches before it begins again. */
const cacheSize = 2048;

/** Reads a text as the tagger does; returns the windows and what of them is read. */
function readText(text: string, listed: readonly string[] = []) {
  const cached = new Set<string>();
  const budget = makeReadingBudget({
    isFree: () => false,
    isCached: (word) => cached.has(word),
    isListed: (word) => listed.includes(word),
  });
  return [...windowsOf(tokensOf(text))].map((window) => {
    const tokens = budget.spend(window);
    if (cached.size > cacheSize) cached.clear();
    for (const { text: word } of tokens) cached.add(word);
    return { window, tokens };
  });
}

test('reads every token of ordinary prose', () => {
  for (const { window, tokens } of readText(proseOf(300_000))) assert.equal(tokens, window);
});

test('reads every token of a short text, whatever it consists of', () => {
  for (const text of ['a@'.repeat(900), '"Ann","Ulm"\n'.repeat(150), '('.repeat(2000)])
    for (const { window, tokens } of readText(text)) assert.equal(tokens, window);
});

test('reads the words of a long table without its signs', () => {
  const read = readText('"1","Anna","Ulm"\n'.repeat(5000), ['Anna', 'Ulm']);
  const words = (tokens: readonly { text: string }[]) => tokens.filter(({ text }) => /\p{L}/u.test(text)).length;
  for (const { window, tokens } of read) assert.equal(words(tokens), words(window));
  const tokens = read.reduce((sum, one) => sum + one.tokens.length, 0);
  assert.ok(tokens < 5000 * 17 * 0.4 + 3000, `${tokens} tokens`);
});

test('reads unknown words of a text that has too many of them as one unknown word with the same capitals', () => {
  const wordAt = (index: number) =>
    String.fromCharCode(97 + (index % 26), 97 + ((index / 26) % 26), 97 + ((index / 676) % 26));
  const text = Array.from({ length: 17_576 }, (_, index) =>
    index % 2 ? wordAt(index) : wordAt(index).toUpperCase(),
  ).join(' ');
  const reduced = readText(text).filter(({ window, tokens }) => tokens !== window);
  assert.ok(reduced.length > 10, `${reduced.length} windows`);
  const standIns = new Set(['ZORBLAN', 'zorblan']);
  for (const { tokens } of reduced)
    assert.deepEqual(new Set(tokens.map((token) => token.text)).isSubsetOf(standIns), true);
});
