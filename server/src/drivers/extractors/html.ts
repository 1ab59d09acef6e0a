import { setImmediate as turn } from 'node:timers/promises';
import type { Extractor } from './driver.ts';
import { decodeEntities } from './entities.ts';
import { htmlTokens } from './html-tokens.ts';
import { bytesFor, cutWarning, fitted, readText } from './read-text.ts';

const words = (list: string) => new Set(list.split(' '));

/** Never shown, or only where there are no scripts. */
const hidden = words('script style noscript template iframe noembed noframes object audio video canvas datalist');
const blocks = words(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol option p pre search section ' +
    'select summary table tbody tfoot thead title tr ul',
);
const apart = words('h1 h2 h3 h4 h5 h6 p table ul ol dl blockquote pre title');

const headings = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `${'#'.repeat(level)} `]));

/** Text as a page shows it: blanks run together, blocks on lines of their own. What parts two texts waits for the second. */
function makePage() {
  const pieces: string[] = [];
  let [length, breaks, gap, mark, preformatted] = [0, 0, '', '', 0];
  const put = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const say = (text: string) => {
    if (text === '') return;
    if (length > 0) put(breaks ? '\n'.repeat(breaks) : gap);
    put(mark + text);
    [breaks, gap, mark] = [0, '', ''];
  };
  const part = (name: string) => {
    if (blocks.has(name)) breaks = Math.max(breaks, apart.has(name) ? 2 : 1);
  };
  return {
    length: () => length,
    text(written: string) {
      const text = decodeEntities(written);
      if (preformatted) return say(text);
      const run = text.replaceAll(/[\s\u00a0]+/g, ' ');
      if (run.startsWith(' ')) gap ||= ' ';
      say(run.trim());
      if (run.endsWith(' ')) gap ||= ' ';
    },
    open(name: string) {
      part(name);
      if (name === 'li') mark = '- ';
      if (headings.has(name)) mark = headings.get(name) as string;
      if (name === 'pre') preformatted++;
    },
    close(name: string) {
      part(name);
      if (name === 'td' || name === 'th') gap = '\t';
      if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
    },
    whole: () => pieces.join(''),
  };
}

/** How many tokens are worked through before others get their turn. */
const tokensPerTurn = 20_000;

/** The text that a reader of the page would see. */
export const htmlExtractor: Extractor = {
  types: ['text/html', 'application/xhtml+xml'],
  async extract(content, { max_chars, signal }) {
    // Markup and scripts are most of many pages.
    const max_bytes = Math.max(bytesFor(max_chars), 8 * 1024 * 1024);
    const { text: html, cut } = await readText(content, { max_bytes, signal });
    const page = makePage();
    let [count, hiding, whole] = [0, '', true];
    for (const token of htmlTokens(html)) {
      if (++count % tokensPerTurn === 0) {
        await turn();
        signal.throwIfAborted();
      }
      if (hiding) {
        if (token.type === 'close' && token.name === hiding) hiding = '';
      } else if (token.type === 'text') page.text(token.text);
      else if (hidden.has(token.name)) hiding = token.type === 'open' ? token.name : '';
      else page[token.type](token.name);
      if (page.length() > max_chars) {
        whole = false;
        break;
      }
    }
    const text = fitted(page.whole(), max_chars).trim();
    return { text, warnings: cut || !whole ? [cutWarning(max_chars)] : [] };
  },
};
