const patterns: [RegExp, string][] = [
  [/^[ \t]*(?:`{3,}|~{3,})[^\n]*$/gm, ''],
  [/!?\[([^[\]]{0,500})\](?:\([^()\s]{0,2000}(?:\s"[^"\n]{0,200}")?\)|\[[^[\]]{0,100}\])/g, '$1'],
  [/^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)/gm, ''],
  [/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, ''],
  [/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, ''],
  [/[ \t]+\|[ \t]+/g, ' · '],
  [/(\*\*|__|~~)(?=\S)([^\n]{1,500}?\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}[^\s*])\*(?![\w*])/g, '$1'],
  [/(?<![\w_])_(?=[^\s_])([^_\n]{0,500}[^\s_])_(?![\w_])/g, '$1'],
  [/`([^`\n]{1,500})`/g, '$1'],
  [/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1'],
  [/\n{3,}/g, '\n\n'],
];

/** Every pattern needs one of these; most short texts have none, and lists strip the texts of a whole page. */
const mayHaveMarks = /[`~[\]#>*_|\\\n\r\u2028\u2029]|^[ \t]*[-+:]/;

/** Removes the marks of Markdown from a text that is shown as it is, such as a title or a quote. */
export const stripMarkdown = (text: string): string =>
  (mayHaveMarks.test(text)
    ? patterns.reduce((plain, [mark, instead]) => plain.replace(mark, instead), text)
    : text
  ).trim();
