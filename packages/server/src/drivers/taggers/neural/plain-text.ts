import { loadLexicon } from '../words/lexicon.ts';
import type { Asset } from './asset.ts';
import { makeListLookup } from './features.ts';
import { tokensOf } from './tokenizer.ts';

/** The part of the model that knows names by themselves. */
export type NameLists = Pick<Asset, 'lists' | 'probes' | 'bytes'>;

const wordsOf = (text: string) => new Set(text.split(' '));

/** Words that are on lists of names too, but are no names in lower case or at the beginning of a sentence. */
const starters = wordsOf(
  'the of to and in you that he on are as be at from or by but we can all how if then so her him no most over now any only every ' +
    'it have just why also here must such since while once still both do my had has were been try tell',
);
/** The same in lower case only. */
const inside = wordsOf(
  'one other up said an way many them like make see two look more go come number than call first take made back good me under name ' +
    'much say same mean too three want well end read even ask went off us next yes file mail answer link list send buy pay check ' +
    'setting along among below during inside upon never soon later early late ago away far neither few less new work part place ' +
    'show form line right old small large big high change point world start stop close free offer plan test code access model app ' +
    "service don't i'm it's can't isn't doesn't won't i've i'd let's what's that's there's here's didn't wasn't aren't couldn't " +
    "wouldn't shouldn't themselves myself yourself itself unless summarize translate parcel",
);
/** Lists of words that are no names of people, places or groups; whatever other lists hold can be a part of one. */
const otherLists = new Set(['common', 'thing', 'thing_part']);

const isDigits = /^\d+$/;
const hasLetter = /[\p{L}\p{N}]/u;
const isPossessive = /^['’][sS]$/;
const endsSentence = /^[.!?\n]$/;

/**
 * Says whether a text has only words that are no names: ordinary words that are on no list of names, in lower case or at
 * the beginning of a sentence, and numbers. The model finds nothing in such a text, so it need not read it.
 */
export function makeIsPlainText(names: NameLists): (text: string) => boolean {
  const isIn = makeListLookup(names);
  const lists = names.lists.filter((list) => !otherLists.has(list));
  const { ordinary } = loadLexicon();
  /** Looked up once for each ordinary word; no other word is kept. */
  const known = new Map<string, boolean>();

  function isOrdinary(low: string): boolean {
    if (!ordinary.has(low)) return false;
    const before = known.get(low);
    if (before !== undefined) return before;
    const isNoName = !lists.some((list) => isIn(list, low));
    known.set(low, isNoName);
    return isNoName;
  }

  function isPlain(word: string, startsSentence: boolean): boolean {
    if (isDigits.test(word) || isPossessive.test(word) || !hasLetter.test(word) || word === 'I') return true;
    const low = word.toLowerCase();
    if (low === word) return starters.has(low) || inside.has(low) || isOrdinary(low);
    if (!startsSentence || word.slice(1) !== low.slice(1)) return false;
    return starters.has(low) || isOrdinary(low);
  }

  return (text) => {
    let startsSentence = true;
    for (const { text: word } of tokensOf(text)) {
      if (!isPlain(word, startsSentence)) return false;
      startsSentence = endsSentence.test(word);
    }
    return true;
  };
}
