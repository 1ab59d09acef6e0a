import { applyControl } from './apply-control.ts';
import type { Screen } from './screen.ts';

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: terminals are made of them.
/** A whole sequence: with parameters, a title or other text that is not shown, a choice of characters, or one letter. */
const sequence =
  /\u001b(?:\[([?>=!]?)([\d;:]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ ()*+#%][ -~]|([^[\]PX^_ ()*+#%]))/y;
const words = /[^\u0000-\u001f\u007f]+/y;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

/** A sequence that is longer than this and has no end is none. */
const longest = 4096;

/** Draws the output of a program on a screen. A sequence may come in several pieces. */
export function makeOutputReader(screen: Screen): (text: string) => void {
  let rest = '';

  function readLetter(letter: string): void {
    if (letter === '7') screen.save();
    else if (letter === '8') screen.restore();
    else if (letter === 'D') screen.lineFeed();
    else if (letter === 'M') screen.reverseLineFeed();
    else if (letter === 'c') screen.reset();
    else if (letter === 'E') {
      screen.x = 0;
      screen.lineFeed();
    }
  }

  function readControl(char: string): void {
    if (char === '\n' || char === '\v' || char === '\f') screen.lineFeed();
    else if (char === '\r') screen.x = 0;
    else if (char === '\b') screen.x = Math.max(0, Math.min(screen.x, screen.cols) - 1);
    else if (char === '\t') screen.x = Math.min(screen.cols - 1, (Math.floor(screen.x / 8) + 1) * 8);
  }

  return (text) => {
    const all = rest + text;
    rest = '';
    for (let at = 0; at < all.length; ) {
      words.lastIndex = at;
      const shown = words.exec(all)?.[0];
      if (shown !== undefined) {
        for (const char of shown) screen.print(char);
        at += shown.length;
      } else if (all[at] !== '\u001b') readControl(all[at++] as string);
      else {
        sequence.lastIndex = at;
        const found = sequence.exec(all);
        if (!found && all.length - at < longest) {
          rest = all.slice(at);
          return;
        }
        const [whole = '\u001b', mark = '', parameters = '', final, letter] = found ?? [];
        if (final) applyControl(screen, { mark, final, numbers: parameters.split(/[;:]/).map(Number) });
        else if (letter) readLetter(letter);
        at += whole.length;
      }
    }
  };
}
