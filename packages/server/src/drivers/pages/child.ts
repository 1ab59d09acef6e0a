import { parentPort, workerData } from 'node:worker_threads';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { PageText } from './driver.ts';

const { html } = workerData as { html: string; url: string };

/** No page that is meant to be read has more; to take one apart would take as long as there is time. */
const mostElements = 50_000;
let elements = 0;
for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
  if (++elements > 2 * mostElements) throw new Error('There are too many elements');

const clean = (text: string) =>
  text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const blocks = new Set(
  'p,div,section,article,header,footer,h1,h2,h3,h4,h5,h6,ul,ol,li,table,tr,blockquote,pre,figure,dl,dt,dd,hr,br'.split(
    ',',
  ),
);
const unseen = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head']);

interface Node {
  nodeType: number;
  localName?: string;
  textContent: string | null;
  childNodes: Iterable<Node>;
}

/** The words of a part of a page, with a new line where one begins on the screen. */
function wordsOf(root: Node): string {
  const out: string[] = [];
  const todo: (Node | string)[] = [root];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (typeof node === 'string') out.push(node);
    else if (node.nodeType === 3) out.push(node.textContent ?? '');
    else if (node.nodeType === 1 && !unseen.has(node.localName ?? '')) {
      const name = node.localName ?? '';
      const gap = /^(?:p|h\d|ul|ol|table|blockquote|pre|article|section)$/.test(name) ? '\n\n' : '\n';
      const inner = [...node.childNodes].reverse();
      if (blocks.has(name))
        todo.push(gap, ...inner, name === 'li' ? `${gap}- ` : /^h\d$/.test(name) ? `${gap}# ` : gap);
      else if (name === 'td' || name === 'th') todo.push(' | ', ...inner);
      else todo.push(...inner);
    }
  }
  return clean(out.join(''));
}

// The parser makes a document only of what says that it is one.
const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
const title = clean(document.querySelector('title')?.textContent ?? '');
// Taken before Readability changes the document: the fallback for pages without an article.
const whole = () => wordsOf((document.body ?? document.documentElement) as unknown as Node);
const fallback = whole();
const article = new Readability<Node>(document as never, {
  maxElemsToParse: mostElements,
  serializer: (node) => node as unknown as Node,
}).parse();
const text = article?.content ? wordsOf(article.content) : '';
const result: PageText = {
  title: clean(article?.title ?? '') || title,
  text: text.length >= Math.min(200, fallback.length) ? text : fallback,
  byline: clean(article?.byline ?? '') || null,
};
parentPort?.postMessage(result);
