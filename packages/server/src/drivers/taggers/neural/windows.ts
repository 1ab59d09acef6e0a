import { longestWindow } from './kernel.ts';
import type { Token } from './tokenizer.ts';

/** From the first length on, a window ends at a sentence or line; from the second on, at any comma. */
const comfortable = 60;
const crowded = 140;

/** Splits tokens into windows for the model, at places where a name is unlikely to be split. */
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
