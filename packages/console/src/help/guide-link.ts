/**
 * Where a link in a guide leads inside of the console: another guide, a decision, the API reference or the web. Null: to a
 * file that the console does not have; the link is shown as text.
 */
export function guideLink(href: string, from: string): string | null {
  if (/^https?:/.test(href)) return href;
  const [path = '', anchor] = href.split('#', 2);
  const end = anchor ? `#${anchor}` : '';
  if (path === '') return `/help/${from}${end}`;
  if (path.endsWith('openapi.json')) return '/docs';
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
  const target = new URL(path, `http://docs/docs/${folder}`).pathname;
  const found = /^\/docs\/((?:decisions\/)?[\w-]+)\.md$/.exec(target)?.[1];
  if (found === 'README') return '/help';
  return found ? `/help/${found}${end}` : null;
}

/** The anchor of a heading, made as other viewers of Markdown make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
