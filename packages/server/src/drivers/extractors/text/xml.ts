import { setImmediate as turn } from 'node:timers/promises';
import type { Extractor } from '../driver.ts';
import { cutWarning, fitted } from './fitted.ts';
import { asWritten, paragraphs } from './plain.ts';
import { bytesFor, readText } from './read-text.ts';

const step = 256 * 1024;

/** Whether markup is as it should be. Nothing that it declares is expanded. */
async function isWellFormed(text: string, signal: AbortSignal): Promise<boolean> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  let wrong = false;
  parser.on('error', () => {
    wrong = true;
  });
  for (let at = 0; at < text.length && !wrong; at += step) {
    parser.write(text.slice(at, at + step));
    await turn();
    signal.throwIfAborted();
  }
  if (!wrong) parser.close();
  return !wrong;
}

/** Keeps XML as written, since the meaning of its elements is unknown. */
export const xmlExtractor: Extractor = {
  types: ['application/xml', 'text/xml'],
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    const shown = fitted(text, max_chars);
    const result = asWritten(shown, paragraphs(shown), String);
    if (cut || shown !== text) return { ...result, warnings: [cutWarning(max_chars)] };
    if (/<!ENTITY\s/.test(text))
      return { ...result, warnings: ['It declares entities of its own, which are not expanded.'] };
    return (await isWellFormed(text, signal)) ? result : { ...result, warnings: ['It is not well-formed XML.'] };
  },
};
