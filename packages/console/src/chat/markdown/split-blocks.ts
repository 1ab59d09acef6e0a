import { lexer, type Token } from 'marked';

export interface Block {
  readonly token: Token;
  /** Where it begins in the text. */
  readonly start: number;
}

export interface Blocks {
  readonly text: string;
  readonly list: readonly Block[];
}

export const noBlocks: Blocks = { text: '', list: [] };

function blocksFrom(text: string, start: number): Block[] {
  let at = start;
  return lexer(text.slice(start)).map((token) => {
    const block = { token, start: at };
    at += token.raw.length;
    return block;
  });
}

/** How many of the last blocks may still change when words are added: a list, a table or a heading grows out of them. */
const openBlocks = 3;

/**
 * The blocks of a text in Markdown. Of a text that has grown since the last time only the last blocks are read again; the
 * others keep their identity.
 */
export function splitBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  const kept = text.startsWith(before.text) ? before.list.slice(0, -openBlocks) : [];
  const last = kept.at(-1);
  const start = last ? last.start + last.token.raw.length : 0;
  // The lexer turns tabs and ends of lines into others; such a text is read as a whole.
  if (kept.length === 0 || text.slice(0, start) !== kept.map(({ token }) => token.raw).join(''))
    return { text, list: blocksFrom(text, 0) };
  return { text, list: [...kept, ...blocksFrom(text, start)] };
}
