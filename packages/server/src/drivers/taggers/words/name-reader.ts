import type { Lexicon } from './lexicon.ts';
import { never, organizationWord, particles, titles } from './name-words.ts';
import type { Token } from './tokens.ts';

const contraction = /'(?:m|re|ve|ll|d|t)$/;

/** The longest name, in words. */
const longest = 6;

/** Decides for each word of a text what it can be in a name. */
export function makeNameReader(text: string, tokens: readonly Token[], lexicon: Lexicon) {
  const { firstNames, lastNames, places, groups, organizations, ordinary } = lexicon;
  const isCapital = ({ shape }: Token) => shape !== 'lower';
  const isLast = ({ lower }: Token) => lastNames.has(lower);
  const isFirst = ({ lower }: Token) =>
    firstNames.has(lower) || (lower.includes('-') && lower.split('-').every((part) => firstNames.has(part)));
  const isNever = ({ lower }: Token) => never.has(lower) || contraction.test(lower);
  const isWord = (token: Token) => ordinary.has(token.lower) || isNever(token);
  const isInitial = (token: Token) => token.text.length === 1 && (!/[IA]/.test(token.text) || text[token.end] === '.');
  const isParticle = ({ lower }: Token) => particles.has(lower);
  /** Organizations and streets are named after persons. */
  const endsName = (token: Token) => organizationWord.has(token.lower) && !isLast(token);
  const isElse = ({ lower }: Token) => places.has(lower) || groups.has(lower) || organizations.has(lower);
  /** A capitalized word that is in no list. */
  const isStrange = (token: Token) =>
    token.text.length > 1 &&
    !isWord(token) &&
    !isElse(token) &&
    !organizationWord.has(token.lower) &&
    !titles.has(token.lower);
  const goesOn = (token: Token, before: Token) =>
    token.gap === ' ' || (token.gap === '. ' && (before.text.length === 1 || titles.has(before.lower)));

  /** Whether the name continues here with `de la` or the like and a capitalized word. */
  const bridges = (index: number) => {
    const next = tokens[index + 1];
    return next?.gap === ' ' && (isParticle(next) || (isCapital(next) && !isNever(next)));
  };

  /** Whether a word can be a later word of a name; `loose` accepts ordinary words with a capital. */
  function fits(index: number, upper: boolean, loose: boolean): boolean {
    const token = tokens[index] as Token;
    if (!isCapital(token) || endsName(token)) return false;
    if (isInitial(token)) return /^(?:\. | )/.test(tokens[index + 1]?.gap ?? '');
    if (isNever(token) || (token.shape === 'upper') !== upper) return false;
    if (groups.has(token.lower) && !isLast(token)) return false;
    const free = loose && !upper;
    return (
      free || !ordinary.has(token.lower) || isLast(token) || isFirst(token) || isParticle(tokens[index - 1] as Token)
    );
  }

  /** The index of the last word of the name that begins here. */
  function nameEnd(from: number, loose: boolean): number {
    const upper = tokens[from]?.shape === 'upper';
    let end = from;
    for (let index = from + 1; index < tokens.length && index - from < longest; index++) {
      const token = tokens[index] as Token;
      if (!goesOn(token, tokens[index - 1] as Token)) break;
      if (isParticle(token) && (upper || !isCapital(token)) && bridges(index)) continue;
      if (!fits(index, upper, loose)) break;
      end = index;
    }
    while (end > from && isInitial(tokens[end] as Token)) end--;
    return end;
  }

  return { isCapital, isLast, isFirst, isNever, isWord, isInitial, isParticle, endsName, isElse, isStrange, nameEnd };
}
