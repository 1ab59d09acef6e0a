import { setImmediate as turn } from 'node:timers/promises';
import { type DocumentWriter, makeDocument } from '../document-writer.ts';
import type { Extractor } from '../driver.ts';
import { bytesFor, readText } from '../text/read-text.ts';
import { makePage, type PageChoices } from './html-page.ts';
import { htmlTokens } from './html-tokens.ts';

/** Never shown, or only where there are no scripts. */
const hidden = new Set(
  'script style noscript template iframe noembed noframes object audio video canvas datalist'.split(' '),
);
/** How many tokens are worked through before others get their turn. */
const tokensPerTurn = 20_000;

/** Writes the text that a reader of a page would see. */
export async function writeHtml(
  document: DocumentWriter,
  html: string,
  { max_chars, signal, choices = {} }: { max_chars: number; signal: AbortSignal; choices?: PageChoices },
): Promise<void> {
  const page = makePage(document, choices);
  let [count, hiding] = [0, ''];
  for (const token of htmlTokens(html)) {
    if (++count % tokensPerTurn === 0) {
      await turn();
      signal.throwIfAborted();
    }
    if (hiding) {
      if (token.type === 'close' && token.name === hiding) hiding = '';
    } else if (token.type === 'text') page.text(token.text);
    else if (hidden.has(token.name)) hiding = token.type === 'open' ? token.name : '';
    else if (token.type === 'open') page.open(token.name, token.attributes);
    else page.close(token.name);
    if (document.full() || document.length() + page.pending() > max_chars) break;
  }
  page.end();
}

export const htmlExtractor: Extractor = {
  types: ['text/html', 'application/xhtml+xml'],
  async extract(content, { max_chars, signal, html: choices }) {
    // Markup and scripts are most of many pages.
    const max_bytes = Math.max(bytesFor(max_chars), 8 * 1024 * 1024);
    const { text: html, cut } = await readText(content, { max_bytes, signal });
    const document = makeDocument(max_chars);
    await writeHtml(document, html, { max_chars, signal, choices: choices ?? {} });
    if (cut) document.cut();
    return document.end();
  },
};
