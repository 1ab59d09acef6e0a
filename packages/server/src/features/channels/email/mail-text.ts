import { required } from '../../../lib/required.ts';

const entities: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const codePoint = (digits: string, base: number) => {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
};

const unescaped = (text: string) =>
  text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{1,8}));/gi, (all, hex, decimal, name) => {
    if (hex) return codePoint(hex, 16);
    if (decimal) return codePoint(decimal, 10);
    return entities[String(name).toLowerCase()] ?? all;
  });

const unread = new Set(['style', 'script', 'head', 'title']);
const breaking = new Set(['br', '/p', '/div', '/li', '/tr', '/h1', '/h2', '/h3', '/h4', '/h5', '/h6', '/blockquote']);

/** The words of an HTML page, without its layout. Reads each character once. */
export function htmlToText(html: string): string {
  const lower = html.toLowerCase();
  let [out, at] = ['', 0];
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      out += html.slice(at).replaceAll(/\s/g, ' ');
      break;
    }
    out += html.slice(at, open).replaceAll(/\s/g, ' ');
    const comment = html.startsWith('<!--', open);
    const end = comment ? html.indexOf('-->', open) : html.indexOf('>', open);
    // The content of an element that is never closed is not read.
    if (end === -1) break;
    at = end + (comment ? 3 : 1);
    const name = comment ? '' : (/^\/?[a-z\d]+/.exec(lower.slice(open + 1, open + 16))?.[0] ?? '');
    if (breaking.has(name)) out += '\n';
    if (unread.has(name)) {
      const closing = lower.indexOf(`</${name}`, at);
      at = closing === -1 ? html.length : closing;
    }
  }
  const lines = unescaped(out).split('\n');
  return lines
    .map((line) => line.split(' ').filter(Boolean).join(' '))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The line with which mail programs begin what is answered. */
const attribution =
  /^(?:On .{1,300} wrote:|Am .{1,300} schrieb.{0,200}:|Le .{1,300} a écrit ?:|El .{1,300} escribió:|-{2,} ?(?:Original Message|Ursprüngliche Nachricht) ?-{2,}|_{10,})\s*$/;

/** The new part of a mail: mail programs repeat all earlier mails below it, which the conversation has already. */
export function stripQuotedText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findIndex(
    (line, index) => attribution.test(line) || attribution.test(`${line} ${lines[index + 1] ?? ''}`.trimEnd()),
  );
  const kept = at === -1 ? lines : lines.slice(0, at);
  while (kept.length > 0 && /^\s*(?:>.*)?$/.test(required(kept.at(-1)))) kept.pop();
  return kept.join('\n').trim() || text.trim();
}
