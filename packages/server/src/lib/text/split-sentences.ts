/** A longer sentence is probably a listing, and is quoted in pieces. */
const longest = 500;

const abbreviation =
  /(?:^|[\s(])(?:\p{L}|Dr|Mr|Mrs|Ms|St|Nr|No|bzw|ca|e\.g|i\.e|etc|vs|z\.B|d\.h|usw|approx|Fig|Inc|Ltd|Prof|ул|см|им)\.$/u;
const blockStart = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|>|\|)/;

/** Lines that were only wrapped are one; headings, list items and table rows stand alone. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open = false;
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const trimmed = line.trim();
    const before = blocks.length - 1;
    const wrapped = open && !blockStart.test(line) && (blocks[before]?.length ?? 0) >= 40;
    if (!trimmed) open = false;
    else {
      if (wrapped) blocks[before] += ` ${trimmed}`;
      else blocks.push(trimmed);
      open = !/^#{1,6}\s|^\|/.test(trimmed);
    }
  }
  return blocks;
}

function* sentencesIn(block: string): Generator<string> {
  let start = 0;
  for (const { index, 0: end } of block.matchAll(/(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)|[。！？｡؟۔।]+[」』”’）]*/gu)) {
    const stop = index + end.length;
    const said = block.slice(start, stop);
    if (end.startsWith('.') && abbreviation.test(said.slice(-12))) continue;
    // "approx. two": a small letter goes on.
    if (end === '.' && /^\s+\p{Ll}/u.test(block.slice(stop, stop + 10))) continue;
    yield said;
    start = stop;
  }
  yield block.slice(start);
}

function* pieces(sentence: string): Generator<string> {
  let rest = sentence;
  while (rest.length > longest) {
    const space = rest.lastIndexOf(' ', longest);
    const end = space > longest / 2 ? space : longest;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
}

/** Removes markdown characters that have no meaning in a quotation. */
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|>\s*)/, '')
    .replace(/^\s*\|\s*|\s?\|\s*$/g, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

export interface Sentence {
  text: string;
  /** A heading of the text below it. */
  heading: boolean;
}

/** A text as its sentences and headings, in order. */
export function splitSentencesAndHeadings(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const block of blocksOf(text)) {
    const heading = /^#{1,6}\s/.test(block);
    for (const sentence of heading ? [block] : sentencesIn(block))
      for (const piece of pieces(sentence)) {
        const clean = tidy(piece);
        if (/[\p{L}\p{N}]/u.test(clean)) sentences.push({ text: clean, heading });
      }
  }
  return sentences;
}

/** The sentences of a text, in order. */
export const splitSentences = (text: string): string[] =>
  splitSentencesAndHeadings(text).map((sentence) => sentence.text);
