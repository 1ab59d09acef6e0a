import type { DocumentWriter } from '../document-writer.ts';
import type { Block, ExtractChoices } from '../driver.ts';
import { decodeHtmlEntities } from './decode-entities.ts';
import { makeGrid } from './html-table.ts';
import { attributeOf } from './html-tokens.ts';

const words = (list: string) => new Set(list.split(' '));

const blocks = words(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol option p pre search section ' +
    'select summary table tbody tfoot thead title tr ul',
);
const apart = words('h1 h2 h3 h4 h5 h6 p table ul ol dl blockquote pre title');
/** What no table of figures holds: this one only arranges the page. */
const arranging = words('table h1 h2 h3 h4 h5 h6 article section main nav form pre');

export type PageChoices = NonNullable<ExtractChoices['html']> & {
  /** Handles an image in place of the default; called after the text before the image is written. */
  picture?: (source: string, alt: string) => void;
};

interface Line {
  kind: Block['kind'];
  level: number;
  mark: string;
}

const paragraph: Line = { kind: 'paragraph', level: 0, mark: '' };

/** Text as a page shows it: blanks run together, blocks on lines of their own. What parts two texts waits for the second. */
export function makePage(document: DocumentWriter, choices: PageChoices) {
  const { text_only = true, tables = true, images = false, markdown = true } = choices;
  let pieces: string[] = [];
  let [length, breaks, gap, preformatted, titled, depth, skipped] = [0, 0, '', 0, false, 0, 0];
  let [line, next] = [paragraph, paragraph];
  let [before, href] = [2, ''];
  let grid: ReturnType<typeof makeGrid> | undefined;
  let widen: (() => void) | undefined;

  function flush(): void {
    const text = pieces.join('').trimEnd();
    const options = { gap: before, ...(line.level ? { level: line.level } : {}) };
    if (line.kind === 'heading') document.heading(line.level, text, markdown);
    else document.add(line.kind, text, { ...options, mark: markdown ? line.mark : '' });
    [pieces, length, before] = [[], 0, breaks];
  }
  function say(text: string): void {
    if (text === '') return;
    if (breaks && length > 0) flush();
    if (length === 0) [line, next, before] = [preformatted ? { ...next, kind: 'code' } : next, paragraph, breaks || 2];
    else pieces.push(gap);
    pieces.push(text);
    length += text.length + gap.length;
    [breaks, gap] = [0, ''];
  }
  const part = (name: string) => {
    if (name === 'br' && length > 0 && breaks === 0) gap = '\n';
    else if (blocks.has(name)) breaks = Math.max(breaks, apart.has(name) ? 2 : 1);
  };
  function endTable(): void {
    const rows = grid?.rows() ?? [];
    [grid, widen] = [undefined, undefined];
    if (rows.length > 1 && rows.some((row) => row.length > 1)) {
      if (length > 0) flush();
      document.table(rows, { markdown });
      breaks = 2;
    } else
      for (const row of rows) {
        breaks = Math.max(breaks, 1);
        say(row.join('\t'));
      }
  }
  function run(text: string): void {
    if (preformatted) {
      say(text);
      return;
    }
    const folded = text.replaceAll(/[\s\u00a0]+/g, ' ');
    if (folded.startsWith(' ')) gap ||= ' ';
    say(folded.trim());
    if (folded.endsWith(' ')) gap ||= ' ';
  }
  function text(written: string): void {
    if (skipped) return;
    const decoded = decodeHtmlEntities(written);
    if (titled) document.title(decoded);
    if (grid) grid.text(decoded);
    else run(decoded);
  }
  function endCell(): void {
    grid?.endCell();
    widen?.();
    widen = undefined;
  }
  function openInTable(name: string, attributes: string): void {
    if (name === 'tr') {
      endCell();
      grid?.row();
    } else if (name === 'td' || name === 'th') {
      endCell();
      widen = grid?.cell(Number(attributeOf(attributes, 'colspan') ?? 1) || 1);
    } else if (blocks.has(name)) grid?.part();
  }
  function picture(attributes: string): void {
    const alt = decodeHtmlEntities(attributeOf(attributes, 'alt') ?? '').trim();
    if (choices.picture && !grid) {
      if (length > 0) flush();
      breaks = 2;
      choices.picture(attributeOf(attributes, 'src') ?? '', alt);
      return;
    }
    const source = text_only ? '' : decodeHtmlEntities(attributeOf(attributes, 'src') ?? '').slice(0, 2000);
    if (alt === '' && source === '') return;
    text(markdown ? ` ![${alt}](${source}) ` : ` ${[alt, source].filter(Boolean).join(' ')} `);
  }

  return {
    text,
    open(name: string, attributes: string) {
      if (name === 'table') {
        depth++;
        if (!tables) skipped++;
      }
      if (skipped) return;
      if (grid && arranging.has(name)) endTable();
      if (grid) openInTable(name, attributes);
      else if (name === 'table' && depth === 1) [grid, breaks] = [makeGrid(), 2];
      else part(name);
      if (name === 'li') next = { kind: 'list_item', level: 0, mark: '- ' };
      else if (/^h[1-6]$/.test(name)) next = { kind: 'heading', level: Number(name[1]), mark: '' };
      else if (name === 'pre') preformatted++;
      else if (name === 'title') titled = true;
      else if (name === 'img' && images) picture(attributes);
      else if (name === 'a') {
        href = text_only ? '' : decodeHtmlEntities(attributeOf(attributes, 'href') ?? '').slice(0, 2000);
        if (href && markdown) text(' [');
      }
    },
    close(name: string) {
      if (name === 'table') {
        if (skipped) skipped--;
        else if (grid) endTable();
        depth = Math.max(0, depth - 1);
      }
      if (skipped) return;
      if (name === 'a' && href) {
        text(markdown ? `](${href}) ` : ` (${href}) `);
        href = '';
      }
      if (grid && (name === 'td' || name === 'th' || name === 'tr')) endCell();
      else if (grid) {
        if (blocks.has(name)) grid.part();
      } else part(name);
      if (!grid && (name === 'td' || name === 'th')) gap = '\t';
      if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
      if (name === 'title') titled = false;
    },
    /** The length of the text that is buffered and not written yet; it counts toward the limit. */
    pending: () => length,
    end() {
      if (grid) endTable();
      if (length > 0) flush();
    },
  };
}
