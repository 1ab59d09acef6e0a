/** An image whose bytes come with it needs no server. */
const inlined = /^<?(?:data:image\/|cid:)/i;

/** `![words](address "title")`; an address in angle brackets may hold spaces, one without them balanced parentheses. */
const markdownImage =
  /!\[((?:\\.|[^\]\\\n]){0,500})\]\(\s*(<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s[^)]{0,1000})?\)/g;
/** `![words][name]`, and any other text that begins like an image. */
const otherImage = /!(?=\[)/g;
/** Elements that fetch something by themselves, and any element with an attribute that makes it fetch. */
const fetchingElement =
  /<(?=\/?(?:audio|base|body|embed|frame|iframe|image|img|input|link|meta|object|picture|source|style|svg|track|use|video)\b|[a-z][^<>]*\b(?:background|data|poster|src|srcset|style)\s*=)/gi;

/**
 * Removes images of other servers from a reply. The reader's program would fetch them at once, and the address of an image
 * can carry data out when an agent follows injected instructions. HTML elements are broken instead of removed, since the
 * reply may be about them. Code blocks are treated alike, because programs differ in what they show as code.
 */
export function stripRemoteImages(markdown: string): string {
  return markdown
    .replaceAll(markdownImage, (all, words: string, address: string) =>
      inlined.test(address) ? all : words.trim() ? `Image: ${words.trim()}` : 'Image',
    )
    .replaceAll(otherImage, (mark, at: number, text: string) =>
      inlined.test(/^!\[[^\]\n]*\]\(\s*(.{0,20})/.exec(text.slice(at, at + 600))?.[1] ?? '') ? mark : '',
    )
    .replaceAll(fetchingElement, '< ');
}
