import type { Writable } from 'node:stream';
import type { TerminalSize } from '../../driver.ts';

/**
 * Writes sizes to a pipe, one on a line. While the program does not read, only the newest size waits: those before it
 * would be replaced anyway, and would fill the memory.
 */
export function makeSizeWriter(pipe: Writable): (size: TerminalSize) => void {
  let newest: TerminalSize | undefined;
  let isWriting = false;

  function writeNewest(): void {
    if (isWriting || !newest) return;
    const { rows, cols } = newest;
    newest = undefined;
    isWriting = true;
    // Also called when the pipe is closed.
    pipe.write(`${rows} ${cols}\n`, () => {
      isWriting = false;
      writeNewest();
    });
  }

  return (size) => {
    newest = size;
    writeNewest();
  };
}
