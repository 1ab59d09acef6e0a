/** An image whose bytes come with it needs no server. */
const inlined = /^<?(?:data:image\/|cid:)/i;

/** `![words](address "title")`; an address in angle brackets may hold spaces, one without them balanced parentheses. */
const markdownImage =
  /!\[((?:\\.|[^\]\\\n]){0,500})\]\(\s*(<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s[^)]{0,1000})?\)/g;
/** `![words][name]`, and whatever else begins as an image does. */
const otherImage = /!(?=\[)/g;
/** Elements that fetch something by themselves, and any element with an attribute that makes it fetch. */
const fetchingElement =
  /<(?=\/?(?:audio|base|body|embed|frame|iframe|image|img|input|link|meta|object|picture|source|style|svg|track|use|video)\b|[a-z][^<>]*\b(?:background|data|poster|src|srcset|style)\s*=)/gi;

/**
 * A reply without images of other servers. The program of whoever reads would fetch them at once, and with the address it
 * asks for, an agent that was talked into it could hand out what it knows. Markup of pages is made unreadable as such and
 * not taken out, since it may be what the reply is about. Code is not spared: what counts as code depends on who shows it.
 */
export function withoutRemoteImages(markdown: string): string {
  return markdown
    .replaceAll(markdownImage, (all, words: string, address: string) =>
      inlined.test(address) ? all : words.trim() ? `Image: ${words.trim()}` : 'Image',
    )
    .replaceAll(otherImage, (mark, at: number, text: string) =>
      inlined.test(/^!\[[^\]\n]*\]\(\s*(.{0,20})/.exec(text.slice(at, at + 600))?.[1] ?? '') ? mark : '',
    )
    .replaceAll(fetchingElement, '< ');
}
