import { required } from '../../../lib/required.ts';
import type { Recogniser, Span } from '../ports.ts';
import { glued } from '../surroundings.ts';

/** Digits with single separators or line breaks between them. A run is always taken whole. */
const digitRun = /\d(?:[ .-]?\d|\r?\n\d)*/g;

/** A range of first digits, and the lengths that cards with these digits have. */
const issuers: readonly [from: number, to: number, lengths: readonly number[]][] = [
  [1, 1, [15]], // UATP
  [2200, 2204, [16, 17, 18, 19]], // Mir
  [2221, 2720, [16]], // Mastercard
  [300, 305, [14, 16, 17, 18, 19]], // Diners Club
  [3095, 3095, [14, 16]],
  [34, 34, [15]], // American Express
  [36, 36, [14, 15, 16, 17, 18, 19]],
  [37, 37, [15]],
  [38, 39, [14, 16, 17, 18, 19]],
  [3528, 3589, [16, 17, 18, 19]], // JCB
  [4, 4, [13, 16, 19]], // Visa
  [50, 50, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  [51, 55, [16]],
  [56, 58, [12, 13, 14, 15, 16, 17, 18, 19]],
  [60, 60, [16, 17, 18, 19]], // Discover, RuPay, Hipercard
  [62, 62, [16, 17, 18, 19]], // UnionPay
  [63, 63, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro, InstaPayment, Elo
  [64, 65, [16, 17, 18, 19]],
  [67, 67, [12, 13, 14, 15, 16, 17, 18, 19]],
  [81, 82, [16, 17, 18, 19]], // UnionPay, RuPay
  [9792, 9792, [16]], // Troy
];

function issued(digits: string): boolean {
  return issuers.some(([from, to, lengths]) => {
    const head = Number(digits.slice(0, `${from}`.length));
    return head >= from && head <= to && lengths.includes(digits.length);
  });
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    sum += at % 2 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

const isCard = (digits: string) =>
  digits.length >= 12 && digits.length <= 19 && luhn(digits) && issued(digits) && /[1-9].*[1-9]/.test(digits);

interface Group {
  digits: string;
  start: number;
  end: number;
}

/** How many groups from here make a card number; usual lengths come first, because a security code may follow. */
function cardFrom(groups: readonly Group[], first: number): number {
  let digits = '';
  let best = 0;
  for (let last = first; last < groups.length && digits.length < 19; last++) {
    const { digits: more } = required(groups[last]);
    if (more.length < 3) break;
    digits += more;
    if (!isCard(digits)) continue;
    if (digits.length >= 14 && digits.length <= 16) return last - first + 1;
    best ||= last - first + 1;
  }
  return best;
}

/**
 * Whether the number is part of something longer: letters or digits beside it, a decimal point, the plus of a phone
 * number.
 */
function partOfMore(text: string, start: number, end: number): boolean {
  if (glued(text, start - 1) || glued(text, end) || text[start - 1] === '+') return true;
  // A list of cards has commas too, but never that close to a shorter number.
  return (
    /(?<!\d{11})\d[.,]$/.test(text.slice(Math.max(0, start - 13), start)) ||
    /^[.,]\d(?!\d{11})/.test(text.slice(end, end + 13))
  );
}

export const creditCard: Recogniser = {
  entities: ['CREDIT_CARD'],
  find(text) {
    const spans: Span[] = [];
    for (const { 0: run, index } of text.matchAll(digitRun)) {
      if (run.length < 12) continue;
      const groups = [...run.matchAll(/\d+/g)].map(
        (match): Group => ({
          digits: match[0],
          start: index + match.index,
          end: index + match.index + match[0].length,
        }),
      );
      for (let at = 0; at < groups.length; at++) {
        const count = cardFrom(groups, at);
        if (!count) continue;
        const [{ start }, { end }] = [required(groups[at]), required(groups[at + count - 1])];
        if (partOfMore(text, start, end)) continue;
        spans.push({ entity: 'CREDIT_CARD', start, end, score: 1 });
        at += count - 1;
      }
    }
    return spans;
  },
};
