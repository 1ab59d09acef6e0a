import { required } from '../../lib/required.ts';

/**
 * Reasons are stored and shown to users without access to the text, so longer pieces of the text are removed from them.
 */
const longest = 200;
const sharedCharacters = 20;
const sharedWords = 4;

/** Made when it is first used: it reads tables of all scripts. */
let known: Intl.Segmenter | undefined;
function words(): Intl.Segmenter {
  known ??= new Intl.Segmenter('und', { granularity: 'word' });
  return known;
}

/** Keeps letters and digits only, so that spacing, case and punctuation hide nothing. */
const bareOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

interface Piece {
  bare: string;
  start: number;
  end: number;
}

/** Runs of adjacent pieces whose letters together occur in the text. */
function shared(pieces: readonly Piece[], run: number, text: string): Piece[] {
  return pieces.flatMap((first, index) => {
    const together = pieces.slice(index, index + run);
    const last = required(together.at(-1));
    const bare = together.map((piece) => piece.bare).join('');
    return together.length === run && text.includes(bare) ? [{ bare, start: first.start, end: last.end }] : [];
  });
}

/** Each character as a piece. */
const charactersOf = (reason: string): Piece[] =>
  [...reason.matchAll(/[\p{L}\p{N}]/gu)].map(({ 0: character, index }) => ({
    bare: character.toLowerCase(),
    start: index,
    end: index + character.length,
  }));

const wordsOf = (reason: string): Piece[] =>
  [...words().segment(reason)].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ bare: bareOf(segment), start: index, end: index + segment.length }] : [],
  );

/** Short but revealing pieces: words with digits, addresses, names, and everything in quotation marks. */
const telling =
  /\S*[\p{N}@]\S*|(?<=[\p{L}\p{N},;:)] )\p{Lu}[\p{L}’'-]+|["“”„«»'‘’`「][^"“”„«»`「」]{2,}?["“”„«»'‘’`」]/gu;
const tellingOf = (reason: string): Piece[] =>
  [...reason.matchAll(telling)].map(({ 0: all, index }) => ({
    bare: bareOf(all),
    start: index,
    end: index + all.length,
  }));

/** Removes the longer pieces that the reason shares with the text; one line of at most 200 characters. */
export function scrubReason(reason: string, text: string): string {
  const said = reason
    .normalize('NFKC')
    .slice(0, 1000)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const bare = bareOf(text);
  const taken = [
    ...shared(charactersOf(said), sharedCharacters, bare),
    ...shared(wordsOf(said), sharedWords, bare),
    ...shared(
      tellingOf(said).filter((piece) => piece.bare.length >= 3),
      1,
      bare,
    ),
  ].sort((a, b) => a.start - b.start);
  let [out, at] = ['', 0];
  for (const { start, end } of taken) {
    if (start > at || out === '') out += `${said.slice(at, start)}…`;
    at = Math.max(at, end);
  }
  const kept = [...(out + said.slice(at)).replace(/…(\s*…)+/g, '…')];
  return kept.length > longest ? `${kept.slice(0, longest - 1).join('')}…` : kept.join('');
}
