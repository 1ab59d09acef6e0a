import { createHash } from 'node:crypto';
import type { PageReader } from '../driver.ts';
import { readText } from '../text/read-text.ts';
import { decodeHtmlEntities } from './decode-entities.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

/** What no reader sees, and what changes with every visit: keys in scripts, styles. */
const unseen = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'svg', 'canvas']);
const mostLinks = 5000;

const attribute = (attributes: string, name: string) => decodeHtmlEntities(attributeOf(attributes, name) ?? '').trim();

/** Reads a page for the crawler: its links, unless the page forbids following them, and a hash of its visible text. */
export const readPage: PageReader = async (content, signal) => {
  const { text: html } = await readText(content, { max_bytes: 32 * 1024 * 1024, signal });
  const hash = createHash('sha256');
  const links = new Set<string>();
  let [base, title, index, follow] = ['', '', true, true];
  let [hiding, titled] = ['', false];
  for (const token of htmlTokens(html)) {
    if (hiding) {
      if (token.type === 'close' && token.name === hiding) hiding = '';
    } else if (token.type === 'text') {
      const text = token.text.replaceAll(/\s+/g, ' ').trim();
      if (text) hash.update(`${text}\n`);
      if (titled) title += decodeHtmlEntities(token.text);
    } else if (token.type === 'close') titled &&= token.name !== 'title';
    else if (unseen.has(token.name)) hiding = token.name;
    else if (token.name === 'title') titled = title === '';
    else if (token.name === 'base') base ||= attribute(token.attributes, 'href');
    else if (token.name === 'meta' && /^(?:robots|atrium)$/i.test(attribute(token.attributes, 'name'))) {
      const said = attribute(token.attributes, 'content');
      index &&= !/\b(?:noindex|none)\b/i.test(said);
      follow &&= !/\b(?:nofollow|none)\b/i.test(said);
    } else if (token.name === 'a' || token.name === 'area') {
      const href = attribute(token.attributes, 'href');
      hash.update(`${href}\n`);
      if (href && links.size < mostLinks && !/\bnofollow\b/i.test(attribute(token.attributes, 'rel'))) links.add(href);
    } else if (token.name === 'img')
      hash.update(`${attribute(token.attributes, 'src')} ${attribute(token.attributes, 'alt')}\n`);
  }
  const name = title.replaceAll(/\s+/g, ' ').trim();
  return { title: name || null, base: base || null, links: follow ? [...links] : [], index, hash: hash.digest('hex') };
};
