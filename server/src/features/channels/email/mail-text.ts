const entities: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const codePoint = (digits: string, base: number) => {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
};

/** The words of a page of HTML; what it looks like is of no interest. */
export const htmlAsText = (html: string): string =>
  html
    .replaceAll(/<(style|script|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6]|\/blockquote)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (all, hex, decimal, name) => {
      if (hex) return codePoint(hex, 16);
      if (decimal) return codePoint(decimal, 10);
      return entities[String(name).toLowerCase()] ?? all;
    })
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** The line with which mail programs begin what is answered. */
const attribution =
  /^(?:On .{1,300} wrote:|Am .{1,300} schrieb.{0,200}:|Le .{1,300} a écrit ?:|El .{1,300} escribió:|-{2,} ?(?:Original Message|Ursprüngliche Nachricht) ?-{2,}|_{10,})\s*$/;

/** What is new in a mail: mail programs repeat below it all that was said before, which the conversation knows. */
export function withoutQuoted(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findIndex(
    (line, index) => attribution.test(line) || attribution.test(`${line} ${lines[index + 1] ?? ''}`.trimEnd()),
  );
  const kept = at === -1 ? lines : lines.slice(0, at);
  while (kept.length > 0 && /^\s*(?:>.*)?$/.test(kept.at(-1) as string)) kept.pop();
  return kept.join('\n').trim() || text.trim();
}
