import { longestWindow } from './kernel.ts';
import type { Token } from './tokenizer.ts';

/** A window is closed at the end of a sentence or line from here on, and at any comma from there on. */
const comfortable = 60;
const crowded = 140;

/** Cuts tokens into windows that the model reads at once, where no name is likely to be cut. */
export function* windowsOf(tokens: Iterable<Token>): Generator<Token[]> {
  let window: Token[] = [];
  for (const token of tokens) {
    window.push(token);
    const n = window.length;
    const paragraph = token.text === '\n' && token.end - token.start > 1;
    const sentence = n >= comfortable && /^[.!?\n]$/.test(token.text);
    const pause = n >= crowded && /^[,;:)]$/.test(token.text);
    if (sentence || pause || n === longestWindow || (paragraph && n >= comfortable / 2)) {
      yield window;
      window = [];
    }
  }
  if (window.length) yield window;
}
