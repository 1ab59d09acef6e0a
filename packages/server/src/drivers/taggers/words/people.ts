import type { TaggedSpan } from '../driver.ts';
import { closings, cues, greetings, weakCues } from './cues.ts';
import type { Lexicon } from './lexicon.ts';
import { makeNameReader } from './name-reader.ts';
import { humanVerb, organizationWord, titles } from './name-words.ts';
import type { Token } from './tokens.ts';

const phrases = [
  [cues, false],
  [greetings, true],
  [closings, true],
  [weakCues, true],
] as const;

/** Finds persons by titles and phrases before them, by listed names, and by two unknown capitalized words in a row. */
export function findPeople(text: string, tokens: readonly Token[], lexicon: Lexicon): TaggedSpan[] {
  const { places, groups, ordinary } = lexicon;
  const is = makeNameReader(text, tokens, lexicon);
  const spans: TaggedSpan[] = [];
  const taken = new Set<number>();
  const add = (from: number, to: number, score: number) => {
    const next = tokens[to + 1];
    if (next && next.gap === ' ' && is.isCapital(next) && is.endsName(next) && score < 0.8) return;
    spans.push({ entity: 'PERSON', start: (tokens[from] as Token).start, end: (tokens[to] as Token).end, score });
    for (let index = from; index <= to; index++) taken.add(index);
  };

  /** Reads the name after a title or phrase; after a weak one it may be something else. */
  function announced(index: number, weak: boolean): void {
    const token = tokens[index];
    if (!token || is.isNever(token) || titles.has(token.lower)) return;
    const next = tokens[index + 1];
    if (!is.isCapital(token) && !(is.isParticle(token) && is.nameEnd(index, true) > index)) {
      if (!is.isFirst(token) || ordinary.has(token.lower)) return;
      add(index, next && next.gap === ' ' && !is.isWord(next) && is.isLast(next) ? index + 1 : index, 0.7);
      return;
    }
    const known = is.isFirst(token) || is.isLast(token);
    const particle = is.isParticle(token) && is.nameEnd(index, true) > index;
    if (!known && !particle && (is.isWord(token) || organizationWord.has(token.lower))) return;
    if (!known && weak && is.isElse(token)) return;
    add(index, is.nameEnd(index, true), weak ? 0.7 : 0.85);
  }

  function titled(token: Token, index: number): void {
    const next = tokens[index + 1];
    if (!titles.has(token.lower) || !next || (next.gap !== ' ' && next.gap !== '. ')) return;
    const plausible = is.isCapital(next)
      ? is.isCapital(token) || token.lower.length < 4
      : is.isFirst(next) || is.isLast(next) || (is.isParticle(next) && is.nameEnd(index + 1, true) > index + 1);
    if (plausible) announced(index + 1, false);
  }

  /** A listed first name. When it is also a word or a place, it needs a last name. */
  function listed(token: Token, index: number, second: Token | undefined): void {
    const ambiguous = ordinary.has(token.lower) || places.has(token.lower) || groups.has(token.lower);
    const last = !!second && is.isLast(second);
    const surname = second && (last || !is.isWord(second)) && !groups.has(second.lower) && !is.endsName(second);
    if (!is.isCapital(token)) {
      if (!ambiguous && token.text.length > 3) add(index, surname && last ? index + 1 : index, 0.5);
      return;
    }
    const end = is.nameEnd(index, token.shape === 'title');
    if (ambiguous) {
      const opening = places.has(token.lower) && !last && token.opens;
      if (surname && !places.has(second.lower) && !opening) add(index, end, 0.7);
    } else if (end > index || token.shape === 'title' || token.text.length > 3)
      add(index, end, end > index ? 0.8 : 0.6);
  }

  /** A capitalized word that is not a listed first name. */
  function unlisted(token: Token, index: number, second: Token | undefined): void {
    if (is.isInitial(token)) {
      const next = tokens[index + 1];
      if (next?.gap === '. ' && next.shape === 'title' && is.isStrange(next)) add(index, is.nameEnd(index, false), 0.6);
    } else if (token.shape !== 'title') return;
    else if (is.isLast(token) && !ordinary.has(token.lower) && !places.has(token.lower))
      add(index, is.nameEnd(index, false), 0.5);
    else if (!is.isStrange(token)) return;
    else if (second && (is.isStrange(second) || is.isLast(second)))
      add(index, is.nameEnd(index, false), is.isLast(second) ? 0.7 : 0.4);
    else if (humanVerb.test(text.slice(token.end, token.end + 12))) add(index, index, 0.45);
  }

  const startingAt = new Map(tokens.map((token, index) => [token.start, index]));
  for (const [phrase, weak] of phrases)
    for (const { 0: words, index } of text.matchAll(phrase)) {
      const next = startingAt.get(index + words.length);
      if (next !== undefined) announced(titles.has((tokens[next] as Token).lower) ? next + 1 : next, weak);
    }
  for (const [index, token] of tokens.entries()) {
    titled(token, index);
    if (taken.has(index) || is.isNever(token)) continue;
    const next = tokens[index + 1];
    const second = next && next.gap === ' ' && next.shape === token.shape ? next : undefined;
    if (is.isFirst(token)) listed(token, index, second);
    else if (is.isCapital(token)) unlisted(token, index, second);
  }
  return spans;
}
