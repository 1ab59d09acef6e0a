/** `attributes` is what stands between a tag's name and its end, as it was written. */
export type HtmlToken =
  | { type: 'text'; text: string }
  | { type: 'open'; name: string; attributes: string }
  | { type: 'close'; name: string };

/** Elements whose content is not markup and ends only with their own closing tag. */
const raw = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'template',
  'xmp',
]);

const space = /\s/;

/** The end of a tag, past its attributes. Quotes count after `=` alone; one that is never closed ends with the text. */
function tagEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const character = html[at++];
    if (character === '>') return at;
    if (character !== '=') continue;
    while (at < html.length && space.test(html[at] as string)) at++;
    const quote = html[at];
    if (quote !== '"' && quote !== "'") continue;
    const closing = html.indexOf(quote, at + 1);
    if (closing === -1) return html.length;
    at = closing + 1;
  }
  return html.length;
}

const past = (html: string, mark: string, from: number) => {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
};

const tagName = /[a-zA-Z][^\s/>]*/y;

/**
 * Tokenizes HTML, valid or not. It never backtracks, and an unclosed construct ends with the text, so the time is
 * linear in the length even for hostile input.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let [at, texted] = [0, 0];
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    const next = html[open + 1] ?? '';
    tagName.lastIndex = next === '/' ? open + 2 : open + 1;
    const name = tagName.exec(html)?.[0].slice(0, 100).toLowerCase();
    if (name === undefined && next !== '!' && next !== '?' && next !== '/') {
      // A bare < is text.
      at = open + 1;
      continue;
    }
    if (open > texted) yield { type: 'text', text: html.slice(texted, open) };
    if (name === undefined)
      at = html.startsWith('<!--', open) ? past(html, '-->', open + 2) : past(html, '>', open + 1);
    else {
      const named = tagName.lastIndex;
      at = tagEnd(html, named);
      if (next === '/') yield { type: 'close', name };
      else yield { type: 'open', name, attributes: html.slice(named, at) };
      if (next !== '/' && raw.has(name)) {
        const ending = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
        ending.lastIndex = at;
        const end = ending.exec(html)?.index ?? html.length;
        if (end > at) yield { type: 'text', text: html.slice(at, end) };
        at = end;
      }
    }
    texted = at;
  }
  if (texted < html.length) yield { type: 'text', text: html.slice(texted) };
}

const attribute = /([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const mostAttributes = 10_000;

/** The value of an attribute as it was written; of two of the same name the first. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, key, double, single, bare] of attributes.slice(0, mostAttributes).matchAll(attribute))
    if (key?.toLowerCase() === name) return double ?? single ?? bare ?? '';
  return undefined;
}
