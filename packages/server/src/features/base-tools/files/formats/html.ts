import { linesOf, runsOf } from './markdown-lines.ts';

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * The policy of pages that agents make: no scripts, which could send the content of the page elsewhere, no external
 * content and no forms.
 */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'";

const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:50rem;padding:0 1rem;color:#1f2933}' +
  'table{border-collapse:collapse}td,th{border:1px solid #cbd2d9;padding:.3rem .6rem;text-align:left}svg{max-width:100%;height:auto}';

/** A whole page that carries its own policy, for when it is shown without our headers. */
export const pageOf = (title: string, body: string) =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(pagePolicy)}">` +
  `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>` +
  `<body>\n${body}\n</body></html>\n`;

const inner = (text: string) =>
  runsOf(text)
    .map(({ text: said, bold, italic }) => {
      const safe = escapeHtml(said);
      return bold ? `<strong>${safe}</strong>` : italic ? `<em>${safe}</em>` : safe;
    })
    .join('');

function markdownBody(text: string): string {
  const out: string[] = [];
  let list: 'ul' | 'ol' | undefined;
  const close = () => {
    if (list) out.push(`</${list}>`);
    list = undefined;
  };
  for (const line of linesOf(text)) {
    const wanted = line.kind === 'point' ? (line.numbered ? 'ol' : 'ul') : undefined;
    if (wanted !== list) close();
    if (line.kind === 'point') {
      if (!list) out.push(`<${wanted}>`);
      list = wanted;
      out.push(`<li>${inner(line.text)}</li>`);
    } else if (line.kind === 'heading') out.push(`<h${line.level}>${inner(line.text)}</h${line.level}>`);
    else if (line.kind === 'table') {
      const rows = line.rows.map((row, index) => {
        const tag = index === 0 ? 'th' : 'td';
        return `<tr>${row.map((cell) => `<${tag}>${inner(cell)}</${tag}>`).join('')}</tr>`;
      });
      out.push(`<table>${rows.join('')}</table>`);
    } else out.push(`<p>${inner(line.text)}</p>`);
  }
  close();
  return out.join('\n');
}

/** Renders a page from Markdown, or from HTML, which is taken as it is below our head. */
export function renderHtml(title: string, text: string): Buffer {
  const isHtml = /^\s*<(?:!doctype|[a-z])/i.test(text);
  const body = isHtml ? text.replace(/^\s*<!doctype[^>]*>/i, '') : markdownBody(text);
  return Buffer.from(pageOf(title, body));
}
