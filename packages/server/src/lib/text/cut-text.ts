/** How far a cut may move to find a place where it tears nothing. Longer than anything that it could tear. */
export const maxCutShift = 200;

const newline = /[\n\r\u2028\u2029]/;
const space = /\s/;
const digit = /\p{N}/u;
const wideStop = /[。！？]/;
/** Between two values of JSON that is written without spaces. */
const between = /[,[{]["[{]/;
/** A word in small letters and a stop. Initials, titles and numbers have stops too. */
const sentence = /\p{Ll}{4}[.!?]["'”’)\]]*\s*$/u;
const lastWord = /(\S*)\s*$/;
const firstWord = /^\s*(\S*)/;
const common = /^[("'“]*\p{Ll}+[,;:)"'”]*$/u;

/** How sure it is that a cut here tears no name, number or address; 0 where one may well be torn. */
function sureness(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return 1;
  const last = text.charAt(at - 1);
  if (wideStop.test(last)) return 3;
  if (between.test(text.slice(at - 1, at + 1))) return 2;
  if (!space.test(last) && !space.test(text.charAt(at))) return 0;
  const before = text.slice(Math.max(0, at - 60), at);
  if (sentence.test(before)) return 3;
  const left = lastWord.exec(before)?.[1] ?? '';
  const right = firstWord.exec(text.slice(at, at + 60))?.[1] ?? '';
  const numbers = digit.test(left) && digit.test(right);
  if (newline.test(last)) return numbers ? 2 : 3;
  if (common.test(left) && common.test(right)) return 2;
  return numbers ? 0 : 1;
}

const splitsCharacter = (text: string, at: number) =>
  at > 0 && at < text.length && text.charCodeAt(at - 1) >> 10 === 0x36 && text.charCodeAt(at) >> 10 === 0x37;

function surest(text: string, from: number, step: 1 | -1, most: number): number {
  let best = splitsCharacter(text, from) ? from + step : from;
  let sure = 0;
  for (let moved = 0, at = from; moved <= most && at >= 0 && at <= text.length && sure < 3; moved++, at += step) {
    const here = sureness(text, at);
    if (here > sure) [best, sure] = [at, here];
  }
  return best;
}

/**
 * Finds where to cut a text so that no value is split, since the anonymizer finds whole values only. Cuts at most that
 * far into the text and not much earlier: at the end of a line or a sentence, or between two common words.
 */
export const cutBefore = (text: string, at: number, most = maxCutShift): number =>
  at >= text.length ? text.length : surest(text, at, -1, Math.min(most, at));

/** The same for what stands after the cut: not earlier, and not much later. */
export const cutAfter = (text: string, at: number, most = maxCutShift): number =>
  at <= 0 ? 0 : surest(text, at, 1, Math.min(most, text.length - at));
