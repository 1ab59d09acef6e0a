import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditCard } from './credit-card.ts';

/** A number of this length with these first digits and a correct check digit. */
function numberOf(head: string, length: number): string {
  const body = head.padEnd(length - 1, '123456789');
  const sum = [...body].toReversed().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
const isFound = async (head: string, length = 16) =>
  (await creditCard.find(`card ${numberOf(head, length)}`)).length === 1;

test('finds the numbers of issuers, from the first to the last of their first digits', async () => {
  const heads = '2200 2204 2221 2720 300 305 3528 3589 4 50 51 55 56 58 60 62 63 64 65 67 81 82 9792';
  for (const head of heads.split(' ')) assert.ok(await isFound(head), head);
  for (const [head, length] of [
    ['1', 15],
    ['34', 15],
    ['37', 15],
    ['36', 14],
    ['38', 14],
    ['39', 14],
    ['3095', 14],
  ] as const)
    assert.ok(await isFound(head, length), head);
});

test('leaves numbers with a correct check digit that no issuer has', async () => {
  const heads = '2199 2205 2220 2721 306 3527 3590 59 61 66 68 80 83 9791 9793 0';
  for (const head of heads.split(' ')) assert.ok(!(await isFound(head)), head);
  for (const [head, length] of [
    ['4', 15],
    ['34', 16],
    ['51', 17],
    ['2221', 17],
  ] as const)
    assert.ok(!(await isFound(head, length)), `${head}, ${length} digits`);
});
