import { randomInt } from 'node:crypto';
import { required } from '../../lib/required.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** Makes a word that occurs nowhere else. It has letters only, so that no detector takes it for personal data. */
export const createCanary = () => Array.from({ length: 24 }, () => alphabet[randomInt(26)]).join('');

/** Keeps letters and digits only, so that spacing, hyphens, case and width make no difference. */
const bareOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

const rot13 = (word: string) =>
  word.replace(/[a-z]/g, (letter) => required(alphabet[(alphabet.indexOf(letter) + 13) % 26]));

/** The base64 of a word inside a longer text: three alignments, each without the ends that depend on the neighbours. */
const base64Of = (word: string): string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + word).toString('base64');
    const [from, spoiled] = [required([0, 2, 3][before]), (before + word.length) % 3];
    return encoded.replace(/=+$/, '').slice(from, spoiled === 0 ? undefined : -1);
  });

/** Finds the canary in a text, also in the encodings that users ask models for. */
export function makeCanaryCheck(canary: string): (text: string) => boolean {
  const word = bareOf(canary);
  if (word.length < 12) throw new Error('A canary needs at least 12 letters, or it turns up by chance');
  const cased = [word, word.toUpperCase(), canary];
  const needles = [
    word,
    [...word].reverse().join(''),
    rot13(word),
    ...cased.map((form) => Buffer.from(form).toString('hex')),
    ...cased.flatMap(base64Of),
  ].map(bareOf);
  return (text) => {
    const bare = bareOf(text);
    return needles.some((needle) => bare.includes(needle));
  };
}
