import { extensionOf } from './filename.ts';

/** Enough to look past the first entries of a ZIP archive, where office documents show what they are. */
export const headBytes = 64 * 1024;

/** Text has no signature: which kind it is, only its name can say. Programs and the like are plain text. */
const textTypes: Record<string, string> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  eml: 'message/rfc822',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
};

/** Formats that can consist of nothing but text, and say at their beginning what they are. */
const writtenAsText = new Set(['application/pdf', 'application/rtf', 'application/postscript']);

/** Everything below the blank but tab, line feed, form feed, carriage return and escape (terminal logs). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what text does not have
const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

/** UTF-8, or UTF-16 with its mark. A character cut off at the end of the head is allowed. */
function isText(head: Buffer): boolean {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return !control.test(new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}

/**
 * Detects the type of a file by its first bytes. Text is checked before signatures, because the shortest of these are
 * two letters (a report that begins with BM would be a bitmap).
 */
export async function sniff(head: Buffer, filename: string): Promise<string> {
  // Loaded with the first file: it would take part of every start.
  const { fileTypeFromBuffer } = await import('file-type');
  const signed = await fileTypeFromBuffer(head);
  if (!isText(head)) return signed?.mime ?? 'application/octet-stream';
  if (signed && writtenAsText.has(signed.mime)) return signed.mime;
  const named = textTypes[extensionOf(filename)];
  if (named) return named;
  return signed?.mime === 'application/xml' ? 'application/xml' : 'text/plain';
}
