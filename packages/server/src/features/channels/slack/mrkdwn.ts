const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Code in its fences or backticks, which is left as it is, and links, whose address must not be read as Markdown. */
const apart = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)|!?\[([^\]\n]*)\]\((https?:\/\/[^\s()<>|]+)\)/g;

/** Stands for bold while italics are looked for: Slack writes bold with the one star that Markdown writes italics with. */
const bold = '\u0001';

function words(text: string): string {
  return escaped(text.replaceAll(bold, ''))
    .replaceAll(
      /^ {0,3}#{1,6} +(.+?) *#* *$/gm,
      (_, title: string) => `${bold}${title.replaceAll(/\*\*|__/g, '')}${bold}`,
    )
    .replaceAll(/\*\*(?=\S)([^\n]*?\S)\*\*|__(?=\S)([^\n]*?\S)__/g, (_, one, two) => `${bold}${one ?? two}${bold}`)
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g, '_$1_')
    .replaceAll(/~~(?=\S)([^\n]*?\S)~~/g, '~$1~')
    .replaceAll(/^( *)[-*+] +/gm, '$1• ')
    .replaceAll(bold, '*');
}

/** Markdown as Slack writes it. */
export function mrkdwn(markdown: string): string {
  let [out, at] = ['', 0];
  for (const match of markdown.matchAll(apart)) {
    const [all, code, label, url] = match;
    out += words(markdown.slice(at, match.index));
    out +=
      code === undefined
        ? `<${escaped(url as string)}|${escaped(label || (url as string)).replaceAll('|', '/')}>`
        : escaped(code);
    at = match.index + all.length;
  }
  return out + words(markdown.slice(at));
}

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** A Slack message as plain text: without the mention that it begins with, and with links as words. */
export function plainText(text: string, bot: string | undefined): string {
  const own =
    bot === undefined
      ? text
      : text.replace(new RegExp(`^\\s*<@${bot.replaceAll(/\W/g, '')}(?:\\|[^>]*)?>[\\s,:]*`), '');
  const read = own.replaceAll(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, kind: string, target: string, label = '') => {
    if (kind === '@') return `@${label || target}`;
    if (kind === '#') return `#${label || target}`;
    if (kind === '!') return label || `@${target.split('^', 1)[0]}`;
    const address = target.replace(/^mailto:/, '');
    return !label || label === address ? address : `${label} (${address})`;
  });
  return unescaped(read).trim();
}
