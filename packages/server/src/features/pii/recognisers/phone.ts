import type { Recogniser, Span } from '../ports.ts';
import { glued } from '../surroundings.ts';
import { creditCard } from './credit-card.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { makeJudge } from './judge-phone-number.ts';
import { numericDates } from './numeric-dates.ts';
import { piecesOf } from './phone-number-pieces.ts';

/** All characters of phone numbers. A run is taken whole. */
const numberRun = /(?:[+(]{1,3} ?)?\d[\d ().\-/\r\n]*/g;
const extension =
  /[ ,;]{0,2}(?:\(?(?:ext(?:ension|n)?|durchwahl|poste|anexo|interno|ramal|доб)\b[.:]{0,2}|x|#)\s{0,2}\d{1,7}\)?(?![\p{N}\p{L}])/iuy;

/** Blanks out numbers of other kinds, whether or not those entities are asked for. */
function withoutOtherNumbers(text: string): string {
  const taken = [creditCard, iban, ipAddress].flatMap(({ find }) => find(text) as Span[]);
  for (const span of numericDates(text)) if (span.score > 0.7) taken.push(span);
  if (!taken.length) return text;
  let out = '';
  let from = 0;
  for (const { start, end } of taken.sort((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    out += text.slice(from, Math.max(from, start)) + '§'.repeat(end - Math.max(from, start));
    from = end;
  }
  return out + text.slice(from);
}

/** Whether the number is part of something longer: a word, a price, a decimal, a longer code. */
function partOfMore(text: string, start: number, end: number, extended: boolean): boolean {
  const plus = text[start] === '+';
  if (!plus && (glued(text, start - 1) || '$€£¥§'.includes(text.charAt(start - 1) || ' '))) return true;
  if (!plus && /[\p{N}\p{L}][.,:'-]$|[#=]0?$/u.test(text.slice(Math.max(0, start - 2), start).replace(/[=]$/, '')))
    return true;
  if (extended) return false;
  return glued(text, end) || /^(?:[.,:'-][\p{N}\p{L}]|\s?[%€$£§])/u.test(text.slice(end, end + 2));
}

export const phone: Recogniser = {
  entities: ['PHONE_NUMBER'],
  find(text) {
    if (!/\d{2}/.test(text)) return [];
    const spans: Span[] = [];
    const judge = makeJudge(text);
    const open = withoutOtherNumbers(text);
    for (const { 0: run, index } of open.matchAll(numberRun)) {
      if (run.length < 7) continue;
      let floor = 0;
      for (const piece of piecesOf(run)) {
        if (piece.start < floor) continue;
        const [start, end] = [index + piece.start, index + piece.end];
        extension.lastIndex = end;
        const more = extension.exec(open)?.[0].length ?? 0;
        if (partOfMore(open, start, end, more > 0)) continue;
        const score = judge(open.slice(start, end), start, end);
        if (!score) continue;
        spans.push({ entity: 'PHONE_NUMBER', start, end: end + more, score });
        floor = piece.end;
      }
    }
    return spans;
  },
};
